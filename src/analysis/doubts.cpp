// SPDX-License-Identifier: Apache-2.0
#include "analysis/doubts.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "units/text.hpp"

namespace steelyard::analysis {
namespace {

struct Meaning {
  std::string_view flag, words;
};

// Gravest first. Flags that only tell how something was measured are none of them.
constexpr auto meanings = std::to_array<Meaning>({
    {"not_representative", "too small to stand for this machine"},
    {"smaller_than_the_rules_ask", "smaller than the rules ask"},
    {"cached_read", "read from memory, not from a disk"},
    {"oversubscribed", "more processes than processors"},
    {"preempted", "processors taken away"},
    {"mixed_states", "several machine states"},
    {"noisy", "noisy"},
    {"late", "started late"},
});

const record::Statistics* statistics(const record::PointRecord& point, std::string_view name) {
  for (const auto& [key, metric] : point.metrics)
    if (key == name) return std::get_if<record::Statistics>(&metric);
  return nullptr;
}

bool has_interval(const record::Statistics* known) {
  return known != nullptr && known->ci && known->median && *known->median != 0;
}

std::string plus_minus(double share) {
  const double percent = 100 * share;
  return "+-" + (percent < 1000 ? units::format_fixed(percent, 0) : units::format_significant(percent, 2)) +
         " %";
}

}  // namespace

std::optional<double> half_width(const record::PointRecord& point) {
  const auto* known = statistics(point, point.primary);
  if (!has_interval(known)) known = statistics(point, "time_s");
  if (!has_interval(known)) return std::nullopt;
  return (known->ci->second - known->ci->first) / (2 * std::abs(*known->median));
}

std::vector<Doubt> doubts(const record::PointRecord& point) {
  std::vector<Doubt> list;
  const bool has_values = point.status == record::Status::ok || point.status == record::Status::partial;
  if (!has_values) return list;
  if (const auto share = half_width(point); share && *share > wide_half_width)
    list.push_back({"wide_interval", plus_minus(*share)});
  for (const auto& [flag, words] : meanings)
    if (std::ranges::find(point.flags, flag) != point.flags.end())
      list.push_back({std::string(flag), std::string(words)});
  return list;
}

std::string doubts_in_words(const record::PointRecord& point) {
  std::string text;
  for (const Doubt& doubt : doubts(point)) text += (text.empty() ? "" : ", ") + doubt.words;
  return text;
}

}  // namespace steelyard::analysis
