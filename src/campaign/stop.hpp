// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string_view>

namespace steelyard::campaign {

/// Installs handlers of SIGUSR1, SIGUSR2, SIGXCPU, SIGTERM and, unless it is ignored as in the background of a shell, SIGINT,
/// which only set a flag: a stop in order. A second signal, if it is not SIGXCPU, ends at once with MPI_Abort and code 5. Has
/// SIGXCPU come five seconds of processor time before the hard limit kills. May be called again.
void install_stop_signals();
/// The same for the time in which MPI starts: SIGUSR1, SIGUSR2 and SIGXCPU set the flag, the others end this process with code 5.
/// It may wait for processes that do not come, and nobody would look at a flag.
void install_stop_signals_of_start();

enum class StopCause { none, signal, cpu_limit, stop_file, deadline, budget, error };
/// What a signal to this process asks for: none, signal, or cpu_limit for SIGXCPU, which nobody sends by hand.
[[nodiscard]] StopCause cause_by_signal();
/// Word of the end record; empty for StopCause::none.
[[nodiscard]] std::string_view text(StopCause cause);

/// Removes the file STOP that an earlier run left in a result directory, unless another steelyard writes there, for which
/// it is meant.
void forget_stop_file(const std::filesystem::path& directory);
/// Whether somebody has put a file STOP into the result directory.
[[nodiscard]] bool stop_file_is_there(const std::filesystem::path& directory);

/// Rules that may end a campaign before its plan is done.
struct StopRules {
  std::filesystem::path file;  // empty: none
  std::optional<double> deadline_unix_s;
  std::optional<double> budget_s;  // from the making of the watch
};

/// Watch for reasons to stop. Rank 0 asks it between batches: cheap; the stop file is looked for at most once
/// a second. The first cause stays.
class StopWatch {
 public:
  explicit StopWatch(StopRules rules);

  StopCause look();
  /// Sets a cause found elsewhere: a record that cannot be written, a signal on another rank.
  void raise(StopCause cause);
  [[nodiscard]] StopCause cause() const { return cause_; }

  [[nodiscard]] double elapsed_s() const;
  [[nodiscard]] std::optional<double> left_to_deadline_s() const;

 private:
  [[nodiscard]] StopCause found();
  [[nodiscard]] bool file_is_there();

  StopRules rules_;
  std::chrono::steady_clock::time_point start_;
  double file_looked_s_ = -1;
  StopCause cause_ = StopCause::none;
};

}  // namespace steelyard::campaign
