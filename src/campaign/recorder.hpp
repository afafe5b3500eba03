// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "campaign/runner.hpp"

namespace steelyard::campaign {

/// Hands records to the result file and the texts, and counts them. Rank 0. Nothing here throws for a file
/// that cannot be written: one message, then failed().
class Recorder {
 public:
  Recorder(const Outputs& outputs, record::Counts kept);

  void run(const record::RunRecord& run);
  void event(const record::EventRecord& event);
  /// The later record of a key within a block replaces the earlier one in the counts. A number that is not
  /// finite makes the point failed.
  void point(const record::PointRecord& point);
  void end(const record::EndRecord& end);

  /// Keys of the block before are forgotten.
  void begin_block() { of_block_.clear(); }
  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] const record::Counts& counts() const { return counts_; }

 private:
  void write(const record::Body& body);
  [[nodiscard]] std::optional<std::string> objection(const record::Body& body);
  void announce(const std::string& what);
  void tally(const record::PointRecord& point);
  void tell_about(const record::PointRecord& point);
  template <class Member, class Record>
  void texts(Member member, const Record& record);

  const Outputs& outputs_;
  record::Counts counts_;
  std::map<std::string, std::pair<record::Status, std::optional<bool>>> of_block_;
  bool failed_ = false;
};

}  // namespace steelyard::campaign
