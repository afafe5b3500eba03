// SPDX-License-Identifier: Apache-2.0
#include "suites/beff/settings.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "record/clipped.hpp"
#include "units/text.hpp"

namespace steelyard::beff {
namespace {

constexpr Bytes cap{std::int64_t{128} << 20};
constexpr std::int64_t slots_in_buffer = 6;
constexpr Bytes slot_padding{16};
constexpr double last_fixed = 4096;

constexpr double shortest_time_s = 1e-9;

}  // namespace

Bytes longest_message(std::int64_t mebibytes_per_process) {
  if (mebibytes_per_process < 1)
    throw std::domain_error("b_eff needs at least 1 Mbyte of memory per process");
  const std::int64_t below_cap = std::min<std::int64_t>(mebibytes_per_process, 128 * 128);
  return std::min(cap, below_cap * Bytes{8192});
}

double growth(Bytes longest) {
  return std::pow(static_cast<double>(longest.count()) / last_fixed, 1.0 / 8.0);
}

Lengths message_lengths(Bytes longest) {
  if (longest < shortest_longest)
    throw std::domain_error("the longest message must have at least " +
                            std::to_string(shortest_longest.count()) + " byte, got " +
                            std::to_string(longest.count()));
  Lengths lengths;
  const double a = growth(longest);
  for (int k = 0; k < length_count; ++k) {
    const auto at = static_cast<std::size_t>(k);
    lengths[at] = k < fixed_lengths
                      ? Bytes{std::int64_t{1} << k}
                      : Bytes{static_cast<std::int64_t>(std::floor(last_fixed * std::pow(a, k - 12) + 0.5))};
  }
  lengths.back() = longest;
  return lengths;
}

Bytes buffer_size(Bytes longest) {
  return slots_in_buffer * (longest + slot_padding);
}

void LoopLengths::Mean::add(double seconds) {
  min = count == 0 ? seconds : std::min(min, seconds);
  sum += seconds;
  ++count;
}

std::uint64_t LoopLengths::next() {
  ++k_;
  if (k_ == 0) {
    const double room = rule_.loop_time_s / std::max(pre_.value(), shortest_time_s);
    longest_ = std::max<std::uint64_t>(pre_pass_iterations,
                                       record::clipped<std::uint64_t>(pre_pass_iterations * room));
    length_ = std::max<std::uint64_t>(1, longest_ / 2);
    return length_;
  }
  const double room = std::max(1.0, rule_.loop_time_s / std::max(current_.value(), shortest_time_s));
  length_ = std::clamp<std::uint64_t>(
      record::clipped<std::uint64_t>(static_cast<double>(length_) / shrink() * room), 1, longest_);
  current_ = {};
  return length_;
}

double LoopLengths::last_two_estimate_s(int methods) const {
  const double a = rule_.growth;
  return current_.min / static_cast<double>(length_) * current_.count * loops_allowed * (a + a * a) *
         rule_.repetitions * methods;
}

// Choices of the user.

namespace {

const Settings rule;
/// Seconds that the loops of all patterns take at one length by one method, once (release 3.6).
constexpr double round_s = 0.5;

void note(std::vector<std::string>& list, bool departs, std::string text) {
  if (departs) list.push_back(std::move(text));
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
  note(
      list, settings.repetitions != rule.repetitions,
      units::counted(settings.repetitions, "repetition") + " instead of " + std::to_string(rule.repetitions));
  note(list, settings.polygons != rule.polygons,
       std::to_string(settings.polygons) + " random polygons instead of " + std::to_string(rule.polygons));
  note(list, settings.loop_time_s != rule.loop_time_s,
       "a time per loop of its own instead of a share of 0.5 s");
  note(list, settings.last_two_limit_s != rule.last_two_limit_s,
       "another limit for the last two lengths than 60 s");
  note(list, settings.longest.has_value(), "longest message given instead of 1/128 of the memory");
  std::vector<std::string> names;
  for (const auto method : settings.without_methods) names.emplace_back(text(method));
  note(list, !names.empty(), "without method " + units::joined(names));
  note(list, !settings.without_patterns.empty(),
       "without pattern " + units::joined(settings.without_patterns));
  return list;
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
