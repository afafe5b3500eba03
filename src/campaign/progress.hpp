// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <ostream>
#include <string>

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

}  // namespace steelyard::campaign
