// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/acceptance/figures.hpp"
#include "options/values.hpp"
#include "record/file.hpp"

/// Runs of the files that a command is given: the chosen ones, those of one text, and lists of launches.
namespace steelyard::cli {

/// Warns on standard error if a kill has torn the last line of a file, and if other lines are damaged.
void tell_of_lost_lines(const std::string& input, const record::FileContent& content);
/// The chosen runs of a file of records, with these warnings.
[[nodiscard]] std::vector<record::Run> read_and_tell(const std::string& input,
                                                     const record::RunChoice& choice);

/// The only run. Throws UsageError for another number of runs; `what`: what is of one run ("the files of b_eff").
[[nodiscard]] const record::Run& one_run(std::span<const record::Run> runs, std::string_view what);

/// Counts of the points of a run, which are added one by one.
class PointCounts {
 public:
  PointCounts() = default;
  explicit PointCounts(std::span<const record::PointRecord> points) {
    for (const record::PointRecord& point : points) add(point);
  }
  void add(const record::PointRecord& point);

  // As the functions of these names below, of a run whose points were added.
  [[nodiscard]] bool is_whole(const record::Run& run, std::string_view suite) const;
  [[nodiscard]] std::optional<record::EndRecord> end_of(
      const record::Run& run, const std::set<std::string, std::less<>>& suites) const;

 private:
  struct Counts {
    std::int64_t finished = 0;  // plan points, measured or with the reason why not
    std::int64_t failed = 0, unverified = 0;
  };
  std::map<std::string, Counts, std::less<>> suites_;
};

/// Whether the records have every point that the plan has of a suite, measured or with the reason why not: a
/// budget, a signal or a stop file may have ended the run later. For runs that do not tell the points of each
/// suite: whether the run is complete.
[[nodiscard]] bool is_whole(const record::Run& run, std::string_view suite);

/// End record of a run as a text about some of its suites tells it: complete if they are whole, with the failures of
/// their points alone, else the run's own. nullopt if the run was cut off before they were whole.
[[nodiscard]] std::optional<record::EndRecord> end_of(const record::Run& run,
                                                      const std::set<std::string, std::less<>>& suites);

// Results as lists of launches.

/// Launches of inputs that are joined by commas. `which`: last (with the launches of its series), first, all, or the id
/// of a run. `values`: what the user says of texts of other programs. Throws record::ReadError.
[[nodiscard]] std::vector<acceptance::Launch> read_launches(const std::string& list, const std::string& which,
                                                            const Values& values);

/// Identity of a run, equal for the same measurement in two files: of a text its digest and the place
/// in it; of ours the run's id.
[[nodiscard]] std::string identity_of(const record::Run& run);

/// Throws UsageError if a measurement is there twice: that is one launch, and would count as two.
void refuse_repeated(const std::vector<acceptance::Launch>& launches);

/// Names of files and folders that are joined by commas. What is there with its commas is one name: the list as a whole,
/// else at each place the shortest.
[[nodiscard]] std::vector<std::string> comma_parts(const std::string& list);

}  // namespace steelyard::cli
