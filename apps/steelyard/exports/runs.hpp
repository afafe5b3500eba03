// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "record/file.hpp"

/// What the exports ask of the runs of a file.
namespace steelyard::cli {

/// A warning where a kill has torn the last line of a file, and one where other lines are damaged.
void tell_of_lost_lines(const std::string& input, const record::FileContent& content);
/// The damaged ones alone: nobody's kill leaves them.
void tell_of_damaged_lines(const record::FileContent& content);
/// The chosen runs of a file of records, with these warnings.
[[nodiscard]] std::vector<record::Run> read_and_tell(const std::string& input,
                                                     const record::RunChoice& choice);

/// The only one. Throws UsageError for another number of runs; `what`: what is of one run ("the files of
/// b_eff").
[[nodiscard]] const record::Run& one_run(std::span<const record::Run> runs, const std::string& what);

/// Words with commas between them.
[[nodiscard]] std::string listed(const std::vector<std::string>& words);

/// Whether the records have every point that the plan has of a suite, measured or with the reason why not: a
/// budget, a signal or a stop file may have ended the run later. For runs that do not tell the points of each
/// suite: whether the run is complete.
[[nodiscard]] bool is_whole(const record::Run& run, std::string_view suite);

/// The end of a run as a text about some of its suites tells it: complete where they are whole, with the
/// failures of their points alone. Nothing where the run was cut off before they were whole.
[[nodiscard]] std::optional<record::EndRecord> end_of(const record::Run& run,
                                                      const std::set<std::string, std::less<>>& suites);

}  // namespace steelyard::cli
