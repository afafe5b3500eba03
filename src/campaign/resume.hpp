// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/plan.hpp"
#include "record/file.hpp"
#include "record/records.hpp"

namespace steelyard::campaign {

/// Adds one point to the counts by status; a wrong verification counts besides. `weight` -1 takes it out
/// again.
void count(record::Counts& counts, record::Status status, std::optional<bool> verified, int weight = 1);

/// Points that were attempted.
[[nodiscard]] std::int64_t attempted(const record::Counts& counts);

/// Exit code of a campaign: stopped in order by a signal, the stop file or the deadline 5; records that could
/// not be written, a failed point or a wrong verification 1, or 4 if nothing was attempted; everything
/// skipped 4; else 0. A spent budget is no failure: the campaign took the time that it was given. `cause` is
/// that of the end record.
[[nodiscard]] int exit_code(const record::Counts& counts, std::string_view cause);

/// Which points a resume measures again besides those that are missing.
struct Retry {
  bool failed = true, partial = true, skipped = false, all = false;
};

/// A run of DIR, its torn line cut off and its unfinished points taken in.
struct Interrupted {
  record::Run run;
  std::int64_t dropped_byte = 0;
};
/// The run of that id, nothing if DIR does not hold it; without an id the last run. Throws record::ReadError.
[[nodiscard]] std::optional<Interrupted> open_interrupted(const std::filesystem::path& directory,
                                                          const std::string& id = {});

/// Keys of each block that is one experiment: kept if all of its points are, else measured again as a whole.
using Experiments = std::vector<std::set<std::string>>;
[[nodiscard]] Experiments experiments(const Plan& plan);

/// Keys of points that are kept.
[[nodiscard]] std::vector<std::string> kept_keys(const record::Run& run, const Retry& retry,
                                                 const Experiments& whole = {});

/// How many points of each status are kept; ResumeState::kept.
[[nodiscard]] record::Counts kept_counts(const record::Run& run, const Retry& retry,
                                         const Experiments& whole = {});

/// One sentence per difference that forbids a resume without --force (processes, nodes, layout shape,
/// processor, MPI library, program major.minor, I/O file system, plan hash).
[[nodiscard]] std::vector<std::string> differences(const record::RunRecord& then,
                                                   const record::RunRecord& now);

}  // namespace steelyard::campaign
