// SPDX-License-Identifier: Apache-2.0
#include "analysis/history/entries.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "analysis/comparison/comparison.hpp"
#include "units/utc.hpp"

namespace steelyard::history {
namespace {

std::string context_of(const record::RunRecord& head, const std::vector<std::string>& by) {
  std::string text = head.name + ", " + std::to_string(head.processes) + " processes";
  for (const auto& aspect : comparison::layout_of(head))
    if (aspect.name != "ranks on nodes" || head.nodes > 1)
      text += ", " + aspect.name + ' ' + (aspect.value.empty() ? "unknown" : aspect.value);
  for (const std::string& name : by) text += ", " + name + ' ' + comparison::run_word(head, name);
  return text;
}

bool alike(const RunColumns& a, const RunColumns& b) {
  return a.columns.size() == b.columns.size() &&
         std::ranges::equal(a.columns, b.columns, [](const Column& x, const Column& y) {
           return x.key == y.key && x.value == y.value;
         });
}

/// Whether only the file has a date: when a text was copied last says nothing of when it was measured.
bool has_only_date_of_file(const record::RunRecord& head) {
  const std::string from = record::text_in(head.imported.json(), "started_from");
  return from == "file_time" || from == "unknown";
}

}  // namespace

std::optional<std::int64_t> day_of(std::string_view utc) {
  constexpr std::chrono::sys_days first{std::chrono::year{1995} / 1 / 1},
      end{std::chrono::year{2100} / 1 / 1};
  const auto moment = units::utc_moment(utc);
  if (!moment || *moment < first || *moment >= end) return std::nullopt;
  return std::chrono::floor<std::chrono::days>(*moment).time_since_epoch().count();
}

void drop_repeats(std::vector<RunColumns>& runs, History& history) {
  std::map<std::string, std::size_t> first;
  std::set<std::string> refused;
  std::vector<bool> dropped(runs.size(), false);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto [found, is_new] = first.try_emplace(runs[i].id, i);
    if (is_new) continue;
    dropped[i] = true;
    if (!alike(runs[i], runs[found->second])) refused.insert(runs[i].id);
  }
  std::vector<RunColumns> kept;
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (!dropped[i] && !refused.contains(runs[i].id)) kept.push_back(std::move(runs[i]));
  runs = std::move(kept);
  history.conflicts.assign(refused.begin(), refused.end());
}

void order(std::vector<RunColumns>& runs, History& history) {
  const auto today = day_of(history.options.now);  // clocks differ by a zone at most
  history.undated = static_cast<std::size_t>(std::erase_if(runs, [&](const RunColumns& run) {
    const auto day = day_of(run.head.started_utc);
    return !day || (today && *day > *today + 1) || has_only_date_of_file(run.head);
  }));
  std::ranges::sort(runs, {}, [](const RunColumns& run) { return std::pair(run.head.started_utc, run.id); });
  history.runs = runs.size();
}

std::vector<std::size_t> make_entries(const std::vector<RunColumns>& runs, History& history) {
  std::vector<std::size_t> entry_of(runs.size());
  std::map<std::string, std::size_t> last;
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (!runs[i].head.series.empty()) last[runs[i].head.series] = i;
  std::map<std::string, std::vector<std::size_t>> waiting;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::string& series = runs[i].head.series;
    std::vector<std::size_t> members{i};
    if (!series.empty()) {
      waiting[series].push_back(i);
      if (last[series] != i) continue;
      members = waiting[series];
    }
    Entry entry;
    for (const std::size_t member : members) {
      entry.runs.push_back(runs[member].id);
      entry_of[member] = history.entries.size();
    }
    entry.source = runs[i].source;
    entry.head = runs[i].head;
    entry.started = entry.head.started_utc;
    entry.context = context_of(entry.head, history.options.by);
    history.entries.push_back(std::move(entry));
  }
  return entry_of;
}

std::size_t place_of_since(const History& history) {
  const std::string& since = history.options.since;
  if (since.empty() || since == "last") return 0;
  if (const auto day = day_of(since)) {
    const auto found =
        std::ranges::find_if(history.entries, [&](const Entry& one) { return *day_of(one.started) >= *day; });
    return static_cast<std::size_t>(found - history.entries.begin());
  }
  for (std::size_t i = 0; i < history.entries.size(); ++i) {
    const Entry& one = history.entries[i];
    if (std::ranges::find(one.runs, since) != one.runs.end()) return i;
    for (const auto& [name, value] : one.head.labels)
      if (name + '=' + value == since || value == since) return i;
  }
  throw UnknownSince("'" + since + "' is no date, no run and no label of these runs");
}

}  // namespace steelyard::history
