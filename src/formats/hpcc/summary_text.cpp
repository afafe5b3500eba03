// SPDX-License-Identifier: Apache-2.0
#include "formats/hpcc/summary_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "analysis/hpcc_keys.hpp"
#include "formats/beff/print.hpp"
#include "formats/hpcc/print.hpp"

namespace steelyard::formats::hpcc {
namespace {

using analysis::HpccFormat;

/// A whole sentence, which the section of its test tells.
constexpr std::string_view advice = "Sy_BLAS_advice";

bool is_far_from_one(double value) {
  return value != 0 && (std::abs(value) >= 1e15 || std::abs(value) < 1e-15);
}

/// A rate keeps its point where it happens to be whole, for readers that look for one.
std::string real(double value, HpccFormat format) {
  if (format == HpccFormat::scientific) return fmt::format("{:e}", value);
  if (format == HpccFormat::count) return fmt::format("{}", static_cast<std::int64_t>(value));
  if (format == HpccFormat::real && is_far_from_one(value)) return fmt::format("{:e}", value);
  std::string word = plain_number(value);
  const bool keeps_point = format == HpccFormat::rate && value >= 0;
  if (!keeps_point && word.ends_with(".0")) word.resize(word.size() - 2);
  return word;
}

/// Without blanks: "OpenBLAS_0.3.21,kernel_Cooperlake". Readers take one word after the equals sign.
std::string one_word(std::string_view text) {
  std::string word;
  for (const char c : beff::plain(text)) {
    if (c != ' ')
      word += c;
    else if (!word.empty() && word.back() != ',' && word.back() != '_')
      word += '_';
  }
  return word.empty() ? "-" : word;
}

std::string joined(const std::vector<double>& list) {
  std::string text;
  for (const double number : list) text += (text.empty() ? "" : ",") + real(number, HpccFormat::real);
  return text;
}

std::string word(const record::Value& value, HpccFormat format) {
  if (const auto* text = std::get_if<std::string>(&value)) return one_word(*text);
  if (const auto* whole = std::get_if<std::int64_t>(&value))
    return format == HpccFormat::count || format == HpccFormat::word
               ? std::to_string(*whole)
               : real(static_cast<double>(*whole), format);
  if (const auto* number = std::get_if<double>(&value)) return real(*number, format);
  if (const auto* list = std::get_if<std::vector<double>>(&value)) return joined(*list);
  return "-1";
}

}  // namespace

std::string summary_lines(const record::SummaryRecord& summary) {
  std::string lines;
  for (const auto& [name, value] : summary.classic) {
    if (name == advice) continue;
    const auto* key = analysis::hpcc_key(name);
    const bool whole = std::holds_alternative<std::int64_t>(value);
    const auto own = whole ? HpccFormat::count : HpccFormat::real;
    lines += fmt::format("{}={}\n", name, word(value, key == nullptr ? own : key->format));
  }
  return lines;
}

}  // namespace steelyard::formats::hpcc
