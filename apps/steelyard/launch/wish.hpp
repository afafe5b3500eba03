// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>

namespace steelyard::cli {

/// The wish to end, USR1 to a launcher, until it has reached the processes. A launcher that gets it while it starts passes
/// it on to nobody (Open MPI), or waits with its processes for ever (Hydra).
class FirstWish {
 public:
  /// `recorded`: whether the processes have recorded anything; empty = nobody tells, and the launcher is never ended.
  FirstWish(pid_t launcher, const std::function<bool()>& recorded)
      : launcher_(launcher), recorded_(recorded) {}

  void send();
  /// Called every second from then on. Sends the wish once more when there are processes, if there were none before; a
  /// second one would end processes that know the first. Ends a launcher that has recorded nothing while its processes
  /// here did nothing for ten seconds, or for a minute if there are none here to look at.
  void look();
  /// Whether the launcher was ended: nothing was measured, so that nothing is lost.
  [[nodiscard]] bool ended_launcher() const { return ended_; }
  /// Whether the wish had to be sent once more.
  [[nodiscard]] bool was_repeated() const { return repeated_; }

 private:
  void repeat(bool here, bool recorded);
  void end_if_idle(bool here, bool at_work);

  pid_t launcher_;
  const std::function<bool()>& recorded_;
  bool sent_ = false, reached_ = false, repeated_ = false, ended_ = false;
  int looks_recorded_ = 0, looks_idle_ = 0;
  std::int64_t ticks_ = 0;  // of the processor, of all processes at the last look
};

}  // namespace steelyard::cli
