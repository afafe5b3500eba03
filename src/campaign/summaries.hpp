// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "record/records.hpp"

namespace steelyard::campaign {

/// Collects what the summaries of a run are made of and makes them when it ends. Rank 0. Only suites that
/// have a summary are collected: O(their points) memory.
class Summaries {
 public:
  void run(const record::RunRecord& run) { head_ = run; }
  /// The later record of a key replaces the earlier one.
  void point(const record::PointRecord& point);
  /// In the order of the suites. From the records alone: the same numbers as from the result file.
  [[nodiscard]] std::vector<record::SummaryRecord> make() const;

 private:
  struct Collected {
    std::vector<record::PointRecord> points;
    std::map<std::string, std::size_t> position;  // by key
  };
  record::RunRecord head_;
  std::map<std::string, Collected> suites_;
};

}  // namespace steelyard::campaign
