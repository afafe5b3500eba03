// SPDX-License-Identifier: Apache-2.0
#include "formats/latex.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace steelyard::formats {
namespace {

using Escape = std::pair<char, std::string_view>;
constexpr auto escapes = std::to_array<Escape>({{'#', "\\#"},
                                                {'_', "\\_"},
                                                {'%', "\\%"},
                                                {'&', "\\&"},
                                                {'$', "\\$"},
                                                {'{', "\\{"},
                                                {'}', "\\}"},
                                                {'~', "\\textasciitilde{}"},
                                                {'^', "\\textasciicircum{}"},
                                                {'\\', "\\textbackslash{}"},
                                                {'<', "\\textless{}"},
                                                {'>', "\\textgreater{}"},
                                                {'|', "\\textbar{}"},
                                                {'"', "{\\ttfamily\\char34}"},
                                                // Two in a row, or after ? and !, would become another sign;
                                                // brackets and stars may belong to a command before them.
                                                {'-', "{-}"},
                                                {'\'', "{'}"},
                                                {'`', "{`}"},
                                                {',', "{,}"},
                                                {'[', "{[}"},
                                                {']', "{]}"},
                                                {'*', "{*}"}});

}  // namespace

std::string latex_text(std::string_view ascii) {
  std::string text;
  for (const char c : ascii) {
    const auto* const found = std::ranges::find(escapes, c, &Escape::first);
    if (found == escapes.end())
      text += c;
    else
      text += found->second;
  }
  return text;
}

}  // namespace steelyard::formats
