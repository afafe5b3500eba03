// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/comparison/comparison.hpp"

/// Points as a comparison takes them, one at a time: of each it keeps what it compares, so that results of very many
/// points need a small part of the memory that their records take.
namespace steelyard::comparison {

/// What was measured. Launches that measured the same share it.
struct Identity {
  std::string key, suite, benchmark, primary;
  int processes = 1, threads = 1, groups = 1;
  bool lower_is_better = true;
  record::Members params;  // in ASCII order
};

/// How a point was measured. Most points of a result share it.
struct Manner {
  std::string rule, sync, timing;  // of the schedule; empty: not told
  bool clock_corrected = false, cache_warm = false;
  bool imported = false;  // its number was read from the text of another program
  friend auto operator<=>(const Manner&, const Manner&) = default;
};

/// One launch's value of a point.
struct Value {
  double median = 0;
  std::optional<stats::Interval> interval;  // within the launch; a plain number: from its repetitions
  std::vector<double> visits;               // medians of visits; empty: not recorded, or not needed
  double step = 0;                          // one unit of the last printed digit; 0: as measured
  std::uint32_t launch = 0;                 // of its side
  bool cut = false;                         // the launch ended before the point had all its batches
};

/// A point as one launch measured it.
struct Observation {
  std::shared_ptr<const Identity> what;
  const Manner* manner = nullptr;
  std::uint32_t launch = 0;  // of its side
  bool partial = false, unverified = false;
  bool has_statistics = false;   // of the metric: its value is of the first state, where there are states
  std::optional<Value> printed;  // as the run printed it; nullopt if it printed none
  std::vector<record::State> states;  // most visits first
  const record::PointRecord* record =
      nullptr;  // whole, where a number of another program may stand beside it
};

/// True if the number was read from the text of another program.
[[nodiscard]] bool is_imported(const Observation& seen);

/// The observations of one thing on both sides, in the order of the launches.
struct Matched {
  std::vector<Observation> base, now;
};

/// Launches of a side in which a point has no figures.
struct Lost {
  std::size_t failed = 0, skipped = 0;
  std::optional<record::ReasonCode> reason;  // of the first that failed, else of the first that was skipped
};
/// By the key of the point.
using LostPoints = std::unordered_map<std::string, Lost>;

/// Launches of two sides, point by point.
class Observations {
 public:
  enum class Side { base, now };

  /// `options`: which metric and statistic are kept.
  explicit Observations(Options options);

  /// Begins the next launch of a side. All those of the base come first: the order of the points is theirs.
  void begin(Side side, const record::RunRecord& head);
  /// Adds a point of that launch, which has no other one of its key; one without figures is none. Throws
  /// std::invalid_argument for a point of another program, beside which whole records are needed.
  void add(const record::PointRecord& point);
  /// Adds a point of any program, whose record outlives the comparison.
  void add_whole(const record::PointRecord& point);

 private:
  friend Comparison compare(Observations&& taken);

  void take(std::size_t place, Observation&& seen, const record::PointRecord& point);
  [[nodiscard]] const std::string& key_at(std::size_t place) const;
  [[nodiscard]] std::size_t place_of(const std::string& key);
  void lose(const record::PointRecord& point);
  [[nodiscard]] Observation observed(const record::PointRecord& point);
  [[nodiscard]] const Manner* manner_of(const record::PointRecord& point);

  Options options_;
  Side side_ = Side::base;
  std::vector<record::RunRecord> base_, now_;  // heads of the launches
  LostPoints lost_base_, lost_now_;
  std::set<Manner> manners_;                                  // a set does not move what it holds
  const Manner* manner_ = nullptr;                            // of the last point
  std::vector<Matched> matched_;                              // in the order of the base, then what is new
  std::unordered_map<std::string_view, std::size_t> places_;  // of the first of these, by their keys
  std::size_t indexed_ = 0;                                   // so many, none until a key is looked for
  std::size_t next_ = 0;  // place after that of the last point: launches measure in much the same order
};

/// Compares what was observed: as compare() of the runs, which throws the same.
[[nodiscard]] Comparison compare(Observations&& taken);

}  // namespace steelyard::comparison
