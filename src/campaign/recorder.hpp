// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "campaign/runner.hpp"
#include "machine/privacy.hpp"
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

/// Recorder of a run: hands records to the result file and the texts, and counts them. Rank 0. Nothing here
/// throws for a file that cannot be written: one message, then failed(). Under --anonymous names and paths
/// are replaced here, in all records. The watchdog's thread may call it at the same time as the main thread.
class Recorder {
 public:
  /// `earlier`: points of earlier sessions, which count until they are replaced. `earlier_events`: events of these sessions
  /// that still hold.
  Recorder(const Outputs& outputs, bool anonymous, std::span<const record::PointRecord> earlier = {},
           std::span<const record::EventRecord> earlier_events = {});

  void run(record::RunRecord run);
  void event(record::EventRecord event);
  /// Records a point. The later record of a key within a block replaces the earlier one in the counts. A
  /// number that is not finite makes the point failed. Returns false if there is no record of it because the
  /// file cannot be written.
  bool point(record::PointRecord point);
  /// Records a table, a result beside points. It contains no names: hosts and processes are numbers.
  void table(const record::TableRecord& table);
  /// Keeps points without a record as they are so far; empty: all of them have a record now.
  void unfinished(std::vector<record::PointRecord> points);
  /// Writes the summaries of points and tables.
  void summaries();
  void end(record::EndRecord end);

  /// Begins a block: forgets the keys of the one before.
  void begin_block();
  /// True if there is a record of the point with this key in this block, or of one of its groups.
  [[nodiscard]] bool has(const std::string& key) const;
  /// Lock under which no other thread writes anything.
  using Alone = std::unique_lock<std::recursive_mutex>;
  [[nodiscard]] Alone alone() { return Alone(mutex_); }
  [[nodiscard]] bool failed() const { return failed_; }
  /// True if a stop cut a point of this session short.
  [[nodiscard]] bool interrupted() const { return interrupted_; }
  [[nodiscard]] const record::Counts& counts() const { return counts_; }
  /// True if a screening found what this word says of nodes or links, once there are summaries.
  [[nodiscard]] bool has_verdict(const std::string& word) const { return verdicts_.contains(word); }
  /// Warnings of the run so far, those of earlier sessions among them.
  [[nodiscard]] const analysis::Warnings& warnings() const { return warnings_; }

 private:
  void write(const record::Body& body);
  [[nodiscard]] std::optional<std::string> objection(const record::Body& body);
  void announce(const std::string& what);
  void tally(const record::PointRecord& point);
  void take_out(const std::string& key);
  void tell_about(const record::PointRecord& point);
  template <class Member, class Record>
  void texts(Member member, const Record& record);

  std::recursive_mutex mutex_;
  const Outputs& outputs_;
  bool anonymous_;
  std::optional<machine::Anonymous> hide_;  // from the run record on
  record::Counts counts_;
  using Counted = std::pair<record::Status, std::optional<bool>>;
  std::map<std::string, Counted> of_block_;
  std::unordered_map<std::string, Counted> of_sessions_;  // before this one, not replaced so far
  Summaries summaries_;
  analysis::Warnings warnings_;
  std::set<std::string> verdicts_;
  bool failed_ = false;
  bool interrupted_ = false;
};

}  // namespace steelyard::campaign
