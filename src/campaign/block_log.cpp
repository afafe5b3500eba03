// SPDX-License-Identifier: Apache-2.0
#include "campaign/block_log.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "campaign/team.hpp"

namespace steelyard::campaign {
namespace {

constexpr int most_listed_ranks = 64;

std::vector<std::vector<int>> ranks_of_groups(const suites::BlockPlan& block) {
  std::vector<std::vector<int>> groups;
  if (block.processes * block.groups > most_listed_ranks) return groups;
  for (int g = 0; g < block.groups; ++g) {
    groups.emplace_back();
    for (int i = 0; i < block.processes; ++i)
      groups.back().push_back(world_rank(block, g * block.processes + i));
  }
  return groups;
}

void keep_first_of_each(std::vector<std::string>& words) {
  std::vector<std::string> once;
  for (std::string& word : words)
    if (std::ranges::find(once, word) == once.end()) once.push_back(std::move(word));
  words = std::move(once);
}

std::optional<std::int64_t> if_known(std::int64_t bytes) {
  return bytes > 0 ? std::optional(bytes) : std::nullopt;
}

double spent_s(const measure::Outcome& outcome) {
  return outcome.timed_s + outcome.warmup_s + outcome.overhead_s;
}

}  // namespace

BlockLog::BlockLog(const suites::BlockPlan& block, const Course& course, std::vector<std::size_t> measured,
                   const PointFrame& frame, Recorder& recorder, Reporter& reporter)
    : block_(block),
      course_(course),
      measured_(std::move(measured)),
      frame_(frame),
      recorder_(recorder),
      reporter_(reporter) {
  for (const std::size_t index : measured_)
    seen_.push_back({series_of(block.points[index]), block.points[index].bytes, std::nullopt, false});
  recorder_.begin_block();
}

record::PointRecord BlockLog::base(const suites::PointPlan& point) const {
  record::PointRecord record;
  record.key = point.key;
  record.suite = block_.suite;
  record.benchmark = block_.benchmark;
  record.processes = block_.processes;
  record.threads = frame_.threads;
  record.groups = block_.groups;
  record.group_ranks = ranks_of_groups(block_);
  record.params = point.params;
  return record;
}

record::PointRecord BlockLog::skipped(const suites::PointPlan& point) const {
  record::PointRecord record = base(point);
  record.status = record::Status::skipped;
  record::Reason reason;
  reason.code = *point.skip;
  reason.text = point.skip_text.empty() ? text(reason.code) : point.skip_text;
  reason.needed_byte = if_known(point.needed_byte);
  reason.available_byte = if_known(point.available_byte);
  record.reason = std::move(reason);
  return record;
}

void BlockLog::skip_until(std::size_t point) {
  for (; next_skipped_ < point; ++next_skipped_) {
    const suites::PointPlan& plan = block_.points[next_skipped_];
    if (!plan.skip || course_.kept(plan)) continue;
    if (recorder_.point(skipped(plan))) ++recorded_;
  }
}

record::PointRecord BlockLog::frame(const suites::PointPlan& point, const measure::Outcome& outcome,
                                    int tries) const {
  record::PointRecord record = base(point);
  record.status = outcome.status;
  record.reason = outcome.reason;
  if (record.reason && record.reason->rank && frame_.layout != nullptr)
    record.reason->host = frame_.layout->host_of(*record.reason->rank);
  record.schedule = outcome.schedule;
  record.schedule->tries = tries;
  record.states = outcome.states;
  record.check = outcome.check;
  if (outcome.check) record.verified = outcome.check->errors == 0;
  record.disturbed_share = outcome.disturbed_share;
  record.preempted_s = outcome.preempted_s;
  record.late_share = outcome.late_share;
  record.flags = outcome.flags;
  if (frame_.oversubscribed) record.flags.emplace_back("oversubscribed");
  if (!point.doubt.empty()) {
    record.flags.emplace_back("not_representative");
    record.classic.emplace_back("condition", point.doubt);
  }
  if (!point.expectation.empty()) record.classic.emplace_back("expectation", point.expectation);
  record.slowest_rank = world_rank(block_, outcome.classic.slowest_rank);
  return record;
}

std::vector<record::PointRecord> BlockLog::records_of(std::size_t task, const measure::Outcome& outcome,
                                                      suites::Session& session, int tries) const {
  record::PointRecord record = frame(point_of(task), outcome, tries);
  if (outcome.status == record::Status::failed && record.reason)
    record.reason->text += session.advice(*record.reason);
  if (outcome.status == record::Status::failed || outcome.status == record::Status::skipped) return {record};
  try {
    auto records = session.records(measured_[task], outcome, record);
    for (record::PointRecord& one : records) {
      keep_first_of_each(one.flags);
      if (one.slowest_rank && frame_.layout != nullptr)
        one.slowest_host = frame_.layout->host_of(*one.slowest_rank);
    }
    return records;
  } catch (const std::exception& error) {
    record.status = record::Status::failed;
    record.reason = record::Reason{record::ReasonCode::internal, error.what(), {}, {}, {}, {}, {}, {}};
    return {record};
  }
}

void BlockLog::remember(std::size_t task, const record::PointRecord& record) {
  Measured& seen = seen_[task];
  seen.noisy = std::ranges::find(record.flags, "noisy") != record.flags.end();
  seen.time_s.reset();
  for (const auto& [name, metric] : record.metrics)
    if (const auto* time = std::get_if<record::Statistics>(&metric); name == "time_s" && time != nullptr)
      seen.time_s = time->median;
}

void BlockLog::finished(std::size_t task, const measure::Outcome& outcome, suites::Session& session,
                        int tries, double elapsed_s) {
  if (tries == 1) skip_until(measured_[task]);
  const auto records = records_of(task, outcome, session, tries);
  if (records.empty()) return;
  bool recorded = true;
  for (const record::PointRecord& record : records) recorded = recorder_.point(record) && recorded;
  remember(task, records.front());
  if (tries > 1) return;
  if (recorded) ++recorded_;
  reporter_.point_ends(block_, point_of(task), records.front(), spent_s(outcome), elapsed_s);
}

void BlockLog::keep(std::span<const SoFar> tasks, suites::Session& session, int tries) {
  std::vector<record::PointRecord> points;
  for (const auto& [task, outcome] : tasks)
    for (record::PointRecord& record : records_of(task, *outcome, session, tries))
      points.push_back(std::move(record));
  recorder_.unfinished(std::move(points));
}

void BlockLog::failed(std::span<const std::size_t> tasks, const record::Reason& reason, double elapsed_s) {
  for (const std::size_t task : tasks) {
    skip_until(measured_[task]);
    record::PointRecord record = base(point_of(task));
    record.status = record::Status::failed;
    record.reason = reason;
    if (recorder_.point(record)) ++recorded_;
    reporter_.point_ends(block_, point_of(task), record, course_.expected_s(point_of(task)), elapsed_s);
  }
}

void BlockLog::failed_in_flight(std::optional<std::size_t> task, const record::Reason& reason,
                                double elapsed_s) {
  std::vector<std::size_t> tasks;
  for (std::size_t one = 0; one < measured_.size(); ++one)
    if (const bool all = !task || block_.indivisible;
        (all || one == *task) && !recorder_.has(point_of(one).key))
      tasks.push_back(one);
  failed(tasks, reason, elapsed_s);
}

void BlockLog::keep_all_but(std::span<const std::size_t> tasks, suites::BlockPlan& block) const {
  for (std::size_t one = 0; one < measured_.size(); ++one)
    if (std::ranges::find(tasks, one) == tasks.end()) block.points[measured_[one]].kept = true;
}

void BlockLog::tell_confirmed() {
  for (const std::size_t task : suspects()) {
    const std::string& key = point_of(task).key;
    recorder_.event(
        {record::Severity::info, "outlier_confirmed", key + " stays off its neighbours", key, {}});
  }
}

void BlockLog::close() {
  skip_until(block_.points.size());
}

}  // namespace steelyard::campaign
