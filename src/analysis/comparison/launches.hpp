// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/comparison/comparison.hpp"

/// What the launches of both sides say about a point. Of this folder alone.
namespace steelyard::comparison {

/// One launch's value of a point.
struct Value {
  double median = 0;
  std::optional<stats::Interval> interval;
  std::vector<double> visits;  // medians of visits; empty: not recorded
  std::size_t launch = 0;      // of its side
};

using Records = std::vector<const record::PointRecord*>;

/// The records of one key on one side, and the launch of each.
struct Side {
  Records records;
  std::vector<std::size_t> launches;
};
struct Matched {
  Side base, now;
};

struct Values {
  std::vector<Value> base, now;
  bool common_state = true;
};

/// Name of the metric and of the statistic in "time_s.p99"; statistic empty: the median.
struct MetricChoice {
  std::string metric, statistic;
};
[[nodiscard]] MetricChoice metric_choice(const Options& options, const record::PointRecord& point);

/// Values of all launches in the machine state that they have in common. Launches without a value are left
/// out; of paired launches both.
[[nodiscard]] Values values(const Matched& matched, const Options& options);

}  // namespace steelyard::comparison
