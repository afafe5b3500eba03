// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <utility>

#include "measure/clock.hpp"
#include "mpi/communicator.hpp"

namespace steelyard::ftio {

/// Whether the processes come together in every step of a phase, or each goes its own way to the end.
enum class Course { together, apart };

/// When processes look for news: for the first time after so many steps, so that a phase of a small matrix ends
/// undisturbed, then every so many seconds or at about that distance.
struct Looks {
  std::int64_t first_steps = 64;
  double apart_s = 0.5;
};

/// News in the midst of a phase that process 0 wants the run to end. A phase may take hours, and the processes must
/// leave one in which they exchange messages at the same step.
class StopNews {
 public:
  /// `wanted` is asked on process 0; it may be empty.
  StopNews(const mpi::Communicator& team, std::function<bool()> wanted, Looks looks)
      : team_(&team), wanted_(std::move(wanted)), looks_(looks) {}

  /// Begins a phase. Collective.
  void begin(Course course);
  /// Before each step of a phase: whether to leave it. Together all processes look before the same steps, and what
  /// process 0 decides counts from the next time on, so that nobody waits for it. Apart each process looks whether there
  /// is news, and waits for nobody.
  [[nodiscard]] bool leave();
  /// Ends a phase: takes the news that are still under way. Collective.
  void settle();
  /// Whether this process knows of a stop; the same on all processes after settle().
  [[nodiscard]] bool known() const { return known_; }

 private:
  struct News {
    std::int64_t stop = 0;
    std::int64_t steps = 0;  // from the look that takes them to the next one
  };
  [[nodiscard]] bool wanted() const { return team_->is_root() && wanted_ && wanted_(); }
  [[nodiscard]] std::int64_t next_distance();
  [[nodiscard]] double now_s() const { return clock_.seconds(clock_.now()); }
  void look_together();
  void look_apart();
  void send(const News& news);
  void take();

  const mpi::Communicator* team_;
  std::function<bool()> wanted_;
  Looks looks_;
  measure::MonoSource clock_;
  Course course_ = Course::apart;
  MPI_Request request_ = MPI_REQUEST_NULL;
  News news_;
  std::int64_t step_ = 0, next_step_ = 0, distance_ = 0;
  double looked_s_ = 0;
  bool sent_ = false, known_ = false;
};

}  // namespace steelyard::ftio
