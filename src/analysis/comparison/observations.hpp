// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/comparison/comparison.hpp"
#include "analysis/comparison/keeper.hpp"

/// Points as a comparison takes them, one at a time: of each it keeps what it compares, so that results of very many
/// points need a small part of the memory that their records take.
namespace steelyard::comparison {

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
  std::span<const double> visits;           // medians of visits; empty: not recorded, or not needed
  double step = 0;                          // one unit of the last printed digit; 0: as measured
  std::uint32_t launch = 0;                 // of its side
  bool cut = false;                         // the launch ended before the point had all its batches
};

/// A point as one launch measured it; what it refers to lies in a keeper, as it does.
struct Observation {
  const Identity* what = nullptr;
  const Manner* manner = nullptr;
  std::uint32_t launch = 0;  // of its side
  bool partial = false, unverified = false;
  bool has_statistics = false;     // of the metric: its value is of the first state, where there are states
  const Value* printed = nullptr;  // as the run printed it; nullptr if it printed none
  std::span<const record::State> states;  // most visits first
  const record::PointRecord* record =
      nullptr;                  // whole, where a number of another program may stand beside it
  Observation* next = nullptr;  // of the same side and point
};

/// True if the number was read from the text of another program.
[[nodiscard]] bool is_imported(const Observation& seen);

/// The observations of one thing on one side, in the order of the launches: each leads to the next one, since most points
/// have one alone.
class Launched {
 public:
  class Cursor {
   public:
    using value_type = Observation;
    using difference_type = std::ptrdiff_t;

    Cursor() = default;
    explicit Cursor(const Observation* at) : at_(at) {}
    const Observation& operator*() const { return *at_; }
    Cursor& operator++() {
      at_ = at_->next;
      return *this;
    }
    Cursor operator++(int) { return std::exchange(*this, Cursor(at_->next)); }
    friend bool operator==(const Cursor&, const Cursor&) = default;

   private:
    const Observation* at_ = nullptr;
  };

  void add(Observation& seen) {
    (first_ == nullptr ? first_ : last_->next) = &seen;
    last_ = &seen;
  }
  void clear() { *this = {}; }
  [[nodiscard]] bool empty() const { return first_ == nullptr; }
  [[nodiscard]] const Observation& front() const { return *first_; }
  [[nodiscard]] Cursor begin() const { return Cursor(first_); }
  [[nodiscard]] static Cursor end() { return {}; }

 private:
  Observation *first_ = nullptr, *last_ = nullptr;
};

/// The observations of one thing on both sides.
struct Matched {
  Launched base, now;
};

/// Launches of a side in which a point has no figures.
struct Lost {
  std::size_t failed = 0, skipped = 0;
  std::optional<record::ReasonCode> reason;  // of the first that failed, else of the first that was skipped
};
/// By the key of the point.
using LostPoints = std::map<std::string, Lost, std::less<>>;

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

  void take(std::size_t place, const Observation& seen, const record::PointRecord& point);
  [[nodiscard]] const Identity* identity(const Matched& known, const record::PointRecord& point);
  [[nodiscard]] std::string_view key_at(std::size_t place) const;
  [[nodiscard]] std::size_t place_of(const std::string& key);
  void lose(const record::PointRecord& point);
  [[nodiscard]] Observation observed(const record::PointRecord& point);
  [[nodiscard]] const Value* printed(const record::PointRecord& point, const Observation& seen);
  [[nodiscard]] const Manner* manner_of(const record::PointRecord& point);

  Options options_;
  Side side_ = Side::base;
  std::vector<record::RunRecord> base_, now_;  // heads of the launches
  LostPoints lost_base_, lost_now_;
  std::shared_ptr<Keeper> kept_ = std::make_shared<Keeper>();
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
