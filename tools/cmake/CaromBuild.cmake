# How every target of carom is built, installed and exported.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug, RelWithDebInfo or Sanitize" FORCE)
endif()
set_property(CACHE CMAKE_BUILD_TYPE PROPERTY STRINGS Release Debug RelWithDebInfo Sanitize)

# The same bits from every build: no contraction of a*b+c into one rounding.
set(CMAKE_CXX_FLAGS "${CMAKE_CXX_FLAGS} -ffp-contract=off")
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
set(CMAKE_CXX_FLAGS_SANITIZE "-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all")
set(CMAKE_EXE_LINKER_FLAGS_SANITIZE "-fsanitize=address,undefined")

option(CAROM_WARNINGS_AS_ERRORS "Treat warnings as errors" ON)

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

add_library(carom_warnings INTERFACE)
# maybe-uninitialized and use-after-free are false alarms of g++ 12 inside optional and moved matrices.
target_compile_options(carom_warnings INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized> $<$<CXX_COMPILER_ID:GNU>:-Wno-use-after-free>
  $<$<BOOL:${CAROM_WARNINGS_AS_ERRORS}>:-Werror>)

# Reading Eigen and the formatting library once a target instead of once a file saves a third of the build. Every file still
# includes what it needs: with -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON nothing is read beforehand.
function(carom_precompile target)
  target_precompile_headers(${target} PRIVATE <algorithm> <cmath> <functional> <map> <memory> <optional> <string> <vector>
    <Eigen/Dense> <spdlog/fmt/fmt.h> ${ARGN})
endfunction()

# A first build compiles a dozen files at a time (CMAKE_UNITY_BUILD, which tools/build.sh sets), so that what they all
# instantiate is compiled once. Files of which one is added at a time, as laws and models, stay apart: those may use the same
# names, and each is built by itself.
function(carom_compile_apart)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# A library of one folder: all its sources, public headers beside them, installed and exported as carom::<name>.
function(carom_library name)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_SOURCE_DIR}/*.cpp")
  add_library(carom_${name} STATIC ${sources} ${ARGN})
  add_library(carom::${name} ALIAS carom_${name})
  set_target_properties(carom_${name} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
  target_include_directories(carom_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/carom>)
  target_link_libraries(carom_${name} PRIVATE $<BUILD_INTERFACE:carom_warnings>)
  target_compile_features(carom_${name} PUBLIC cxx_std_20)
  carom_precompile(carom_${name})
  install(TARGETS carom_${name} EXPORT caromTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}/" DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/carom/${name}
    FILES_MATCHING PATTERN "*.h" PATTERN "*.def")
endfunction()

# Laws, models and solvers of plug-ins use what the program has: all of engine, models and solvers is in it, whether the
# program itself needs it or not, and is seen by what it loads.
function(carom_takes_plugins target)
  target_link_libraries(${target} PRIVATE -Wl,--whole-archive carom_engine carom_models carom_solvers -Wl,--no-whole-archive)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE")
    target_link_options(${target} PRIVATE -Wl,--dynamic-list=${PROJECT_SOURCE_DIR}/tools/cmake/shown_by_program.txt)
  else()
    target_link_options(${target} PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/tools/cmake/shown_by_module.txt -Wl,-Bsymbolic)
  endif()
endfunction()

# The installed headers by themselves: what a plug-in is built against.
add_library(carom_headers INTERFACE)
add_library(carom::headers ALIAS carom_headers)
set_target_properties(carom_headers PROPERTIES EXPORT_NAME headers)
target_include_directories(carom_headers INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/carom>)
target_link_libraries(carom_headers INTERFACE Eigen3::Eigen spdlog::spdlog)
target_compile_features(carom_headers INTERFACE cxx_std_20)
target_compile_options(carom_headers INTERFACE -ffp-contract=off)
install(TARGETS carom_headers EXPORT caromTargets)
include(${CMAKE_CURRENT_LIST_DIR}/caromPlugin.cmake)

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/caromConfig.cmake.in ${PROJECT_BINARY_DIR}/caromConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/carom)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/caromConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(EXPORT caromTargets NAMESPACE carom:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/carom)
install(FILES ${CMAKE_CURRENT_LIST_DIR}/caromPlugin.cmake ${PROJECT_BINARY_DIR}/caromConfig.cmake ${PROJECT_BINARY_DIR}/caromConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/carom)
