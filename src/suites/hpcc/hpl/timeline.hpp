// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <vector>

namespace steelyard::hpcc::hpl {

/// What a process does while it solves.
enum class Phase { eliminate, interchange, solve, multiply, wait, substitute };
inline constexpr std::array phase_names{"eliminate", "interchange", "solve",
                                        "multiply",  "wait",        "substitute"};

/// From when to when a process worked with a panel, in seconds of MPI_Wtime.
struct Span {
  Phase phase = Phase::multiply;
  std::int64_t panel = 0;
  double begin_s = 0, end_s = 0;
};

/// The spans of one process in the order in which they ended. Costs two looks at the clock per span.
using Timeline = std::vector<Span>;

/// A span that lasts as long as this object; nothing where there is no timeline.
class Stretch {
 public:
  Stretch(Timeline* timeline, Phase phase, std::int64_t panel) : timeline_(timeline) {
    if (timeline_ != nullptr) span_ = {phase, panel, MPI_Wtime(), 0};
  }
  Stretch(const Stretch&) = delete;
  Stretch& operator=(const Stretch&) = delete;
  ~Stretch() {
    if (timeline_ == nullptr) return;
    span_.end_s = MPI_Wtime();
    timeline_->push_back(span_);
  }

 private:
  Timeline* timeline_;
  Span span_;
};

}  // namespace steelyard::hpcc::hpl
