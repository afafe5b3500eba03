// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/input/lines.hpp"

#include <charconv>
#include <cmath>
#include <optional>

namespace steelyard::hpcc {
namespace {

constexpr std::string_view blanks = " \t\r\v\f", byte_order_mark = "\xef\xbb\xbf",
                           end_of_line = "end of line";

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (true) {
    const auto from = line.find_first_not_of(blanks);
    if (from == line.npos) return words;
    line.remove_prefix(from);
    words.push_back(line.substr(0, line.find_first_of(blanks)));
    line.remove_prefix(words.back().size());
  }
}

template <class Number>
std::optional<Number> number(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  Number value{};
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return value;
}

std::string demand(const InputRule& rule) {
  const std::string name(rule.name);
  if (!rule.choices.empty()) return name + " must be " + std::string(rule.choices);
  return name + " must be a whole number from " + std::to_string(rule.low) + " to " +
         std::to_string(rule.high);
}

bool follows(std::optional<std::int64_t> value, const InputRule& rule) {
  return value && *value >= rule.low && *value <= rule.high;
}

}  // namespace

InputRule number_of_values() {
  return {"the number of values", 1, most_input_values};
}

InputLines::InputLines(std::string_view text) {
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    lines_.push_back(words_of(line));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  while (!lines_.empty() && lines_.back().empty()) lines_.pop_back();
}

void InputLines::add_fault(int line, std::string what, std::string_view found) {
  faults_.push_back({line, std::move(what), std::string(found)});
}

std::string_view InputLines::word(int line, std::size_t position) const {
  const auto& words = lines_[static_cast<std::size_t>(line - 1)];
  return position < words.size() ? words[position] : end_of_line;
}

bool InputLines::is_missing(int line) {
  if (has(line)) return false;
  if (!ended_) add_fault(line, "this line and what follows up to line 31 are missing", "end of file");
  ended_ = true;
  return true;
}

std::int64_t InputLines::whole(int line, const InputRule& rule) {
  if (is_missing(line)) return rule.low;
  const auto value = number<std::int64_t>(word(line, 0));
  if (follows(value, rule)) return *value;
  add_fault(line, demand(rule), word(line, 0));
  return rule.low;
}

double InputLines::real(int line, std::string_view name) {
  if (is_missing(line)) return 0;
  const auto value = number<double>(word(line, 0));
  if (value && std::isfinite(*value)) return *value;
  add_fault(line, std::string(name) + " must be a number", word(line, 0));
  return 0;
}

std::vector<std::int64_t> InputLines::list(int line, std::int64_t count, const InputRule& rule) {
  std::vector<std::int64_t> values;
  if (is_missing(line)) return values;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto found = word(line, static_cast<std::size_t>(i));
    const auto value = number<std::int64_t>(found);
    if (follows(value, rule))
      values.push_back(*value);
    else
      add_fault(line, "value " + std::to_string(i + 1) + " of " + std::to_string(count) + ": " + demand(rule),
                found);
    if (!value) break;  // a comment or the end: nothing more to be told about
  }
  return values;
}

std::vector<std::int64_t> InputLines::counted(int line, const InputRule& rule) {
  const auto before = faults_.size();
  const auto count = whole(line, number_of_values());
  if (faults_.size() != before) return {};
  return list(line + 1, count, rule);
}

}  // namespace steelyard::hpcc
