// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <ostream>
#include <string>
#include <thread>

namespace steelyard::campaign {

/// Value of --progress. automatic: a bar on a terminal, else lines.
enum class ProgressMode { automatic, bar, lines, json, none };

/// State of a run between points.
struct ProgressState {
  std::size_t done = 0, total = 0;  // points; those that the plan leaves out do not count
  double share = 0;                 // of the planned time of this run, 0 to 1
  std::string benchmark;            // imb-mpi1/Allreduce
  std::string point;                // "np=4 64 KiB   12.3 us +-0.4%"
  double elapsed_s = 0;
  std::optional<double> left_s;  // nullopt: not known yet
  bool over_plan = false;
};

/// Display of progress between points, at most 5 times a second. Rank 0 only.
class Progress {
 public:
  virtual ~Progress() = default;
  virtual void show(const ProgressState& state) = 0;
  /// Clears the bar, before anything else is written to a terminal.
  virtual void clear() = 0;
};

/// Number of a launch in a series: the second of five. A single launch is not numbered.
struct LaunchNumber {
  int number = 0, of = 0;
};

/// Makes the display of a mode, which must be resolved (not automatic).
[[nodiscard]] std::unique_ptr<Progress> make_progress(ProgressMode mode, std::ostream& out, int columns,
                                                      bool colour, LaunchNumber launch = {});

/// Terminal found by the rule for `automatic`: STEELYARD_TTY, the launcher's standard error through /proc,
/// isatty, else lines.
struct Terminal {
  ProgressMode mode = ProgressMode::lines;
  int columns = 100;
};
[[nodiscard]] Terminal find_terminal(bool under_launcher);
/// True if the standard output of this process ends on a terminal, that of the launcher if there is one.
[[nodiscard]] bool shows_on_terminal(bool under_launcher);

/// Limits at which a Watchdog speaks up.
struct Patience {
  double factor = 10;
  double least_s = 60;
  double nap_s = 5;
  std::optional<double> give_up_s = {};  // beyond the estimate
};

/// Watch over the task in flight: tells it on `out` when it takes more than 10 times its estimate and longer
/// than 60 s, once at that age and again each time the age has doubled. A task that takes give_up_s longer
/// than its estimate is given up: once, in the watchdog's own thread, with a sentence that says why. Ends
/// nothing itself; sleeps otherwise.
class Watchdog {
 public:
  using GiveUp = std::function<void(const std::string& why)>;
  explicit Watchdog(std::ostream& out, Patience patience = {}, GiveUp give_up = {});
  ~Watchdog();

  void watch(std::string what, double estimate_s);
  void rest();

 private:
  using Clock = std::chrono::steady_clock;
  void loop(const std::stop_token& stop);
  void look();
  void speak(double age);
  void give_up(double age);

  std::ostream& out_;
  Patience patience_;
  GiveUp give_up_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::string what_;                 // empty: nothing in flight
  double limit_s_ = 0, last_s_ = 0;  // ages at which it speaks and gives up
  Clock::time_point since_;
  std::jthread thread_;  // last member: starts when the rest is there
};

}  // namespace steelyard::campaign
