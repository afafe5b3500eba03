// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "record/appender.hpp"
#include "record/records.hpp"

/// DIR/unfinished.jsonl: points of the session in flight that have no record in the result file yet, as they are so
/// far. Replaced as a whole now and then, removed when all its points have their records. Internal to this folder.
namespace steelyard::record::detail {

[[nodiscard]] std::filesystem::path unfinished_file(const std::filesystem::path& directory);
/// Whether there is such a file; a pipe or a directory of its name is none of ours.
[[nodiscard]] bool has_unfinished(const std::filesystem::path& directory);

/// Replaces the file in one step, also for readers and kills; if that fails the earlier one stays. Without
/// points it is removed.
void replace_unfinished(const std::filesystem::path& directory, const std::vector<Record>& points);

/// Finder of the unfinished points that still count, while the result file is read: those of its last session
/// without a record of that session.
class UnfinishedPoints {
 public:
  explicit UnfinishedPoints(const std::filesystem::path& directory);
  void saw(const Record& record);
  /// Points in the order of the plan, numbered on from the records that were seen.
  [[nodiscard]] std::vector<Record> take() &&;

 private:
  std::vector<Record> points_;
  std::string run_;
  int session_ = 0;
  std::map<std::string, std::int64_t, std::less<>> next_seq_;  // by run
  std::set<std::string, std::less<>> recorded_;
};

/// Appends the points to the result file and removes their own.
void take_in_unfinished(const std::filesystem::path& directory, Appender& into);

}  // namespace steelyard::record::detail
