// SPDX-License-Identifier: Apache-2.0
#include "launch/wish.hpp"

#include <csignal>

#include "launch/children.hpp"

namespace steelyard::cli {
namespace {

// Numbers of looks.
constexpr int patience_here = 10, patience_elsewhere = 60, looks_to_kill = 4;
// Processes that know the wish record its beginning and its end at once.
constexpr int looks_to_end = 3;
// In a second: threads of an MPI library that wakes now and then to find nothing take less.
constexpr std::int64_t least_ticks = 2;

}  // namespace

void FirstWish::send() {
  sent_ = true;
  reached_ = reached_ || !launched_below(launcher_).empty();
  kill(launcher_, SIGUSR1);
}

void FirstWish::look() {
  if (!sent_) return;
  const auto processes = launched_below(launcher_);
  std::int64_t ticks = 0;
  bool waits_for_disk = false;
  for (const pid_t process : processes) {
    const Activity activity = activity_of(process);
    ticks += activity.processor_ticks;
    waits_for_disk = waits_for_disk || activity.waits_for_disk;
  }
  const bool at_work = waits_for_disk || ticks - ticks_ >= least_ticks;
  ticks_ = ticks;
  const bool here = !processes.empty(), recorded = recorded_ && recorded_();
  repeat(here, recorded);
  if (ended_ || (recorded_ && !recorded)) end_if_idle(here, at_work);
}

void FirstWish::repeat(bool here, bool recorded) {
  if (reached_) return;
  // Processes of other hosts show themselves by what they record.
  if (recorded) ++looks_recorded_;
  if (!here && looks_recorded_ <= looks_to_end) return;
  reached_ = repeated_ = true;
  kill(launcher_, SIGUSR1);
}

void FirstWish::end_if_idle(bool here, bool at_work) {
  looks_idle_ = at_work && !ended_ ? 0 : looks_idle_ + 1;
  if (!ended_ && looks_idle_ == (here ? patience_here : patience_elsewhere)) {
    ended_ = true;
    looks_idle_ = 0;
    kill(launcher_, SIGTERM);
  } else if (ended_ && looks_idle_ == looks_to_kill) {
    kill(-launcher_, SIGKILL);
  }
}

}  // namespace steelyard::cli
