// SPDX-License-Identifier: Apache-2.0
#include "analysis/history/continued.hpp"

#include <algorithm>
#include <set>

#include "record/json.hpp"

namespace steelyard::history {
namespace {

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
