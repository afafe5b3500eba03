// SPDX-License-Identifier: Apache-2.0
#include "analysis/history/entries.hpp"

#include <algorithm>
#include <chrono>
#include <set>

#include "analysis/comparison/comparison.hpp"
#include "record/json.hpp"
#include "units/text.hpp"

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

std::string hosts_of(const record::RunRecord& head) {
  const auto& layout = head.layout.json();
  return layout.is_object() && layout.contains("hosts") ? layout["hosts"].dump() : "";
}

std::string shortened(const std::string& text) {
  const std::string head = text.substr(0, text.find(','));
  return head.empty() ? "unknown" : head;
}

using NameSet = std::set<std::string, std::less<>>;

/// "suite/benchmark;name=value;... metric" in its parts.
struct KeyParts {
  std::string_view benchmark, metric;
  std::vector<std::string_view> params;
};

KeyParts parts_of_key(std::string_view key) {
  KeyParts parts;
  const std::size_t blank = key.rfind(' ');
  parts.metric = key.substr(std::min(blank, key.size()));
  const std::string_view words = key.substr(0, blank);
  for (std::size_t at = 0; at <= words.size();) {
    const std::size_t end = std::min(words.find(';', at), words.size());
    if (at == 0)
      parts.benchmark = words.substr(0, end);
    else
      parts.params.push_back(words.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

std::string_view name_in(std::string_view param) {
  return param.substr(0, param.find('='));
}

NameSet unknown_in(const KeyParts& parts) {
  NameSet names;
  for (const std::string_view param : parts.params)
    if (param.ends_with("=?")) names.emplace(name_in(param));
  return names;
}

/// The key without these parameters.
std::string key_without(const KeyParts& parts, const NameSet& names) {
  std::string key(parts.benchmark);
  for (const std::string_view param : parts.params)
    if (!names.contains(name_in(param))) key.append(";").append(param);
  return key.append(parts.metric);
}

/// Keys that our runs have, and the definitions of those that texts of other programs have.
struct SeenKeys {
  std::vector<bool> own;
  std::vector<Statistic> imported;  // other: not of a text, or nothing that ours could continue

  SeenKeys(std::size_t count, const std::vector<RunColumns>& runs)
      : own(count, false), imported(count, Statistic::other) {
    for (const RunColumns& run : runs)
      for (const Column& column : run.columns)
        if (column.statistic == Statistic::own)
          own[column.key] = true;
        else
          imported[column.key] = column.statistic;
  }
};

/// Our keys of the benchmarks that the texts have.
std::map<std::string_view, std::vector<std::uint32_t>> own_keys(const Keys& keys, const SeenKeys& seen) {
  std::map<std::string_view, std::vector<std::uint32_t>> found;
  for (std::uint32_t key = 0; key < keys.size(); ++key)
    if (seen.imported[key] != Statistic::other) found.try_emplace(parts_of_key(keys.text(key)).benchmark);
  for (std::uint32_t key = 0; key < keys.size(); ++key) {
    if (!seen.own[key]) continue;
    const auto at = found.find(parts_of_key(keys.text(key)).benchmark);
    if (at != found.end()) at->second.push_back(key);
  }
  return found;
}

std::optional<std::uint32_t> only_one_like(const Keys& keys, const KeyParts& imported,
                                           const std::vector<std::uint32_t>& own) {
  const NameSet unknown = unknown_in(imported);
  const std::string wanted = key_without(imported, unknown);
  std::optional<std::uint32_t> found;
  for (const std::uint32_t key : own) {
    if (key_without(parts_of_key(keys.text(key)), unknown) != wanted) continue;
    if (found) return std::nullopt;
    found = key;
  }
  return found;
}

std::string told_machine(const record::RunRecord& head) {
  const auto& json = head.imported.json();
  return json.contains("told") ? record::text_in(json["told"], "machine") : std::string();
}

bool fits_machine(const record::RunRecord& imported, const record::RunRecord& own) {
  const std::string machine = told_machine(imported);
  return (machine.empty() || machine == own.name) && (imported.nodes < 1 || imported.nodes == own.nodes);
}

std::set<std::string> contexts_like(const record::RunRecord& imported, const std::vector<Entry>& entries) {
  std::set<std::string> same, larger;
  for (const Entry& own : entries) {
    if (!own.head.imported.empty() || !fits_machine(imported, own.head)) continue;
    if (own.head.processes == imported.processes) same.insert(own.context);
    if (own.head.processes > imported.processes) larger.insert(own.context);
  }
  return same.empty() ? larger : same;
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

Aspects::Aspects(const std::vector<Entry>& entries) {
  std::map<std::string, std::size_t> places;
  std::vector<std::vector<std::pair<std::size_t, std::string>>> found;
  for (const Entry& entry : entries) {
    of_text_.push_back(!entry.head.imported.empty());
    auto list = comparison::aspects_of(entry.head);
    list.push_back({"hosts", hosts_of(entry.head), comparison::Ignored::machine});
    auto& of_entry = found.emplace_back();
    for (auto& aspect : list) {
      const auto [place, is_new] = places.try_emplace(aspect.name, names_.size());
      if (is_new) names_.push_back(aspect.name);
      of_entry.emplace_back(place->second, std::move(aspect.value));
    }
  }
  for (auto& of_entry : found) {
    auto& values = values_.emplace_back(names_.size());
    for (auto& [place, value] : of_entry) values[place] = std::move(value);
  }
}

bool Aspects::differ(std::size_t from, std::size_t to, std::size_t aspect) const {
  const std::string &before = value(from, aspect), &after = value(to, aspect);
  const bool told =
      of_text_[from] == of_text_[to] && (!of_text_[from] || (!before.empty() && !after.empty()));
  return told && before != after;
}

std::vector<std::pair<std::string, std::string>> Aspects::differences(std::size_t from,
                                                                      std::size_t to) const {
  std::vector<std::pair<std::string, std::string>> found;
  for (std::size_t a = 0; a < names_.size(); ++a)
    if (differ(from, to, a))
      found.emplace_back(names_[a], shortened(value(from, a)) + " -> " + shortened(value(to, a)));
  return found;
}

void Aspects::explain(SeriesFinding& one, std::size_t begin, std::size_t first, std::size_t last) const {
  const std::size_t from = one.values[first - 1].first, to = one.values[last].first;
  for (std::size_t a = 0; a < names_.size(); ++a) {
    if (!differ(from, to, a)) continue;
    bool elsewhere = false;
    for (std::size_t i = begin + 1; i < one.values.size(); ++i) {
      if (i >= first && i <= last) continue;
      elsewhere |= differ(one.values[i - 1].first, one.values[i].first, a);
    }
    (elsewhere ? one.also : one.causes)
        .push_back(names_[a] + ' ' + shortened(value(from, a)) + " -> " + shortened(value(to, a)));
  }
}

std::vector<std::string> adopt_contexts(std::vector<Entry>& entries) {
  std::vector<std::string> told;
  std::map<std::size_t, std::string> adopted;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].head.imported.empty()) continue;
    const auto fitting = contexts_like(entries[i].head, entries);
    if (fitting.size() == 1) adopted[i] = *fitting.begin();
    if (fitting.size() > 1)
      told.push_back(entries[i].source + " fits " + std::to_string(fitting.size()) +
                     " machines or layouts of ours and stands alone: --set machine=NAME,nodes=N says which.");
  }
  for (const auto& [i, context] : adopted) entries[i].context = context;
  return told;
}

Continued::Continued(const Keys& keys, const std::vector<RunColumns>& runs) {
  const auto is_import = [](const RunColumns& run) { return !run.head.imported.empty(); };
  if (std::ranges::none_of(runs, is_import)) return;
  const SeenKeys seen(keys.size(), runs);
  const auto own = own_keys(keys, seen);
  for (std::uint32_t key = 0; key < keys.size(); ++key) {
    const Statistic statistic = seen.imported[key];
    if (statistic == Statistic::other) continue;
    const KeyParts parts = parts_of_key(keys.text(key));
    const auto like = only_one_like(keys, parts, own.at(parts.benchmark));
    if (like && statistics_.try_emplace(*like, statistic).first->second == statistic) to_[key] = *like;
  }
}

std::uint32_t Continued::key(std::uint32_t key) const {
  const auto found = to_.find(key);
  return found == to_.end() ? key : found->second;
}

Statistic Continued::statistic(std::uint32_t key) const {
  const auto found = statistics_.find(key);
  return found == statistics_.end() ? Statistic::own : found->second;
}

Column Continued::in_definition(const Column& column) const {
  Column found = column;
  if (column.statistic != Statistic::own) {
    found.key = key(column.key) % most_keys;
    return found;
  }
  const Statistic wanted = statistic(column.key);
  if (wanted == Statistic::own || wanted == Statistic::same) return found;
  const float ratio = wanted == Statistic::average_mean ? column.average_mean : column.slowest_mean;
  found.value *= ratio;
  found.ends = {};  // of our median, not of this
  if (!(ratio > 0) && found.state == ValueState::good) found.state = ValueState::skipped;
  return found;
}

}  // namespace steelyard::history
