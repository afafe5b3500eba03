// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <utility>

#include "analysis/screening/rule.hpp"
#include "stats/order.hpp"

namespace steelyard::screening {

const Reach* Expected::of(std::string_view processor) const {
  const auto own = of_processor.find(processor);
  if (own != of_processor.end()) return &own->second;
  if (of_processor.size() == 1) return &of_processor.begin()->second;
  return of_processor.empty() ? this : nullptr;
}

References reference_of(const Measured& measured) {
  References reference;
  const auto value_of = [](const Values& one) -> std::optional<double> {
    const auto some = known(one.visits);
    return some.empty() ? std::nullopt : std::optional(stats::median(some));
  };
  for (const auto& test : measured.nodes) {
    std::map<std::string, std::vector<double>> values;
    for (std::size_t host = 0; host < test.nodes.size(); ++host)
      if (const auto value = value_of(test.nodes[host]))
        values[processor_in(measured.machines, host)].push_back(*value);
    for (const auto& [processor, list] : values)
      reference[test.name].of_processor[processor] = {stats::median(list), std::nullopt};
  }
  for (const auto& test : measured.links) {
    std::vector<double> values;
    for (const auto& link : test.links)
      if (const auto value = value_of(link)) values.push_back(*value);
    if (!values.empty()) reference[test.name].value = stats::median(values);
  }
  if (reference.empty()) throw Unjudgeable("no value of a screening is in the reference");
  return reference;
}

std::vector<std::string> other_processors(const Measured& measured, const References& reference) {
  std::set<std::string> sentences;
  for (const auto& test : measured.nodes) {
    const auto expected = reference.find(test.name);
    if (expected == reference.end() || expected->second.of_processor.empty()) continue;
    const auto& models = expected->second.of_processor;
    for (std::size_t host = 0; host < test.nodes.size(); ++host) {
      const std::string processor = processor_in(measured.machines, host);
      if (!test.nodes[host].took_part || processor.empty() || models.contains(processor)) continue;
      if (models.size() == 1 && models.begin()->first.empty()) continue;
      sentences.insert("the reference is of another machine: " + models.begin()->first + ", not " +
                       processor);
    }
  }
  return {sentences.begin(), sentences.end()};
}

namespace {

/// Sets the class of each link by where its ends are; if no switches are told, all links are of one class.
void set_kinds(Measured& measured, const Options& options) {
  if (!options.switch_of.empty()) measured.switches = machine::switches_of(measured.hosts, options.switch_of);
  measured.switches.resize(measured.hosts.size());
  for (auto& test : measured.links)
    for (auto& link : test.links)
      link.kind = machine::class_between(measured.switches[link.a], measured.switches[link.b]);
}

}  // namespace

std::string class_words(std::size_t level, std::size_t classes) {
  if (level == 0) return "within a switch";
  if (classes <= 2) return "between switches";
  return std::to_string(level) + (level == 1 ? " level" : " levels") + " up";
}

std::string_view text(Verdict verdict) {
  return std::ranges::find(verdict_words, verdict, &std::pair<const char*, Verdict>::second)->first;
}

std::size_t Screening::count(Verdict verdict) const {
  return static_cast<std::size_t>(std::ranges::count(hosts, verdict));
}

std::size_t Screening::not_compared() const {
  std::size_t count = 0;
  for (std::size_t host = 0; host < hosts.size(); ++host)
    if (hosts[host] == Verdict::ok && !compared[host]) ++count;
  return count;
}

std::size_t Screening::links(Verdict verdict) const {
  std::set<std::pair<std::size_t, std::size_t>> found;
  for (const auto& one : findings)
    if (one.other && one.verdict == verdict) found.insert({one.host, *one.other});
  return found.size();
}

std::vector<std::string> Screening::names(const std::set<Verdict>& of) const {
  std::vector<std::string> found;
  for (std::size_t host = 0; host < hosts.size(); ++host)
    if (of.contains(hosts[host])) found.push_back(measured.hosts[host]);
  return found;
}

std::set<std::string> Screening::found() const {
  std::set<std::string> words;
  for (const auto& one : findings) words.emplace(text(one.verdict));
  if (std::ranges::any_of(overviews, [](const Overview& one) { return !one.groups.empty(); }))
    words.emplace("groups");
  return words;
}

Screening judge(Measured given, const Options& options) {
  set_kinds(given, options);
  Screening out;
  out.measured = std::move(given);
  out.compared.resize(out.measured.hosts.size());
  for (const auto& test : out.measured.nodes) judge_nodes(test, options, out.measured, out);
  for (const auto& test : out.measured.links) judge_links(test, options, out.measured, out);
  std::ranges::stable_sort(out.findings, [](const Finding& one, const Finding& other) {
    if (one.verdict != other.verdict) return one.verdict > other.verdict;
    return one.off < other.off;
  });
  out.hosts.assign(out.measured.hosts.size(), Verdict::ok);
  for (const auto& one : out.findings)
    if (!one.other) out.hosts[one.host] = std::max(out.hosts[one.host], one.verdict);
  return out;
}

}  // namespace steelyard::screening
