# carom_add_plugin(NAME FILE...): a plug-in, NAME.so, for `carom --plugin NAME.so`. It has what CAROM_PLUGIN(...) of
# config/plugin.h says, in one of its files.
function(carom_add_plugin name)
  add_library(${name} MODULE ${ARGN})
  set_target_properties(${name} PROPERTIES PREFIX "" CXX_VISIBILITY_PRESET hidden)
  target_link_libraries(${name} PRIVATE carom::headers)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    target_compile_options(${name} PRIVATE -O2 -DNDEBUG)
  endif()
endfunction()
