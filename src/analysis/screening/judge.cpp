// SPDX-License-Identifier: Apache-2.0
#include "analysis/screening/judge.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "record/json.hpp"
#include "stats/compare.hpp"

namespace steelyard::screening {
namespace {

constexpr std::string_view alone_too = "alone too", in_company = "only under common load",
                           recovered = "well when measured again", not_again = "not measured again";

/// Name of the NUMA domain whose value stood for a node in most visits: "NUMA domain 1";
/// empty if there is none.
std::string domain_words(const NodeValues& node) {
  for (const int domain : std::set<int>(node.domains.begin(), node.domains.end()))
    if (2 * std::ranges::count(node.domains, domain) > static_cast<std::ptrdiff_t>(node.domains.size()))
      return "NUMA domain " + std::to_string(domain);
  return "";
}

/// Model of the processors of a host; empty if it is not known.
std::string processor_in(const std::vector<record::Document>& machines, std::size_t host) {
  return host < machines.size() ? record::text_in(machines[host].json(), "processor") : "";
}

/// Nodes of one test that are judged beside one another.
class NodeJudge {
 public:
  NodeJudge(const NodeTest& test, const Options& options, const Measured& measured)
      : test_(test),
        machines_(measured.machines),
        what_(*screen::quantity(test.name)),
        tolerance_(tolerance_of(options, what_)),
        options_(options),
        alone_(measured.alone),
        gained_(gained(test.nodes, what_)) {}

  void judge(Screening& out) {
    Overview overview{test_.name, std::string(what_.unit)};
    std::map<std::pair<std::string, int>, std::vector<std::size_t>>
        kinds;  // by processor and number of processes
    std::vector<double> all;
    for (std::size_t host = 0; host < test_.nodes.size(); ++host) {
      const auto& node = test_.nodes[host];
      if (node.wrong) out.findings.push_back(finding(host, Verdict::wrong, "wrong data"));
      if (!node.took_part) continue;
      const auto value = typical(node.visits, what_);
      if (!value)
        out.findings.push_back(finding(host, Verdict::missing, "no value"));
      else
        kinds[{processor_of(host), node.processes}].push_back(host);
      if (value) all.push_back(stats::median(known(node.visits)));
    }
    overview.count = all.size();
    if (!all.empty()) overview.median = stats::median(all);
    with_value_ = all.size();
    for (const auto& [kind, hosts] : kinds) {
      judge(hosts, overview, out);
      if (kinds.begin()->first.first != kinds.rbegin()->first.first) add_kind(kind.first, hosts, overview);
    }
    if (all.empty()) return;
    out.overviews.push_back(std::move(overview));
    for (const auto& [kind, hosts] : kinds)
      for (const std::size_t host : hosts) tell_failed_visits(host, out);
  }

 private:
  [[nodiscard]] Finding finding(std::size_t host, Verdict verdict, std::string_view note) const {
    Finding one;
    one.quantity = test_.name;
    one.verdict = verdict;
    one.host = host;
    one.note = note;
    return one;
  }

  /// Adds a finding if some visits to a node have no value, unless it is told of already.
  void tell_failed_visits(std::size_t host, Screening& out) const {
    const auto& visits = test_.nodes[host].visits;
    const std::size_t failed = visits.size() - known(visits).size();
    if (failed == 0) return;
    const bool told = std::ranges::any_of(out.findings, [&](const Finding& one) {
      return one.quantity == test_.name && one.host == host && !one.other;
    });
    if (told) return;
    out.findings.push_back(finding(
        host, Verdict::unstable,
        "no value in " + std::to_string(failed) + " of " + std::to_string(visits.size()) + " visits"));
  }

  [[nodiscard]] std::string processor_of(std::size_t host) const { return processor_in(machines_, host); }

  void add_kind(const std::string& processor, const std::vector<std::size_t>& hosts,
                Overview& overview) const {
    std::vector<double> values;
    for (const std::size_t host : hosts) values.push_back(stats::median(known(test_.nodes[host].visits)));
    overview.kinds.push_back({processor, hosts.size(), stats::median(values)});
  }

  void judge(const std::vector<std::size_t>& hosts, Overview& overview, Screening& out) {
    std::vector<double> logs;
    for (const std::size_t host : hosts) logs.push_back(*typical(test_.nodes[host].visits, what_));
    const auto found = stats::standings(logs, tolerance_, screen::tests_of_nodes, with_value_);
    for (const auto& standing : found.of) {
      if (!standing.judged) continue;
      overview.judged = true;
      overview.limit_percent = std::max(overview.limit_percent, limit_percent(standing.limit, what_));
    }
    std::array<std::vector<std::size_t>, 2> groups;
    for (std::size_t k = 0; k < hosts.size(); ++k)
      groups[static_cast<std::size_t>(found.of[k].group)].push_back(hosts[k]);
    if (found.two_groups()) {
      overview.groups_differ = difference(groups, machines_);
      for (std::size_t group = 0; group < groups.size(); ++group)
        overview.members[group].insert(overview.members[group].end(), groups[group].begin(),
                                       groups[group].end());
    }
    for (std::size_t group = 0; group < found.groups.size(); ++group) {
      std::vector<std::size_t> members;
      for (std::size_t k = 0; k < hosts.size(); ++k)
        if (found.of[k].group == static_cast<int>(group)) members.push_back(k);
      if (found.two_groups())
        overview.groups.emplace_back(members.size(), value_at(found.groups[group].middle));
      judge_group(hosts, members, found, out);
    }
  }

  [[nodiscard]] double value_at(double log) const { return std::exp(what_.lower_is_better ? -log : log); }

  void judge_group(const std::vector<std::size_t>& hosts, const std::vector<std::size_t>& members,
                   const stats::Standings& found, Screening& out) {
    const auto in_visits = worse_visits_of(hosts, members, found);
    const double usual = usual_spread(hosts, members);
    const double quantile = stats::alarm_quantile(static_cast<double>(with_value_) * screen::tests_of_nodes);
    for (std::size_t m = 0; m < members.size(); ++m) {
      const std::size_t host = hosts[members[m]];
      const auto& standing = found.of[members[m]];
      const auto& node = test_.nodes[host];
      if (standing.judged || reach_of(host) != nullptr) out.compared[host] = true;
      if (below_reference(host, standing, found, out)) continue;
      if (!standing.judged) continue;
      Finding one = finding(host, Verdict::ok, "");
      one.off = standing.off;
      one.percent = percent_of(standing.off, what_);
      one.limit_percent = limit_percent(standing.limit, what_);
      const auto visits = known(node.visits).size();
      const auto again = off_again(node, standing.off, gained_, what_);
      if (standing.worse() && (2 * in_visits[m] > visits || is_confirmed(again, standing.limit))) {
        one.verdict = Verdict::slow;
        note_again(one, again, standing.limit, alone_, what_);
        put_words(one, domain_words(node));
      } else if (in_visits[m] > 0 || standing.worse()) {
        one.verdict = Verdict::unstable;
        one.note = "in " + std::to_string(in_visits[m]) + " of " + std::to_string(visits) + " visits";
      } else if (const double spread = spread_of(node);
                 visits > 1 && spread > std::log1p(2 * tolerance_) && spread > quantile * usual) {
        one.verdict = Verdict::unstable;
        one.note = "visits differ by " + std::to_string(std::lround(100 * std::expm1(spread))) + " %";
      } else if (standing.better()) {
        one.verdict = Verdict::fast;
        one.note = "another part or setting";
      }
      if (one.verdict != Verdict::ok) out.findings.push_back(std::move(one));
    }
  }

  /// What a reference expects of a node; nullptr if it says nothing.
  [[nodiscard]] const Reach* reach_of(std::size_t host) const {
    const auto expected = options_.reference.find(test_.name);
    return expected == options_.reference.end() ? nullptr : expected->second.of(processor_of(host));
  }

  /// Adds a finding if a node is below what a reference expects, and returns whether it is.
  bool below_reference(std::size_t host, const stats::Standing& standing, const stats::Standings& found,
                       Screening& out) const {
    const Reach* reach = reach_of(host);
    if (reach == nullptr) return false;
    const double limit = std::log1p(reach->tolerance.value_or(tolerance_));
    const double log = found.groups[static_cast<std::size_t>(standing.group)].middle + standing.off;
    const double off = log - screen::good(reach->value, what_);
    if (!(off < -limit)) return false;
    Finding one = finding(host, Verdict::slow, "below the reference");
    one.off = off;
    one.percent = percent_of(off, what_);
    one.limit_percent = limit_percent(limit, what_);
    out.findings.push_back(std::move(one));
    return true;
  }

  /// Number of visits in which each member is worse than the others of its group by the rule.
  [[nodiscard]] std::vector<std::size_t> worse_visits_of(const std::vector<std::size_t>& hosts,
                                                         const std::vector<std::size_t>& members,
                                                         const stats::Standings& found) const {
    std::vector<Visited> all;
    std::size_t visits = 1;
    for (const std::size_t m : members) {
      all.push_back({&test_.nodes[hosts[m]], 0, found.of[m].limit});
      visits = std::max(visits, all.back().values->visits.size());
    }
    const double quantile =
        stats::alarm_quantile(static_cast<double>(with_value_ * visits) * screen::tests_of_nodes);
    return worse_visits(all, tolerance_, quantile, what_);
  }

  [[nodiscard]] double usual_spread(const std::vector<std::size_t>& hosts,
                                    const std::vector<std::size_t>& members) const {
    std::vector<double> spreads;
    for (const std::size_t m : members) spreads.push_back(spread_of(test_.nodes[hosts[m]]));
    return spreads.empty() ? 0 : stats::median(spreads);
  }

  const NodeTest& test_;
  const std::vector<record::Document>& machines_;
  const Quantity& what_;
  double tolerance_;
  const Options& options_;
  bool alone_;
  double gained_;
  std::size_t with_value_ = 0;  // nodes
};

/// Sets the class of each link by where its ends are; if no switches are told, all links are of one class.
void set_kinds(Measured& measured, const Options& options) {
  if (!options.switch_of.empty()) measured.switches = machine::switches_of(measured.hosts, options.switch_of);
  measured.switches.resize(measured.hosts.size());
  for (auto& test : measured.links)
    for (auto& link : test.links)
      link.kind = machine::class_between(measured.switches[link.a], measured.switches[link.b]);
}

/// Judges the nodes of one test, among those of the same processors and as many processes.
void judge_nodes(const NodeTest& test, const Options& options, const Measured& measured, Screening& out) {
  NodeJudge(test, options, measured).judge(out);
}

}  // namespace

std::vector<double> known(const std::vector<double>& visits) {
  std::vector<double> some;
  std::ranges::copy_if(visits, std::back_inserter(some), [](double value) { return value > 0; });
  return some;
}

std::optional<double> typical(const std::vector<double>& values, const Quantity& quantity) {
  const auto some = known(values);
  if (some.empty()) return std::nullopt;
  return screen::good(stats::median(some), quantity);
}

double percent_of(double off, const Quantity& quantity) {
  return 100 * std::expm1(quantity.lower_is_better ? -off : off);
}

double limit_percent(double limit, const Quantity& quantity) {
  return std::abs(percent_of(-limit, quantity));
}

double tolerance_of(const Options& options, const Quantity& quantity) {
  const auto said = options.tolerances.find(quantity.name);
  return said == options.tolerances.end() ? quantity.tolerance : said->second;
}

double spread_of(const Values& values) {
  const auto some = known(values.visits);
  return std::log(std::ranges::max(some) / std::ranges::min(some));
}

std::optional<double> off_again(const Values& values, double off, double gained, const Quantity& quantity) {
  const auto common = typical(values.visits, quantity), alone = typical(values.again, quantity);
  if (!common || !alone) return std::nullopt;
  return *alone - gained - (*common - off);
}

bool is_confirmed(std::optional<double> again, double limit) {
  return again && *again < -limit;
}

std::vector<std::size_t> worse_visits(const std::vector<Visited>& all, double tolerance, double quantile,
                                      const Quantity& quantity) {
  std::vector<std::size_t> counts(all.size());
  std::size_t visits = 0;
  for (const auto& one : all) visits = std::max(visits, one.values->visits.size());
  for (std::size_t visit = 0; visit < visits; ++visit) {
    std::vector<double> offs;
    std::vector<std::size_t> whose;
    for (std::size_t k = 0; k < all.size(); ++k) {
      const auto& values = all[k].values->visits;
      if (visit >= values.size() || !(values[visit] > 0)) continue;
      offs.push_back(screen::good(values[visit], quantity) - all[k].usual);
      whose.push_back(k);
    }
    if (offs.size() < stats::fewest_alike) continue;
    const auto usual = stats::usual(offs);
    const double limit = std::max(std::log1p(tolerance), quantile * usual.spread);
    for (std::size_t k = 0; k < offs.size(); ++k)
      counts[whose[k]] += offs[k] < usual.middle - std::max(limit, all[whose[k]].limit) ? 1U : 0U;
  }
  return counts;
}

void note_again(Finding& finding, std::optional<double> again, double limit, bool always_alone,
                const Quantity& quantity) {
  if (!again) {
    finding.note = not_again;
    return;
  }
  finding.again_percent = percent_of(*again, quantity);
  if (is_confirmed(again, limit)) {
    finding.note = alone_too;
  } else if (always_alone) {
    finding.verdict = Verdict::unstable;
    finding.note = recovered;
  } else {
    finding.note = in_company;
  }
}

void put_words(Finding& finding, std::string_view words) {
  if (!words.empty()) finding.note = std::string(words) + (finding.note.empty() ? "" : ", " + finding.note);
}

std::string difference(const std::array<std::vector<std::size_t>, 2>& groups,
                       const std::vector<record::Document>& machines) {
  std::map<std::string, std::array<std::set<std::string>, 2>> seen;
  for (std::size_t group = 0; group < groups.size(); ++group)
    for (const std::size_t host : groups[group]) {
      if (host >= machines.size()) return "";
      for (const auto& [name, value] : machines[host].json().items())
        seen[name][group].insert(value.is_string() ? value.get<std::string>() : value.dump());
    }
  std::string words;
  for (const auto& [name, of] : seen)
    if (of[0].size() == 1 && of[1].size() == 1 && of[0] != of[1])
      words += (words.empty() ? "" : ", ") + name + ' ' + *of[0].begin() + " / " + *of[1].begin();
  return words;
}

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
