# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DPAGES="A.md;B.md" -DOUTPUT=Pages.cpp -P EmbedPages.cmake: writes the pages as string literals.
set(_rows "")
foreach(_page IN LISTS PAGES)
  get_filename_component(_name ${_page} NAME_WE)
  file(READ ${_page} _text)
  string(APPEND _rows "    {\"${_name}\", R\"~page~(${_text})~page~\"},\n")
endforeach()
file(WRITE ${OUTPUT} "// Generated from docs/checks.
#include \"Pages.h\"

namespace cancel_tools {

llvm::StringRef pageOf(llvm::StringRef CheckName) {
  static constexpr struct {
    llvm::StringLiteral Name, Text;
  } Pages[] = {
${_rows}    {\"\", \"\"},
  };
  for (const auto &Page : Pages)
    if (Page.Name == CheckName)
      return Page.Text;
  return {};
}

} // namespace cancel_tools
")
