# SPDX-License-Identifier: Apache-2.0
# cmake -DSYMBOL= -DINPUT= -DOUTPUT= -P Embed.cmake: a source with the bytes of a file.
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "(................................................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${OUTPUT} "// SPDX-License-Identifier: Apache-2.0
// Written by cmake/Embed.cmake.
#include \"report/embedded.hpp\"

namespace {
constexpr unsigned char bytes[] = {
${bytes}0};
}  // namespace

std::string_view steelyard::report::${SYMBOL}() {
  return {reinterpret_cast<const char*>(bytes), sizeof bytes - 1};
}
")
