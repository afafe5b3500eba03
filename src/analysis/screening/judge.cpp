// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "analysis/screening/judges.hpp"

namespace steelyard::screening {
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
