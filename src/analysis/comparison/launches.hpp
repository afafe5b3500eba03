// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/comparison/observations.hpp"

/// Values of a point in the launches of both sides. Internal to this folder.
namespace steelyard::comparison {

/// Machine states behind the values of a point (docs/methodology.md, "Machine states").
enum class States {
  alike,    // what the runs printed is of one state
  picked,   // the printed values are not; these are of a state that every launch saw in enough visits
  several,  // the printed values, of different states or of one with few visits: part of the launches' spread
  apart     // the printed values; the sides share no state
};

struct Values {
  std::span<const Value> base, now;
  States states = States::alike;
};

/// Name of the metric and of the statistic in "time_s.p99"; statistic empty: the headline, by default the median.
/// `primary`: metric of the point.
struct MetricChoice {
  std::string_view metric, statistic;  // of the options, or the primary one
};
[[nodiscard]] MetricChoice metric_choice(const Options& options, std::string_view primary);

/// Ends as an interval.
[[nodiscard]] std::optional<stats::Interval> interval(const std::optional<std::pair<double, double>>& ends);

/// Names such as "time_s and bandwidth_byte_s" if observations of one key have different primary metrics
/// and ours keep no number of the other program's definition: such points have no ratio. Empty if all
/// are of one metric.
[[nodiscard]] std::string metrics_apart(const Matched& matched, const Options& options);

/// The observation whose metric the values are of: that of another program, which has only one; else the first.
[[nodiscard]] const Observation& named_by(const Matched& matched);

/// Values that the launches printed, or if those are of different machine states, of one state that all of
/// them saw, and that state in words. Launches without a value are left out; of a pair both. What is not kept with the
/// observations is kept by `keeper`.
[[nodiscard]] std::pair<Values, std::string> values(const Matched& matched, const Options& options,
                                                    Keeper& keeper);

}  // namespace steelyard::comparison
