// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <vector>

#include "suites/hpcc/hpl/model.hpp"

namespace steelyard::hpcc::hpl {

/// Time for which a process was in a phase of a panel, in seconds since the timeline began.
struct Span {
  Phase phase = Phase::multiply;
  std::int64_t panel = 0;
  double begin_s = 0, end_s = 0;
};

/// Numbers of looks at messages that were on their way: all, and those between slices of an update.
struct Looks {
  std::int64_t all = 0, between_slices = 0;
};

/// Timeline of one process: the time of every phase over all panels, and the spans of some iterations. Costs
/// two looks at the clock per span. Iteration k ends when the trailing columns have panel k; iterations whose
/// panels are applied at once are entered together.
class Timeline {
 public:
  /// Keeps the spans of iterations first .. last; none by default.
  void keep(std::int64_t first, std::int64_t last) {
    first_ = first;
    last_ = last;
  }
  void begin() { zero_s_ = MPI_Wtime(); }
  void enter(std::int64_t from, std::int64_t to) {
    from_ = from;
    to_ = to;
  }
  [[nodiscard]] double now_s() const { return MPI_Wtime() - zero_s_; }
  void add(const Span& span) {
    seconds_[static_cast<std::size_t>(span.phase)] += span.end_s - span.begin_s;
    if (to_ >= first_ && from_ <= last_) spans_.push_back(span);
  }

  [[nodiscard]] double seconds(Phase phase) const { return seconds_[static_cast<std::size_t>(phase)]; }
  /// Spans in the order in which they ended.
  [[nodiscard]] const std::vector<Span>& spans() const { return spans_; }
  Looks looks;

 private:
  std::int64_t first_ = 0, last_ = -1;  // kept
  std::int64_t from_ = -1, to_ = -1;    // entered
  double zero_s_ = 0;
  std::array<double, phases> seconds_{};
  std::vector<Span> spans_;
};

/// A span that lasts as long as this object; none where there is no timeline.
class ScopedPhase {
 public:
  ScopedPhase(Timeline* timeline, Phase phase, std::int64_t panel) : timeline_(timeline) {
    if (timeline_ != nullptr) span_ = {phase, panel, timeline_->now_s(), 0};
  }
  ScopedPhase(const ScopedPhase&) = delete;
  ScopedPhase& operator=(const ScopedPhase&) = delete;
  ~ScopedPhase() {
    if (timeline_ == nullptr) return;
    span_.end_s = timeline_->now_s();
    timeline_->add(span_);
  }

 private:
  Timeline* timeline_;
  Span span_;
};

}  // namespace steelyard::hpcc::hpl
