// SPDX-License-Identifier: Apache-2.0
#include "options/values.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "options/checks.hpp"
#include "process/errors.hpp"

namespace steelyard::cli {
namespace {

template <class Parse>
auto parsed(const std::optional<std::string>& word, Parse parse) -> std::optional<decltype(parse(*word))> {
  if (!word) return std::nullopt;
  return parse(*word);
}

std::vector<std::string> words_of(const Values& values) {
  try {
    return comma_list(values.need("fail-on"));
  } catch (const units::ParseError& error) {
    throw UsageError(std::string("--fail-on: ") + error.what());
  }
}

}  // namespace

std::string_view text(Source source) {
  switch (source) {
    case Source::fallback: return "default";
    case Source::preset: return "preset";
    case Source::file: return "file";
    case Source::environment: return "environment";
    case Source::command_line: return "command line";
  }
  return "";
}

void Values::set(std::string_view name, OptionWords given) {
  const auto found = given_.find(name);
  if (found == given_.end())
    given_.emplace(name, std::move(given));
  else if (given.source >= found->second.source)
    found->second = std::move(given);
}

void Values::forget(std::string_view name) {
  if (const auto found = given_.find(name); found != given_.end()) given_.erase(found);
}

const OptionWords* Values::find(std::string_view name) const {
  const auto found = given_.find(name);
  return found == given_.end() ? nullptr : &found->second;
}

bool Values::said(std::string_view name) const {
  const OptionWords* given = find(name);
  return given != nullptr && given->source != Source::fallback;
}

bool Values::typed(std::string_view name) const {
  const OptionWords* given = find(name);
  return given != nullptr && given->source == Source::command_line;
}

bool Values::on(std::string_view name) const {
  const auto value = word(name);
  return value && units::parse_bool(*value);
}

std::optional<std::string> Values::word(std::string_view name) const {
  const OptionWords* given = find(name);
  if (given == nullptr || given->words.empty()) return std::nullopt;
  return given->words.back();
}

std::string Values::need(std::string_view name) const {
  const OptionWords* given = find(name);
  if (given == nullptr || given->words.empty())
    throw std::logic_error("option without a value: " + std::string(name));
  return given->words.back();
}

std::vector<std::string> Values::list(std::string_view name) const {
  const OptionWords* given = find(name);
  return given == nullptr ? std::vector<std::string>{} : given->words;
}

std::optional<Bytes> Values::size(std::string_view name) const {
  return parsed(word(name), units::parse_size);
}

std::optional<std::vector<Bytes>> Values::sizes(std::string_view name) const {
  return parsed(word(name), units::parse_sizes);
}

std::optional<Seconds> Values::duration(std::string_view name) const {
  return parsed(word(name), units::parse_duration);
}

std::optional<std::int64_t> Values::count(std::string_view name) const {
  using Limits = std::numeric_limits<std::int64_t>;
  return parsed(word(name),
                [](std::string_view w) { return units::parse_count(w, Limits::min(), Limits::max()); });
}

std::optional<double> Values::number(std::string_view name) const {
  return parsed(word(name), units::parse_number);
}

std::optional<double> Values::ratio(std::string_view name) const {
  return parsed(word(name), units::parse_ratio);
}

std::optional<units::Counts> Values::counts(std::string_view name) const {
  return parsed(word(name), units::parse_counts);
}

std::vector<std::size_t> fatal_places(const Values& values, const std::vector<std::string>& known) {
  std::vector<std::string> all{"none"};
  all.insert(all.end(), known.begin(), known.end());
  const auto words = words_of(values);
  if (words.empty()) throw UsageError("--fail-on: names nothing; the word for that is none");
  std::vector<std::size_t> places;
  for (const std::string& word : words) {
    const auto found = std::ranges::find(all, word);
    if (found == all.end()) {
      const auto near = units::nearest(word, all);
      throw UsageError("--fail-on: '" + word + "' is not one of " + units::joined(all),
                       near ? "did you mean " + *near + '?' : "");
    }
    if (found != all.begin()) places.push_back(static_cast<std::size_t>(found - all.begin()) - 1);
  }
  return places;
}

}  // namespace steelyard::cli
