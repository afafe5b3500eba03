// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "analysis/comparison/run_filter.hpp"
#include "units/amount.hpp"

/// Criteria that a result has to meet, as a file states them (docs/acceptance.md).
namespace steelyard::acceptance {

/// The criteria cannot be judged as they are written; what() begins with their place.
class BadCriteria : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Base that a limit is a share of; amount: it is a number and no share.
enum class Of { amount, committed, reference, system, peak_flop, peak_memory, median };

/// "2.5 Tflop/s", "95% of committed", "90% of reference:first".
struct Limit {
  std::string written;
  Of of = Of::amount;
  units::Amount amount;   // Of::amount
  double share = 1;       // of all others
  std::string name = {};  // of the reference or the published system
};

enum class Combine { median, mean, best, worst, every };
enum class Every { none, point, node, link };
enum class Rule { interval, value };
/// Way to count a criterion that could not be decided.
enum class Undecided { report, fail, pass };

struct Criterion {
  std::string id, text, section, place;  // place: "contract.toml:12:1"
  std::string figure, select, table;     // one of them
  std::string metric, statistic;         // empty: the primary one, its value
  std::optional<Limit> at_least, at_most, within, spread_at_most;
  bool spread_over_nodes = false;
  Every every = Every::none;
  double allowed = 0;  // of `every`: how many may fail, or which share if below 1
  Combine combine = Combine::median;
  Rule rule = Rule::interval;
  std::size_t min_launches = 1;
  bool verified = false, official = false, complete = false;
  comparison::RunFilter where;
  Undecided undecided = Undecided::report;
  std::string waived;  // the reason; empty: it counts
  double weight = 1;
};

/// The limits as they are written: "at least 95% of committed, at most 3 Tflop/s".
[[nodiscard]] std::string limits_text(const Criterion& criterion);

/// Geometric mean of value / X over criteria, where X is the base of their limits (or the limits).
struct Mean {
  std::string id, text, place;
  std::vector<std::string> of;
  double at_least = 1;
};

/// Requirements that the inputs have to meet.
struct Require {
  comparison::RunFilter runs;
  bool same_layout = false;
};

struct Criteria {
  std::string title, sha256;
  double confidence = 0.95;
  Require require;
  std::map<std::string, units::Amount> committed;  // by figure or id
  std::map<std::string, units::Amount> peak;       // "flop", "memory"
  std::vector<Criterion> list;
  std::vector<Mean> means;
};

}  // namespace steelyard::acceptance
