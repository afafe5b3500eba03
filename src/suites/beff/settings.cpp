// SPDX-License-Identifier: Apache-2.0
#include "suites/beff/settings.hpp"

#include <algorithm>

namespace steelyard::beff {
namespace {

const Settings rule;
/// What the loops of all patterns take at one length by one method, once (release 3.6).
constexpr double round_s = 0.5;

void note(std::vector<std::string>& list, bool departs, std::string text) {
  if (departs) list.push_back(std::move(text));
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace

Settings shortened(Settings settings) {
  settings.repetitions = 2;
  settings.polygons = 6;
  settings.loop_time_s = 0.5e-3;
  settings.mark = "SHORT";
  return settings;
}

Settings tested(Settings settings) {
  settings.polygons = 2;
  settings.loop_time_s = 0.05e-3;
  settings.last_two_limit_s = 1;
  settings.mark = "TEST";
  return settings;
}

Settings hurried(Settings settings) {
  settings = shortened(std::move(settings));
  settings.last_two_limit_s = 1;
  return settings;
}

std::vector<std::string> departures(const Settings& settings) {
  std::vector<std::string> list;
  note(list, settings.repetitions != rule.repetitions,
       std::to_string(settings.repetitions) + " repetitions instead of " + std::to_string(rule.repetitions));
  note(list, settings.polygons != rule.polygons,
       std::to_string(settings.polygons) + " random polygons instead of " + std::to_string(rule.polygons));
  note(list, settings.loop_time_s != rule.loop_time_s,
       "a time per loop of its own instead of a share of 0.5 s");
  note(list, settings.last_two_limit_s != rule.last_two_limit_s,
       "another limit for the last two lengths than 60 s");
  note(list, settings.longest.has_value(), "longest message given instead of 1/128 of the memory");
  std::vector<std::string> names;
  for (const auto method : settings.without_methods) names.emplace_back(text(method));
  note(list, !names.empty(), "without method " + joined(names));
  note(list, !settings.without_patterns.empty(), "without pattern " + joined(settings.without_patterns));
  return list;
}

std::vector<std::string> excludable_patterns() {
  return {"worst-cyc", "best-bi-section", "worst-bi-section", "one-PingPong-Pair", "acyclic", "cyclic"};
}

bool excluded(const Settings& settings, const Pattern& pattern) {
  if (pattern.set != PatternSet::additional) return false;
  std::string name;  // blanks of the printed name become one dash
  for (const char c : pattern.name)
    if (c != ' ')
      name += c;
    else if (name.back() != '-')
      name += '-';
  return std::ranges::any_of(settings.without_patterns,
                             [&](const std::string& word) { return name.starts_with(word); });
}

bool has_lengths(const Settings& settings) {
  return settings.longest.has_value() || settings.memory_mebibyte > 0;
}

Bytes longest(const Settings& settings) {
  return settings.longest ? *settings.longest : longest_message(settings.memory_mebibyte);
}

double loop_time_s(const Settings& settings, std::size_t patterns) {
  return settings.loop_time_s.value_or(round_s / static_cast<double>(std::max<std::size_t>(1, patterns)));
}

LoopRule loop_rule(const Settings& settings, std::size_t patterns) {
  return {.loop_time_s = loop_time_s(settings, patterns),
          .growth = growth(longest(settings)),
          .repetitions = settings.repetitions,
          .last_two_limit_s = settings.last_two_limit_s,
          .shorten_last_two = settings.shorten_last_two};
}

}  // namespace steelyard::beff
