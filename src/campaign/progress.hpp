// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <ostream>
#include <string>

namespace steelyard::campaign {

/// --progress. automatic: a bar on a terminal, else lines.
enum class ProgressMode { automatic, bar, lines, json, none };

/// How far a run is; what it shows between points.
struct ProgressState {
  std::size_t done = 0, total = 0;  // points; those that the plan leaves out do not count
  double share = 0;                 // of the planned time of this run, 0 to 1
  std::string benchmark;            // imb-mpi1/Allreduce
  std::string point;                // "np=4 64 KiB   12.3 us +-0.4%"
  double elapsed_s = 0;
  std::optional<double> left_s;  // nothing: not known yet
  bool over_plan = false;
};

/// Draws progress between points, at most 5 times a second. Rank 0 only.
class Progress {
 public:
  virtual ~Progress() = default;
  virtual void show(const ProgressState& state) = 0;
  /// Before anything else is written to a terminal: clears the bar.
  virtual void clear() = 0;
};

/// Of a series: the second of five. One launch alone is not numbered.
struct LaunchNumber {
  int number = 0, of = 0;
};

/// mode must be resolved (not automatic).
[[nodiscard]] std::unique_ptr<Progress> make_progress(ProgressMode mode, std::ostream& out, int columns,
                                                      bool colour, LaunchNumber launch = {});

/// The rule for `automatic`: STEELYARD_TTY, the launcher's standard error through /proc, isatty, else lines.
struct Terminal {
  ProgressMode mode = ProgressMode::lines;
  int columns = 100;
};
[[nodiscard]] Terminal find_terminal(bool under_launcher);
/// Whether what this process writes to standard output ends on a terminal, that of the launcher if there is one.
[[nodiscard]] bool shows_on_terminal(bool under_launcher);

}  // namespace steelyard::campaign
