// SPDX-License-Identifier: Apache-2.0
#include "input/runs.hpp"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <set>
#include <system_error>

#include "input/balance_input.hpp"
#include "input/foreign_input.hpp"
#include "input/text_file.hpp"
#include "process/errors.hpp"
#include "record/point_view.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

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

using acceptance::Launch;

/// Adds the runs of a text of another program. A Summary of HPC Challenge has figures, no points.
void add_texts(const std::string& file, const Values& values, std::vector<Launch>& launches) {
  const DescribedFile told = description_of(values, file);
  BalanceInput input = read_balance_input(file, record::parse_run_choice("last"), "hpcc", told);
  const auto hash = provenance_of(input).sha256;
  auto runs = foreign_runs(file, told);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const bool figures = has_figures_alone(runs[i]);
    Launch launch{file, hash, figures ? figures_of(std::move(runs[i])) : std::move(runs[i]), {}, {}, true};
    if (i < input.systems.size()) launch.system = std::move(input.systems[i]);
    if (figures) launch.hpcc = launch.run.points;
    launches.push_back(std::move(launch));
  }
}

/// Ids of the runs of the last series.
std::set<std::string> last_series_of(const std::vector<record::Run>& runs) {
  std::set<std::string> ids;
  for (const record::Run& run : record::last_with_its_launches(runs)) ids.insert(run.id);
  return ids;
}

void add_records(const std::string& file, const std::string& which, std::vector<Launch>& launches) {
  const bool last = which == "last";
  BalanceInput input = read_balance_input(file, record::parse_run_choice(last ? "all" : which));
  if (input.runs.empty()) throw record::ReadError(file + ": holds no run");
  const auto hash = provenance_of(input).sha256;
  const auto wanted = last ? last_series_of(input.runs) : std::set<std::string>();
  for (std::size_t i = 0; i < input.runs.size(); ++i) {
    if (last && !wanted.contains(input.runs[i].id)) continue;
    const bool imported = !input.runs[i].head.imported.empty();
    Launch launch{file, hash, std::move(input.runs[i]), std::move(input.systems[i]), {}, imported};
    launch.hpcc = figures_of(launch.run).points;
    launches.push_back(std::move(launch));
  }
}

bool is_there(const std::string& name) {
  std::error_code ignored;
  return std::filesystem::exists(name, ignored);
}

/// End of the name that begins at `at` in a list with commas: of the shortest one that is there, else the next comma.
std::size_t end_of_name(const std::string& list, std::size_t at) {
  const std::size_t comma = std::min(list.find(',', at), list.size());
  for (std::size_t end = comma;; end = std::min(list.find(',', end + 1), list.size())) {
    if (is_there(list.substr(at, end - at))) return end;
    if (end == list.size()) return comma;
  }
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
  if (run.end && run.end->status == "complete") return true;
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

std::string identity_of(const record::Run& run) {
  const std::size_t dash = run.id.find('-');  // before it: the time, which may be that of the file
  return run.head.imported.empty() || dash == std::string::npos ? run.id : run.id.substr(dash + 1);
}

void refuse_repeated(const std::vector<Launch>& launches) {
  std::set<std::string> known;
  for (const Launch& one : launches)
    if (!known.insert(identity_of(one.run)).second)
      throw UsageError("'" + one.source + "': run " + one.run.id + " is given twice: that is one launch");
}

std::vector<std::string> comma_parts(const std::string& list) {
  if (is_there(list)) return {list};
  std::vector<std::string> names;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = end_of_name(list, at);
    if (end > at) names.push_back(list.substr(at, end - at));
    at = end + 1;
  }
  return names;
}

std::vector<Launch> read_launches(const std::string& list, const std::string& which, const Values& values) {
  std::vector<Launch> launches;
  for (const std::string& file : comma_parts(list)) {
    hold_input(file);
    if (is_foreign_file(file))
      add_texts(file, values, launches);
    else
      add_records(file, which, launches);
  }
  return launches;
}

}  // namespace steelyard::cli
