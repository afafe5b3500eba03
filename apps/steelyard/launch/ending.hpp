// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "record/records.hpp"

/// Consequences of the end of a launcher for the run.
namespace steelyard::cli {

/// State of a run whose launcher has ended.
struct Ending {
  int code = 0;                   // of the launcher
  std::filesystem::path results;  // directory of the records; empty = none are kept
  std::string resume;             // words that continue the run; empty = it cannot be
  bool insisted = false;          // a signal that was sent again ended it
  int signal = 0;                 // that ended the launcher itself; 0: none
};

/// Whether the program itself ends with this code. Launchers return others if a process was killed or a host was lost:
/// Open MPI 4.1 137 and 205, Hydra 4.0 9, 15 and 255.
[[nodiscard]] bool own_exit_code(int code);

/// Watcher of the records of `results`: whether the processes have said there that they gave up (--give-up). Reads what
/// was added since the last call, so that a call every second costs nothing.
class GivenUp {
 public:
  explicit GivenUp(const std::filesystem::path& results);
  [[nodiscard]] bool operator()();

 private:
  std::filesystem::path file_;
  std::uintmax_t read_byte_ = 0;
  std::string end_;  // last bytes read, in which the word may begin
  bool seen_ = false;
};

/// Bytes in the result file of this directory; 0 if there is none.
[[nodiscard]] std::uintmax_t bytes_of_records(const std::filesystem::path& results);
/// Whether anything is in the result file of this directory.
[[nodiscard]] bool has_records(const std::filesystem::path& results);

/// The end record with which the result file of this directory ends; nullopt if it ends otherwise: the last session has
/// not recorded its end yet, or never will.
[[nodiscard]] std::optional<record::EndRecord> recorded_end(const std::filesystem::path& results);

/// Whether this directory has no result file.
[[nodiscard]] bool file_is_gone(const std::filesystem::path& results);
/// Exit code of a run whose result file is gone. Processes that noticed it have said so and failed; otherwise 1 after a
/// line that says it.
[[nodiscard]] int records_gone(const Ending& ending);

/// Exit code by the end record of a run whose launcher's code is not to be trusted, after a line on standard error where
/// they differ: the last words of its processes may be missing, of which the one that continues is said.
[[nodiscard]] int late_loss(const Ending& ending, const record::EndRecord& end);

/// Whether the last session recorded in `results` was cut short by an error of one process and has left
/// something to measure. False without records.
[[nodiscard]] bool was_cut_short(const std::filesystem::path& results);

/// Exit code 4 of a run without a first record, after a line on standard error that tells the launcher's code, or the
/// signal of a crash of the launcher itself.
[[nodiscard]] int nothing_begun(int code, int signal = 0);

/// Whether a launcher ends with this code where processes, or it itself, died of the signal that asks for a stop, which
/// they do not know before they measure; Hydra 4.0 loses it.
[[nodiscard]] bool died_of_the_wish(int code);

/// Exit code 5 of a session that was stopped before it recorded anything, after lines on standard error that say so and,
/// where it goes on with a run of which earlier sessions have recorded something, how to go on.
[[nodiscard]] int stopped_early(const Ending& ending, bool goes_on);

/// Exit code of a run whose processes did not end with one of their own, after lines on standard error that say so and
/// how to go on: 1 if anything was recorded or no records are kept, else 4. A line tells of files of the run that stay.
[[nodiscard]] int lost_run(const Ending& ending);

}  // namespace steelyard::cli
