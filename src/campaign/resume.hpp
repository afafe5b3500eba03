// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/plan.hpp"
#include "record/file.hpp"
#include "record/records.hpp"

namespace steelyard::campaign {

/// Adds one point to the counts by status; a wrong verification counts besides. `weight` -1 takes it out again.
void count(record::Counts& counts, record::Status status, std::optional<bool> verified, int weight = 1);

/// Number of points that were attempted.
[[nodiscard]] std::int64_t attempted(const record::Counts& counts);

/// Exit code of a campaign. 5: stopped in order by a signal, the stop file or the deadline; 1: records could
/// not be written, a point failed or a verification was wrong, or 4 if nothing was attempted; 4: everything
/// skipped; else 0. A spent budget is no failure: the campaign took the time that it was given. `cause` is
/// that of the end record.
[[nodiscard]] int exit_code(const record::Counts& counts, std::string_view cause);

/// Points that a resume measures again besides the missing ones.
struct Retry {
  bool failed = true, partial = true, skipped = false, all = false;
};

/// Run of DIR, its torn line cut off and its unfinished points taken in.
struct Interrupted {
  record::Run run;
  std::int64_t dropped_byte = 0;
  std::int64_t read_byte = 0;  // size of the file that holds it
};
/// Run of that id, nullopt if DIR does not hold it; without an id the last run. Throws record::ReadError.
[[nodiscard]] std::optional<Interrupted> open_interrupted(const std::filesystem::path& directory,
                                                          const std::string& id = {});

/// Keys of each block that is one experiment: kept if all of its points are, else measured again as a whole.
using Experiments = std::vector<std::set<std::string>>;
[[nodiscard]] Experiments experiments(const Plan& plan);

/// Keys of points that the plan leaves out (key_of_point).
[[nodiscard]] std::set<std::string> left_out_keys(const Plan& plan);

/// Key of the point that a record belongs to, which may be that of a single group (member group of its key).
[[nodiscard]] std::string key_of_point(std::string_view key);

/// Keys of the points of these blocks for which records with such keys stand: of a point with a record per group those
/// of all groups.
[[nodiscard]] std::set<std::string> kept_points(std::span<const suites::BlockPlan> blocks,
                                                const std::set<std::string>& keys);

/// Keys of points that are kept. What was found of points that are now `left_out` stays, whatever it is: it
/// would have to give way to a record that tells nothing.
[[nodiscard]] std::vector<std::string> kept_keys(const record::Run& run, const Retry& retry,
                                                 const Experiments& whole = {},
                                                 const std::set<std::string>& left_out = {});

/// Number of kept points of each status; ResumeState::kept.
[[nodiscard]] record::Counts kept_counts(const record::Run& run, const Retry& retry,
                                         const Experiments& whole = {},
                                         const std::set<std::string>& left_out = {});

/// Events of earlier sessions that still hold where the points `keep` (kept_keys) stand: none of points that are measured
/// again, and none of findings of a screening, which are judged anew from all points.
[[nodiscard]] std::vector<record::EventRecord> standing_events(const record::Run& run,
                                                               std::span<const std::string> keep);

/// One sentence per difference that forbids a resume without --force (processes, nodes, layout shape,
/// processor, MPI library, program major.minor, I/O file system, plan hash).
[[nodiscard]] std::vector<std::string> differences(const record::RunRecord& then,
                                                   const record::RunRecord& now);

/// Warning that a session does not run on the hosts of the one before; a remark where that cannot be told, because one
/// of them is anonymous or too large for the names. nullopt if they are the same, in whatever order.
[[nodiscard]] std::optional<record::EventRecord> other_hosts(const record::RunRecord& then,
                                                             const record::RunRecord& now);

}  // namespace steelyard::campaign
