// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "record/file.hpp"
#include "record/records.hpp"

namespace steelyard::campaign {

/// Findings from tables, besides summaries.
struct Findings {
  std::vector<record::TableRecord> tables;
  std::vector<record::EventRecord> events;
  std::set<std::string> verdicts = {};  // words of screening::Screening::found
};

/// Collector of points and tables, from which the summaries of a run are made when it ends. Rank 0. Only
/// suites that have a summary are collected: O(their points) memory.
class Summaries {
 public:
  void run(const record::RunRecord& run) { head_ = run; }
  /// Collects a point; the later record of a key replaces the earlier one.
  void point(const record::PointRecord& point);
  /// Collects a table of a suite whose tables are judged.
  void table(const record::TableRecord& table);
  [[nodiscard]] Findings findings() const;
  /// Summaries in the order of the suites. From the records alone: the same numbers as from the result file.
  [[nodiscard]] std::vector<record::SummaryRecord> make() const;

 private:
  struct Collected {
    std::vector<record::PointRecord> points;
    std::map<std::string, std::size_t> position;  // by key
  };
  [[nodiscard]] record::Run screened() const;

  record::RunRecord head_;
  std::map<std::string, Collected> suites_;
  std::vector<record::TableRecord> tables_;
};

}  // namespace steelyard::campaign
