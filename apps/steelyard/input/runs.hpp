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

#include "record/file.hpp"

/// Helpers of the exports for the runs of a file.
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

}  // namespace steelyard::cli
