// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "record/file.hpp"
#include "record/json.hpp"
#include "record/value.hpp"

namespace steelyard::record {
namespace {

bool needs_code(unsigned char c) {
  return c < 0x20 || c == 0x7f || c == ';' || c == '=' || c == '%';
}

std::string percent_coded(std::string_view text, bool slash = false) {
  std::string coded;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (!needs_code(byte) && !(slash && c == '/')) {
      coded += c;
      continue;
    }
    coded += {'%', "0123456789ABCDEF"[byte >> 4], "0123456789ABCDEF"[byte & 15]};
  }
  return coded;
}

std::string number_word(double value) {
  if (!std::isfinite(value)) throw NotANumber("a parameter of a key is not finite");
  return Json(value).dump();
}

struct Word {
  std::string operator()(std::nullptr_t) const { return "null"; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return number_word(value); }
  std::string operator()(const std::string& value) const { return percent_coded(valid_utf8(value)); }
  std::string operator()(const std::vector<double>& values) const {
    std::string list;
    for (const double value : values) list.append(list.empty() ? "[" : ",").append(number_word(value));
    return list.empty() ? "[]" : list.append("]");
  }
};

}  // namespace

std::string make_key(std::string_view suite, std::string_view benchmark, int processes, int threads,
                     int groups, const Params& params) {
  Params all = params;
  all["processes"] = std::int64_t{processes};
  if (threads != 1) all["threads"] = std::int64_t{threads};
  if (groups != 1) all["groups"] = std::int64_t{groups};
  std::string key = std::string(suite) + "/" + percent_coded(valid_utf8(benchmark), true);
  for (const auto& [name, value] : all)
    key.append(";").append(name).append("=").append(std::visit(Word{}, value));
  return key;
}

}  // namespace steelyard::record
