// SPDX-License-Identifier: Apache-2.0
#include "units/controls.hpp"

namespace steelyard::units {
namespace {

constexpr unsigned char lead_of_second_controls = 0xc2;

std::string escape_of(char c) {
  if (c == '\n') return "\\n";
  if (c == '\t') return "\\t";
  constexpr std::string_view digits = "0123456789abcdef";
  const auto code = static_cast<unsigned char>(c);
  return {'\\', 'x', digits[code / 16], digits[code % 16]};
}

bool is_control(char c) {
  const auto code = static_cast<unsigned char>(c);
  return code < 0x20 || code == 0x7f;
}

/// Whether a control character of two bytes begins there.
bool is_second_control(std::string_view text, std::size_t at) {
  if (static_cast<unsigned char>(text[at]) != lead_of_second_controls || at + 1 == text.size()) return false;
  const auto code = static_cast<unsigned char>(text[at + 1]);
  return code >= 0x80 && code < 0xa0;
}

}  // namespace

std::string controls_escaped(std::string_view text, std::string_view kept) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_second_control(text, i))
      out.append("\\u00").append(escape_of(text[++i]).substr(2));
    else if (is_control(text[i]) && kept.find(text[i]) == std::string_view::npos)
      out += escape_of(text[i]);
    else
      out += text[i];
  }
  return out;
}

}  // namespace steelyard::units
