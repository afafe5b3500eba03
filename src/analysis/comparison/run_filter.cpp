// SPDX-License-Identifier: Apache-2.0
#include "analysis/comparison/run_filter.hpp"

#include <algorithm>

#include "analysis/comparison/comparison.hpp"
#include "units/text.hpp"

namespace steelyard::comparison {
namespace {

constexpr std::string_view label_start = "label.";

/// Names of the filter that are aspects of a run under other names.
constexpr std::pair<std::string_view, std::string_view> aspect_names[] = {
    {"mpi", "MPI library"},         {"kernel", "kernel"},         {"compiler", "compiler"},
    {"version", "program version"}, {"commit", "program commit"}, {"blas", "BLAS"}};

std::string aspect_word(const record::RunRecord& run, std::string_view name) {
  for (const RunAspect& aspect : aspects_of(run))
    if (aspect.name == name) return aspect.value;
  return {};
}

std::string joined_layout(const record::RunRecord& run) {
  std::string text;
  for (const RunAspect& aspect : layout_of(run))
    text += (text.empty() ? "" : "; ") + aspect.name + ' ' + aspect.value;
  return text;
}

std::string job_word(const record::RunRecord& run) {
  const auto& job = run.job.json();
  if (!job.is_object()) return {};
  const std::string id = record::text_in(job, "id");
  return id.empty() ? job.dump() : id;
}

bool is_run_name(const std::string& name) {
  return name.starts_with(label_start) || std::ranges::find(run_names(), name) != run_names().end();
}

}  // namespace

bool matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, mark = 0;
  while (t < text.size()) {
    if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t]) && pattern[p] != '*') {
      ++p, ++t;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      mark = t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++mark;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

const std::vector<std::string>& run_names() {
  static const std::vector<std::string> names = {"machine", "name",   "nodes",    "processes", "threads",
                                                 "mpi",     "kernel", "compiler", "blas",      "version",
                                                 "commit",  "layout", "job"};
  return names;
}

std::string run_word(const record::RunRecord& run, std::string_view name) {
  if (name == "name") return run.name;
  if (name == "machine") return aspect_word(run, "machine name");
  if (name == "nodes") return std::to_string(run.nodes);
  if (name == "processes") return std::to_string(run.processes);
  if (name == "threads") return std::to_string(run.threads_per_process);
  if (name == "layout") return joined_layout(run);
  if (name == "job") return job_word(run);
  if (name.starts_with(label_start)) {
    for (const auto& [key, value] : run.labels)
      if (key == name.substr(label_start.size())) return value;
    return {};
  }
  for (const auto& [ours, aspect] : aspect_names)
    if (ours == name) return aspect_word(run, aspect);
  return {};
}

RunFilter RunFilter::parse(std::string_view words) {
  RunFilter filter;
  std::size_t at = 0;
  while (at < words.size()) {
    const std::size_t end = std::min(words.find(' ', at), words.size());
    const std::string_view word = words.substr(at, end - at);
    at = end + 1;
    if (word.empty()) continue;
    const std::size_t equal = word.find('=');
    if (equal == std::string_view::npos || equal == 0)
      throw UnknownRunName('\'' + std::string(word) + "' is not NAME=PATTERN");
    const bool differs = word[equal - 1] == '!';
    Condition one{std::string(word.substr(0, equal - (differs ? 1 : 0))), std::string(word.substr(equal + 1)),
                  !differs};
    if (!is_run_name(one.name)) {
      throw UnknownRunName('\'' + one.name + "' is nothing that runs have" +
                           units::did_you_mean(one.name, run_names()));
    }
    filter.conditions_.push_back(std::move(one));
  }
  return filter;
}

bool RunFilter::Condition::holds(const std::string& word) const {
  const bool held = matches(pattern, word) || matches(pattern, word.substr(0, word.find(',')));
  return held == equal;
}

std::string RunFilter::Condition::missed_by(const std::string& word) const {
  const std::string told = name + ' ' + (word.empty() || word == "0" ? "unknown" : word);  // no count is 0
  return told + (equal ? " instead of " : ", which is to differ from ") + pattern;
}

bool RunFilter::accepts(const record::RunRecord& run) const {
  return std::ranges::all_of(conditions_,
                             [&](const Condition& one) { return one.holds(run_word(run, one.name)); });
}

std::string RunFilter::pattern_of(std::string_view name) const {
  const auto found =
      std::ranges::find_if(conditions_, [&](const Condition& one) { return one.name == name && one.equal; });
  return found == conditions_.end() ? std::string() : found->pattern;
}

std::string RunFilter::words() const {
  std::string told;
  for (const Condition& one : conditions_)
    told += (told.empty() ? "" : " ") + one.name + (one.equal ? "=" : "!=") + one.pattern;
  return told;
}

std::string RunFilter::obstacles(const record::RunRecord& run) const {
  std::string told;
  for (const Condition& one : conditions_)
    if (const std::string word = run_word(run, one.name); !one.holds(word))
      told += (told.empty() ? "" : ", ") + one.missed_by(word);
  return told;
}

}  // namespace steelyard::comparison
