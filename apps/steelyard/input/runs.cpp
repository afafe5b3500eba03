// SPDX-License-Identifier: Apache-2.0
#include "input/runs.hpp"

#include <algorithm>
#include <iostream>

#include "process/errors.hpp"
#include "record/point_view.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

bool is_complete(const record::Run& run) {
  return run.end && run.end->status == "complete";
}

/// Whether a record is the first of its plan point; further ones are those of its other groups.
bool is_first_of_its_point(const record::PointRecord& point) {
  return record::whole_of(record::find(point.params, "group")).value_or(0) == 0;
}

bool is_finished(const record::PointRecord& point) {
  return !point.reason || point.reason->code != record::ReasonCode::interrupted;
}

void tell_of_damaged_lines(const record::FileContent& content) {
  if (content.damaged_lines == 0) return;
  std::cerr << "steelyard: warning: " << content.first_damage;
  if (content.damaged_lines > 1)
    std::cerr << "; " << units::counted(std::size_t(content.damaged_lines), "such line") << " are left out"
              << std::endl;
  else
    std::cerr << "; that line is left out" << std::endl;
}

}  // namespace

void tell_of_lost_lines(const std::string& input, const record::FileContent& content) {
  tell_of_damaged_lines(content);
  if (content.torn_bytes > 0)
    std::cerr << "steelyard: warning: " << input << ": the last line is cut off after " << content.torn_bytes
              << " bytes, as by a killed run; that record is left out" << std::endl;
}

std::vector<record::Run> read_and_tell(const std::string& input, const record::RunChoice& choice) {
  record::FileContent content;
  auto runs = record::read_runs(input, choice, &content);
  tell_of_lost_lines(input, content);
  return runs;
}

const record::Run& one_run(std::span<const record::Run> runs, std::string_view what) {
  if (runs.size() != 1)
    throw UsageError(std::string(what) + " are of one run, not of " + std::to_string(runs.size()),
                     "--run last, first or an id chooses one");
  return runs.front();
}

void PointCounts::add(const record::PointRecord& point) {
  auto found = suites_.find(point.suite);
  if (found == suites_.end()) found = suites_.emplace(point.suite, Counts{}).first;
  Counts& counts = found->second;
  counts.finished += is_first_of_its_point(point) && is_finished(point) ? 1 : 0;
  counts.failed += point.status == record::Status::failed ? 1 : 0;
  counts.unverified += point.verified == false ? 1 : 0;
}

bool PointCounts::is_whole(const record::Run& run, std::string_view suite) const {
  using Entry = std::pair<std::string, std::int64_t>;
  if (is_complete(run)) return true;
  const auto planned = std::ranges::find(run.head.plan_suites, suite, &Entry::first);
  if (planned == run.head.plan_suites.end()) return false;
  const auto found = suites_.find(suite);
  return (found == suites_.end() ? 0 : found->second.finished) >= planned->second;
}

std::optional<record::EndRecord> PointCounts::end_of(const record::Run& run,
                                                     const std::set<std::string, std::less<>>& suites) const {
  if (!std::ranges::all_of(suites, [&](const std::string& suite) { return is_whole(run, suite); }))
    return run.end;
  record::EndRecord end = run.end.value_or(record::EndRecord{});
  end.status = "complete";
  end.cause.clear();
  end.points.failed = end.points.unverified = 0;
  for (const auto& [suite, counts] : suites_) {
    if (!suites.contains(suite)) continue;
    end.points.failed += counts.failed;
    end.points.unverified += counts.unverified;
  }
  return end;
}

bool is_whole(const record::Run& run, std::string_view suite) {
  return PointCounts(run.points).is_whole(run, suite);
}

std::optional<record::EndRecord> end_of(const record::Run& run,
                                        const std::set<std::string, std::less<>>& suites) {
  return PointCounts(run.points).end_of(run, suites);
}

}  // namespace steelyard::cli
