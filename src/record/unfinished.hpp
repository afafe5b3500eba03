// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "record/appender.hpp"
#include "record/records.hpp"

/// DIR/unfinished.jsonl: points of the session in flight that have no record in the result file yet, as they
/// are so far. Replaced as a whole now and then, gone when everything in it has its record. Of this room
/// alone.
namespace steelyard::record::detail {

[[nodiscard]] std::filesystem::path unfinished_file(const std::filesystem::path& directory);

/// One step for whoever looks or kills; where that fails the earlier one stays. Without points it is removed.
void replace_unfinished(const std::filesystem::path& directory, const std::vector<Record>& points);

/// Finds out, while the result file is read, which unfinished points still count: those of its last session
/// without a record of that session.
class UnfinishedPoints {
 public:
  explicit UnfinishedPoints(const std::filesystem::path& directory);
  void saw(const Record& record);
  /// In the order of the plan, numbered on from what was seen.
  [[nodiscard]] std::vector<Record> take() &&;

 private:
  std::vector<Record> points_;
  std::string run_;
  int session_ = 0;
  std::map<std::string, std::int64_t, std::less<>> next_seq_;  // by run
  std::set<std::string, std::less<>> recorded_;
};

/// Appends them to the result file and removes their own.
void take_in_unfinished(const std::filesystem::path& directory, Appender& into);

}  // namespace steelyard::record::detail
