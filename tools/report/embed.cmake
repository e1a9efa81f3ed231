# Writes the page's files into a source: cmake -D PAGE=folder -D OUTPUT=page.cpp -D "SCRIPTS=a.js;b.js" -P embed.cmake
function(quoted file result)
  file(READ ${file} text)
  set(${result} "R\"page(${text})page\"" PARENT_SCOPE)
endfunction()

quoted(${PAGE}/page.html html)
quoted(${PAGE}/style.css style)
set(scripts "")
foreach(script ${SCRIPTS})
  quoted(${PAGE}/${script} text)
  string(APPEND scripts "      ${text}\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"tools/report/page.h\"

namespace carom {

std::string page_html() { return ${html}; }
std::string page_style() { return ${style}; }
std::string page_script() {
  return
${scripts}      ;
}

}  // namespace carom
")
