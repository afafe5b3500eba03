// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "analysis/warnings.hpp"
#include "campaign/plan.hpp"
#include "campaign/progress.hpp"
#include "formats/writer.hpp"
#include "measure/engine.hpp"
#include "record/file.hpp"
#include "suites/session.hpp"

/// Runs a plan: blocks in order, records as points end, orderly stop, resume. Collective over the world.
namespace steelyard::campaign {

enum class ScheduleKind { suite, adaptive, fixed, timed };

struct RunOptions {
  // how
  ScheduleKind schedule = ScheduleKind::adaptive;
  std::uint64_t fixed_operations = 0;
  Seconds timed_for{0};
  double half_width = 0.02;
  std::uint64_t min_batches = 8, max_batches = 4096;
  std::optional<std::uint64_t> warm_up;
  measure::SamplesKept samples = measure::SamplesKept::thin;
  measure::ClockKind clock = measure::ClockKind::automatic;
  suites::HowToTime how;
  bool verify = true;
  suites::FilePlace files;  // for blocks that make files; the runner only passes it on
  /// Called on rank 0 after the last point: clears up, and returns events about that. May be empty.
  std::function<std::vector<record::EventRecord>()> clear_up;
  bool classic_only = false;  // classic front-end
  bool sleep_idle = true;
  int confirm = 0;
  int classic_passes = 1;
  std::uint64_t seed = 1;
  std::optional<Seconds> wait_quiet;
  std::optional<Seconds> give_up;  // after a block takes so much longer than planned
  bool measure_noise = true;
  bool tell_points = false;  // on standard error the key of each point before it begins
  bool look_around = true;   // findings about the machine as events; with a result file always
  // stop
  std::optional<double> deadline_unix_s;
  bool fail_on_warning = false;   // exit code 3 where it would be 0
  std::set<std::string> fail_on;  // the same if a screening has found one of these
  /// On rank 0, after all summaries: whether the run is a success by a rule of the caller's, whose exit code is 1 if
  /// not, unless a stop or an error has one of its own. Empty: the counts of the points tell.
  std::function<bool()> is_success;
  std::optional<Seconds> budget;  // running out of it ends the campaign in order (cause budget)
  Seconds before{0};  // that the program has taken before the campaign; told and recorded with what follows
  std::filesystem::path stop_file;  // empty: none
  // members of the run record that only the caller knows
  record::RunRecord
      head;  // command, config, name, labels, front_end, plan_*; the runner adds machine, layout, mpi, clock
  std::vector<record::EventRecord> events;  // that only the caller knows, recorded at the start; on rank 0
  bool anonymous = false;
  std::map<std::string, std::string> switch_of;  // on rank 0: host -> its switch, as far as given
  std::vector<std::string> resume_command;
  /// Called on a rank on which a call of the program's own has failed: MPI's state is undefined, and the
  /// other ranks wait. Should not come back; empty: run() throws.
  std::function<void(const std::exception&)> when_lost;
  /// Exit code with which when_lost ends the program, of the exception being handled: the end record tells it. Empty: 1.
  std::function<int()> code_when_lost;
  /// Called in a thread of its own after an error of one process, unknown to the others, was recorded on rank
  /// 0 or could not be told there. Should clear up and end all processes; must not come back.
  std::function<void()> when_cut_short;
  /// Called on rank 0 in a thread of its own after a block was given up and that was recorded: processes wait
  /// in vain. Should end them all; must not come back.
  std::function<void()> when_given_up;
};

/// State of earlier sessions for a resumed run.
struct ResumeState {
  std::string run;
  int session = 1;
  std::int64_t next_seq = 0;
  std::vector<std::string> keep;  // keys that are not measured again
  record::Counts kept;            // of these (kept_counts)
  std::int64_t dropped_byte = 0;
  std::vector<std::string> differences;
  std::vector<record::PointRecord>
      points;  // of earlier sessions, for counts, summaries and doubts over all sessions
  std::vector<record::EventRecord> events;  // of earlier sessions, those that still hold (standing_events)
  std::optional<record::EventRecord> other_hosts = {};  // than those of the session before
};

struct RunResult {
  int exit_code = 0;
  record::Counts counts;
  std::string stop_cause;  // empty = ran to its end
  double engine_ratio = 0;
  std::vector<record::SuiteTime> suites;  // on rank 0
  analysis::Warnings warnings;            // of all sessions; on rank 0
};

/// Outputs for the records of a run, on rank 0: the result file (may be null) and any number of texts.
struct Outputs {
  record::Writer* file = nullptr;
  std::vector<formats::Writer*> texts;
  Progress* progress = nullptr;
  std::ostream* errors = nullptr;  // messages of this program; nullptr = standard error
};

/// Measures `plan`, made by suites that measure, with `world` processes. Collective; `outputs` and `resume`
/// are used on rank 0 only. Returns the same result on all ranks. Errors of single points are records; a
/// result file that cannot be written ends the campaign in order. Throws only errors that leave MPI
/// undefined, after the end record.
[[nodiscard]] RunResult run(const mpi::Communicator& world, const Plan& plan, const RunOptions& options,
                            const Outputs& outputs, const std::optional<ResumeState>& resume = std::nullopt);

}  // namespace steelyard::campaign
