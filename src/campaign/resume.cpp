// SPDX-License-Identifier: Apache-2.0
#include "campaign/resume.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <utility>

#include "record/json.hpp"
#include "record/whereabouts.hpp"

namespace steelyard::campaign {
namespace {

using record::Json;

bool keeps(record::Status status, const Retry& retry) {
  switch (status) {
    case record::Status::ok: return true;
    case record::Status::partial: return !retry.partial && !retry.all;
    case record::Status::skipped: return !retry.skipped && !retry.all;
    case record::Status::failed: return !retry.failed && !retry.all;
  }
  return false;
}

using KeptPoints = std::vector<const record::PointRecord*>;

/// Takes out the points of an experiment if any of them is to be measured.
void keep_whole(KeptPoints& points, const std::set<std::string>& keys) {
  const auto belongs = [&](const record::PointRecord* point) { return keys.contains(point->key); };
  if (std::ranges::count_if(points, belongs) < std::ssize(keys)) std::erase_if(points, belongs);
}

KeptPoints kept(const record::Run& run, const Retry& retry, const Experiments& whole,
                const std::set<std::string>& left_out) {
  const auto stays = [&](const record::PointRecord& point) {
    return point.status != record::Status::skipped && left_out.contains(key_of_point(point.key));
  };
  KeptPoints points;
  for (const record::PointRecord& point : run.points)
    if (keeps(point.status, retry) || stays(point)) points.push_back(&point);
  for (const auto& keys : whole) keep_whole(points, keys);
  return points;
}

/// Number of records of single groups for each key without its group.
std::map<std::string, int> records_of_groups(const std::set<std::string>& keys) {
  std::map<std::string, int> groups;
  for (const std::string& key : keys)
    if (std::string of_all = key_of_point(key); of_all != key) ++groups[std::move(of_all)];
  return groups;
}

Json member(const record::Document& document, const char* name) {
  if (!document.json().is_object()) return nullptr;
  const auto found = document.json().find(name);
  return found == document.json().end() ? Json(nullptr) : *found;
}

std::string in_words(const Json& value) {
  if (value.is_null()) return "unknown";
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// Major and minor version: "1.2" of "1.2.3".
std::string release(const Json& version) {
  const std::string text = in_words(version);
  return text.substr(0, text.find('.', text.find('.') + 1));
}

class Differences {
 public:
  void compare(const std::string& what, const Json& then, const Json& now) {
    if (then != now) found_.push_back(what + " was " + in_words(then) + ", is " + in_words(now));
  }
  /// Compares values that are too long or too cryptic to be shown.
  void compare_silently(const std::string& what, const Json& then, const Json& now) {
    if (then != now) found_.push_back(what + " differs");
  }
  std::vector<std::string> take() { return std::move(found_); }

 private:
  std::vector<std::string> found_;
};

/// Names of the hosts in their order; empty if they are not known: those of anonymous records are numbers.
std::vector<std::string> sorted_hosts(const record::RunRecord& run) {
  if (member(run.config, "anonymous") == Json(true)) return {};
  auto names = record::host_names(run);
  std::ranges::sort(names);
  return names;
}

/// Those of the names that the others lack: "lion1, lion2 and 7 more"; "fewer" if there are none.
std::string lacking(const std::vector<std::string>& names, const std::vector<std::string>& others) {
  constexpr std::size_t most = 8;
  std::vector<std::string> found;
  std::ranges::set_difference(names, others, std::back_inserter(found));
  std::string text = found.empty() ? "fewer" : "";
  for (std::size_t i = 0; i < std::min(most, found.size()); ++i) text += (i == 0 ? "" : ", ") + found[i];
  if (found.size() > most) text += " and " + std::to_string(found.size() - most) + " more";
  return text;
}

}  // namespace

void count(record::Counts& counts, record::Status status, std::optional<bool> verified, int weight) {
  switch (status) {
    case record::Status::ok: counts.ok += weight; break;
    case record::Status::partial: counts.partial += weight; break;
    case record::Status::skipped: counts.skipped += weight; break;
    case record::Status::failed: counts.failed += weight; break;
  }
  if (verified == std::optional(false)) counts.unverified += weight;
}

std::int64_t attempted(const record::Counts& counts) {
  return counts.ok + counts.partial + counts.failed;
}

int exit_code(const record::Counts& counts, std::string_view cause) {
  if (cause == "error") return attempted(counts) > 0 ? 1 : 4;
  if (!cause.empty() && cause != "budget") return 5;
  if (attempted(counts) == 0) return 4;
  return counts.failed > 0 || counts.unverified > 0 ? 1 : 0;
}

std::optional<Interrupted> open_interrupted(const std::filesystem::path& directory, const std::string& id) {
  Interrupted result;
  result.dropped_byte = record::cut_torn_line(directory);
  record::take_in_unfinished(directory);
  // Before it is read: what comes in the meantime makes it another size.
  result.read_byte = static_cast<std::int64_t>(std::filesystem::file_size(directory / "result.jsonl"));
  auto all = record::read_runs(directory, {record::RunChoice::Kind::all, {}});
  if (all.empty()) throw record::ReadError(directory.string() + ": no run to resume");
  const auto found = id.empty() ? std::prev(all.end()) : std::ranges::find(all, id, &record::Run::id);
  if (found == all.end()) return std::nullopt;
  result.run = std::move(*found);
  return result;
}

Experiments experiments(const Plan& plan) {
  Experiments whole;
  for (const suites::BlockPlan& block : plan.blocks) {
    if (!block.indivisible) continue;
    whole.emplace_back();
    for (const suites::PointPlan& point : block.points) whole.back().insert(point.key);
  }
  return whole;
}

std::set<std::string> left_out_keys(const Plan& plan) {
  std::set<std::string> keys;
  for (const suites::BlockPlan& block : plan.blocks)
    for (const suites::PointPlan& point : block.points)
      if (point.skip) keys.insert(key_of_point(point.key));
  return keys;
}

std::string key_of_point(std::string_view key) {
  const std::size_t at = key.find(";group=");
  if (at == std::string_view::npos) return std::string(key);
  const std::size_t after = std::min(key.find(';', at + 1), key.size());
  return std::string(key.substr(0, at)) + std::string(key.substr(after));
}

std::set<std::string> kept_points(std::span<const suites::BlockPlan> blocks,
                                  const std::set<std::string>& keys) {
  const auto groups = records_of_groups(keys);
  std::set<std::string> kept;
  for (const suites::BlockPlan& block : blocks)
    for (const suites::PointPlan& point : block.points) {
      const auto found = groups.find(point.key);
      const bool all_groups = found != groups.end() && found->second >= block.groups;
      if (keys.contains(point.key) || all_groups) kept.insert(point.key);
    }
  return kept;
}

std::vector<std::string> kept_keys(const record::Run& run, const Retry& retry, const Experiments& whole,
                                   const std::set<std::string>& left_out) {
  std::vector<std::string> keys;
  for (const record::PointRecord* point : kept(run, retry, whole, left_out)) keys.push_back(point->key);
  return keys;
}

record::Counts kept_counts(const record::Run& run, const Retry& retry, const Experiments& whole,
                           const std::set<std::string>& left_out) {
  record::Counts counts;
  for (const record::PointRecord* point : kept(run, retry, whole, left_out))
    count(counts, point->status, point->verified);
  return counts;
}

std::vector<record::EventRecord> standing_events(const record::Run& run, std::span<const std::string> keep) {
  constexpr auto judged_anew =
      std::to_array<std::string_view>({"slow_link", "slow_node", "two_groups", "wrong_data_node"});
  const std::set<std::string> stand(keep.begin(), keep.end());
  std::vector<record::EventRecord> events;
  for (const record::EventRecord& event : run.events) {
    const bool of_what_stands = event.key.empty() || stand.contains(event.key);
    if (of_what_stands && std::ranges::find(judged_anew, event.code) == judged_anew.end())
      events.push_back(event);
  }
  return events;
}

std::vector<std::string> differences(const record::RunRecord& then, const record::RunRecord& now) {
  Differences found;
  found.compare("the number of processes", then.processes, now.processes);
  found.compare("the number of nodes", then.nodes, now.nodes);
  found.compare_silently("the layout of ranks over nodes", member(then.layout, "ranks"),
                         member(now.layout, "ranks"));
  found.compare("the processor", member(then.machine, "processor"), member(now.machine, "processor"));
  found.compare("the MPI library", member(then.mpi, "library"), member(now.mpi, "library"));
  found.compare("the program's version", release(member(then.program, "version")),
                release(member(now.program, "version")));
  found.compare("the file system of the I/O directory", member(then.io, "type"), member(now.io, "type"));
  found.compare_silently("the plan", then.plan_hash, now.plan_hash);
  return found.take();
}

std::optional<record::EventRecord> other_hosts(const record::RunRecord& then, const record::RunRecord& now) {
  constexpr auto code = "other_hosts";
  const auto before = sorted_hosts(then), here = sorted_hosts(now);
  if (before.empty() || here.empty())
    return record::EventRecord{record::Severity::info, code,
                               "whether this session runs on the hosts of the one before is not known: their "
                               "names are not recorded"};
  if (before == here) return std::nullopt;
  return record::EventRecord{record::Severity::warning, code,
                             "this session runs on other hosts than the one before (" +
                                 lacking(here, before) + "; before: " + lacking(before, here) +
                                 "): what its points differ in may be the machines"};
}

}  // namespace steelyard::campaign
