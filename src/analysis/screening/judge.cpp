// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "analysis/screening/screening.hpp"
#include "record/json.hpp"
#include "stats/alike.hpp"
#include "stats/order.hpp"
#include "suites/screen/quantities.hpp"

namespace steelyard::screening {

std::vector<double> known(const std::vector<double>& visits) {
  std::vector<double> some;
  std::ranges::copy_if(visits, std::back_inserter(some), [](double value) { return value > 0; });
  return some;
}

namespace {

using screen::Quantity;

/// In logarithms, more is better.
double good(double value, const Quantity& quantity) {
  return quantity.lower_is_better ? -std::log(value) : std::log(value);
}

std::optional<double> typical(const std::vector<double>& values, const Quantity& quantity) {
  const auto some = known(values);
  if (some.empty()) return std::nullopt;
  return good(stats::median(some), quantity);
}

/// What the value differs by where it is `off` in the sense of better.
double percent_of(double off, const Quantity& quantity) {
  return 100 * std::expm1(quantity.lower_is_better ? -off : off);
}

/// What a value differs by at the limit, in the sense of worse: a rate is never more than 100 % low.
double limit_percent(double limit, const Quantity& quantity) {
  return std::abs(percent_of(-limit, quantity));
}

double tolerance_of(const Options& options, const Quantity& quantity) {
  const auto said = options.tolerances.find(quantity.name);
  return said == options.tolerances.end() ? quantity.tolerance : said->second;
}

/// What usual nodes or links gained when they were measured alone.
template <class Judged>
double gained(const std::vector<Judged>& all, const Quantity& quantity) {
  std::vector<double> steps;
  for (const Values& one : all) {
    const auto common = typical(one.visits, quantity), alone = typical(one.again, quantity);
    if (one.control && common && alone) steps.push_back(*alone - *common);
  }
  return steps.empty() ? 0 : stats::median(steps);
}

/// Off when it was measured again.
std::optional<double> off_again(const Values& values, double off, double gained, const Quantity& quantity) {
  const auto common = typical(values.visits, quantity), alone = typical(values.again, quantity);
  if (!common || !alone) return std::nullopt;
  return *alone - gained - (*common - off);
}

constexpr std::string_view alone_too = "alone too", in_company = "only under common load",
                           recovered = "well when measured again", not_again = "not measured again";

/// Worse by more than the limit when it was measured again too.
bool is_confirmed(std::optional<double> again, double limit) {
  return again && *again < -limit;
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

// Nodes.

/// "NUMA domain 1", whose value stood for a node in most visits.
std::string domain_words(const NodeValues& node) {
  for (const int domain : std::set<int>(node.domains.begin(), node.domains.end()))
    if (2 * std::ranges::count(node.domains, domain) > static_cast<std::ptrdiff_t>(node.domains.size()))
      return "NUMA domain " + std::to_string(domain);
  return "";
}

/// Model of the processors of a host; empty: not known.
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

  [[nodiscard]] std::string processor_of(std::size_t host) const { return processor_in(machines_, host); }

  void add_kind(const std::string& processor, const std::vector<std::size_t>& hosts,
                Overview& overview) const {
    std::vector<double> values;
    for (const std::size_t host : hosts) values.push_back(stats::median(known(test_.nodes[host].visits)));
    overview.kinds.push_back({processor, hosts.size(), stats::median(values)});
  }

  /// "cores 64 / 48": what is the same within each of two groups and not between them.
  [[nodiscard]] std::string difference(const std::vector<std::size_t>& hosts,
                                       const stats::Standings& found) const {
    std::map<std::string, std::array<std::set<std::string>, 2>> seen;
    for (std::size_t k = 0; k < hosts.size(); ++k) {
      if (hosts[k] >= machines_.size()) return "";
      for (const auto& [name, value] : machines_[hosts[k]].json().items())
        seen[name][static_cast<std::size_t>(found.of[k].group)].insert(
            value.is_string() ? value.get<std::string>() : value.dump());
    }
    std::string words;
    for (const auto& [name, of] : seen)
      if (of[0].size() == 1 && of[1].size() == 1 && of[0] != of[1])
        words += (words.empty() ? "" : ", ") + name + ' ' + *of[0].begin() + " / " + *of[1].begin();
    return words;
  }

  void judge(const std::vector<std::size_t>& hosts, Overview& overview, Screening& out) {
    std::vector<double> logs;
    for (const std::size_t host : hosts) logs.push_back(*typical(test_.nodes[host].visits, what_));
    const auto found = stats::standings(logs, tolerance_, screen::tests_of_nodes, with_value_);
    if (found.two_groups()) overview.groups_differ = difference(hosts, found);
    overview.judged |= hosts.size() >= stats::fewest_alike;
    overview.limit_percent = std::max(overview.limit_percent, limit_percent(found.of.front().limit, what_));
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
    const auto in_visits = worse_visits(hosts, members);
    const double usual_spread = spread_of(hosts, members);
    const double quantile = stats::alarm_quantile(static_cast<double>(with_value_) * screen::tests_of_nodes);
    for (std::size_t m = 0; m < members.size(); ++m) {
      const std::size_t host = hosts[members[m]];
      const auto& standing = found.of[members[m]];
      const auto& node = test_.nodes[host];
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
                 visits > 1 && spread > std::log1p(2 * tolerance_) && spread > quantile * usual_spread) {
        one.verdict = Verdict::unstable;
        one.note = "visits differ by " + std::to_string(std::lround(100 * std::expm1(spread))) + " %";
      } else if (standing.better()) {
        one.verdict = Verdict::fast;
        one.note = "another part or setting";
      }
      if (one.verdict != Verdict::ok) out.findings.push_back(std::move(one));
    }
  }

  /// Says so where a node is below what a reference expects.
  bool below_reference(std::size_t host, const stats::Standing& standing, const stats::Standings& found,
                       Screening& out) const {
    const auto expected = options_.reference.find(test_.name);
    const Reach* reach =
        expected == options_.reference.end() ? nullptr : expected->second.of(processor_of(host));
    if (reach == nullptr) return false;
    const double limit = std::log1p(reach->tolerance.value_or(tolerance_));
    const double log = found.groups[static_cast<std::size_t>(standing.group)].middle + standing.off;
    const double off = log - good(reach->value, what_);
    if (!(off < -limit)) return false;
    Finding one = finding(host, Verdict::slow, "below the reference");
    one.off = off;
    one.percent = percent_of(off, what_);
    one.limit_percent = limit_percent(limit, what_);
    out.findings.push_back(std::move(one));
    return true;
  }

  /// Of each member in how many visits it is worse than the others of its group by the rule.
  [[nodiscard]] std::vector<std::size_t> worse_visits(const std::vector<std::size_t>& hosts,
                                                      const std::vector<std::size_t>& members) const {
    std::vector<std::size_t> counts(members.size());
    std::size_t visits = 0;
    for (const std::size_t m : members) visits = std::max(visits, test_.nodes[hosts[m]].visits.size());
    const double quantile = stats::alarm_quantile(
        static_cast<double>(with_value_ * std::max<std::size_t>(visits, 1)) * screen::tests_of_nodes);
    for (std::size_t visit = 0; visit < visits; ++visit) {
      std::vector<double> logs;
      std::vector<std::size_t> whose;
      for (std::size_t m = 0; m < members.size(); ++m) {
        const auto& values = test_.nodes[hosts[members[m]]].visits;
        if (visit >= values.size() || !(values[visit] > 0)) continue;
        logs.push_back(good(values[visit], what_));
        whose.push_back(m);
      }
      if (logs.size() < stats::fewest_alike) continue;
      const auto usual = stats::usual(logs);
      const double limit = std::max(std::log1p(tolerance_), quantile * usual.spread);
      for (std::size_t k = 0; k < logs.size(); ++k)
        counts[whose[k]] += logs[k] < usual.middle - limit ? 1U : 0U;
    }
    return counts;
  }

  static double spread_of(const NodeValues& node) {
    const auto values = known(node.visits);
    return std::log(std::ranges::max(values) / std::ranges::min(values));
  }
  [[nodiscard]] double spread_of(const std::vector<std::size_t>& hosts,
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

// Links.

/// What a factor between a link and its class tells of the adapter.
std::string_view rate_words(double off, const Quantity& quantity) {
  const double factor = std::exp(-off);
  if (quantity.lower_is_better) return "";
  if (factor > 1.8 && factor < 2.2) return "half rate";
  return factor > 3.6 && factor < 4.4 ? "quarter rate" : "";
}

class LinkJudge {
 public:
  LinkJudge(const LinkTest& test, const Options& options, const Measured& measured)
      : test_(test),
        alone_(measured.links_alone),
        what_(*screen::quantity(test.name)),
        tolerance_(tolerance_of(options, what_)),
        options_(options),
        gained_(gained(test.links, what_)) {
    for (const auto& link : test_.links)
      if (const auto value = typical(link.visits, what_)) {
        measured_.push_back(&link);
        values_.push_back({link.a, link.b, *value, link.kind});
      }
    found_ = stats::link_standings(values_, measured.hosts.size(), tolerance_, screen::tests_of_nodes);
    count_worse_visits();
    std::vector<double> spreads;
    for (const auto* link : measured_) spreads.push_back(spread_of(*link));
    if (!spreads.empty()) usual_spread_ = stats::median(spreads);
  }

  void judge(Screening& out) const {
    for (const auto& link : test_.links)
      if (link.wrong) out.findings.push_back(of_link(link, Verdict::wrong));
    if (values_.empty()) return;
    Overview overview{test_.name, std::string(what_.unit), values_.size()};
    std::vector<double> all;
    for (const auto* link : measured_) all.push_back(stats::median(known(link->visits)));
    overview.median = stats::median(all);
    overview.limit_percent = limit_percent(found_.links.front().limit, what_);
    overview.judged = found_.links.front().judged;
    overview.classes = classes();
    out.overviews.push_back(std::move(overview));
    for (std::size_t end = 0; end < found_.ends.of.size(); ++end) judge_end(end, out);
    for (std::size_t k = 0; k < measured_.size(); ++k) judge_link(k, out);
  }

 private:
  /// Where there are several.
  [[nodiscard]] std::vector<Overview::Class> classes() const {
    std::map<std::size_t, std::vector<double>> values;
    for (const auto* link : measured_) values[link->kind].push_back(stats::median(known(link->visits)));
    if (values.size() < 2) return {};
    std::vector<Overview::Class> list;
    for (const auto& [kind, all] : values) list.push_back({kind, all.size(), stats::median(all)});
    return list;
  }

  /// What the link is expected to show, by its class and its ends.
  [[nodiscard]] double usual_of(std::size_t k) const { return values_[k].log - found_.links[k].off; }

  /// Of each link in how many visits it is worse than its class and ends let expect, by the rule.
  void count_worse_visits() {
    worse_visits_.resize(measured_.size());
    std::size_t visits = 0, all = 0;
    for (const auto* link : measured_) visits = std::max(visits, link->visits.size());
    for (const auto* link : measured_) all += known(link->visits).size();
    const double quantile = stats::alarm_quantile(static_cast<double>(all));
    for (std::size_t visit = 0; visit < visits; ++visit) {
      std::vector<double> offs;
      std::vector<std::size_t> whose;
      for (std::size_t k = 0; k < measured_.size(); ++k) {
        const auto& values = measured_[k]->visits;
        if (visit >= values.size() || !(values[visit] > 0)) continue;
        offs.push_back(good(values[visit], what_) - usual_of(k));
        whose.push_back(k);
      }
      if (offs.size() < stats::fewest_alike) continue;
      const auto usual = stats::usual(offs);
      const double limit = std::max(std::log1p(tolerance_), quantile * usual.spread);
      for (std::size_t k = 0; k < offs.size(); ++k)
        worse_visits_[whose[k]] += offs[k] < usual.middle - limit ? 1U : 0U;
    }
  }

  static double spread_of(const LinkValues& link) {
    const auto values = known(link.visits);
    return std::log(std::ranges::max(values) / std::ranges::min(values));
  }

  [[nodiscard]] Finding of_link(const LinkValues& link, Verdict verdict) const {
    Finding one;
    one.quantity = test_.name;
    one.verdict = verdict;
    one.host = link.a;
    one.other = link.b;
    if (verdict == Verdict::wrong) one.note = "wrong data";
    return one;
  }

  void judge_end(std::size_t end, Screening& out) const {
    const auto& standing = found_.ends.of[end];
    if (!standing.worse() && !standing.better()) return;
    Finding one;
    one.quantity = test_.name;
    one.host = end;
    one.off = standing.off;
    one.percent = percent_of(standing.off, what_);
    one.limit_percent = limit_percent(standing.limit, what_);
    one.verdict = standing.worse() ? Verdict::slow : Verdict::fast;
    if (standing.worse()) note_again(one, end_again(end), standing.limit, alone_, what_);
    put_words(one, "all its links");
    put_words(one, rate_words(standing.off, what_));
    out.findings.push_back(std::move(one));
  }

  [[nodiscard]] bool has_level(std::size_t kind) const {
    return std::ranges::any_of(values_, [&](const auto& value) { return value.kind == kind; });
  }

  /// Median over its links that were measured again, with partners that it may not have met before, beside what a
  /// usual node would show there.
  [[nodiscard]] std::optional<double> end_again(std::size_t end) const {
    const double own = found_.fit.effects[end] - found_.ends.of[end].off;
    std::vector<double> offs;
    for (const auto& link : test_.links) {
      if ((link.a != end && link.b != end) || !has_level(link.kind)) continue;
      if (const auto again = typical(link.again, what_))
        offs.push_back(*again - gained_ - found_.fit.levels[link.kind] - own -
                       found_.fit.effects[link.a == end ? link.b : link.a]);
    }
    if (offs.empty()) return std::nullopt;
    return stats::median(offs);
  }

  void judge_link(std::size_t k, Screening& out) const {
    const auto& standing = found_.links[k];
    const bool of_named = found_.ends.of[values_[k].a].worse() || found_.ends.of[values_[k].b].worse();
    const bool expected_more = below_reference(k);
    if (!expected_more && (of_named || !standing.judged)) return;
    Finding one = of_link(*measured_[k], Verdict::ok);
    one.off = standing.off;
    one.percent = percent_of(standing.off, what_);
    one.limit_percent = limit_percent(standing.limit, what_);
    const auto visits = known(measured_[k]->visits).size();
    const auto again = off_again(*measured_[k], standing.off, gained_, what_);
    const bool seen_again = 2 * worse_visits_[k] > visits || is_confirmed(again, standing.limit);
    if (expected_more || (standing.worse() && seen_again)) {
      one.verdict = Verdict::slow;
      // One look is no proof: what a sample has seen once has to be seen again.
      note_again(one, again, standing.limit, alone_ || visits < 2, what_);
      if (visits < 2 && !again) one.verdict = Verdict::unstable;
      if (expected_more) one.verdict = Verdict::slow, one.note = "below the reference";
      put_words(one, rate_words(standing.off, what_));
    } else if (worse_visits_[k] > 0 || standing.worse()) {
      one.verdict = Verdict::unstable;
      one.note = "in " + std::to_string(worse_visits_[k]) + " of " + std::to_string(visits) + " visits";
    } else if (const double spread = spread_of(*measured_[k]); visits > 1 && differs_too_much(spread)) {
      one.verdict = Verdict::unstable;
      one.note = "visits differ by " + std::to_string(std::lround(100 * std::expm1(spread))) + " %";
    }
    if (one.verdict != Verdict::ok) out.findings.push_back(std::move(one));
  }

  [[nodiscard]] bool differs_too_much(double spread) const {
    const double quantile = stats::alarm_quantile(static_cast<double>(measured_.size()));
    return spread > std::log1p(2 * tolerance_) && spread > quantile * usual_spread_;
  }

  [[nodiscard]] bool below_reference(std::size_t k) const {
    const auto expected = options_.reference.find(test_.name);
    if (expected == options_.reference.end()) return false;
    const double limit = std::log1p(expected->second.tolerance.value_or(tolerance_));
    return values_[k].log - good(expected->second.value, what_) < -limit;
  }

  const LinkTest& test_;
  bool alone_;  // one after the other
  const Quantity& what_;
  double tolerance_;
  const Options& options_;
  double gained_;
  std::vector<const LinkValues*> measured_;
  std::vector<stats::Between> values_;
  stats::LinkStandings found_;
  std::vector<std::size_t> worse_visits_;  // of each measured link
  double usual_spread_ = 0;                // of the visits of a link
};

/// Classes of links by where their ends are; without a word about switches all are of one class.
void set_kinds(Measured& measured, const Options& options) {
  if (!options.switch_of.empty()) measured.switches = screen::switches_of(measured.hosts, options.switch_of);
  measured.switches.resize(measured.hosts.size());
  for (auto& test : measured.links)
    for (auto& link : test.links)
      link.kind = screen::class_between(measured.switches[link.a], measured.switches[link.b]);
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

Screening judge(Measured given, const Options& options) {
  set_kinds(given, options);
  Screening out;
  out.measured = std::move(given);
  for (const auto& test : out.measured.nodes) NodeJudge(test, options, out.measured).judge(out);
  for (const auto& test : out.measured.links) LinkJudge(test, options, out.measured).judge(out);
  std::ranges::stable_sort(out.findings, [](const Finding& one, const Finding& other) {
    if (one.verdict != other.verdict) return one.verdict > other.verdict;
    return one.off < other.off;
  });
  out.hosts.assign(out.measured.hosts.size(), Verdict::ok);
  for (const auto& one : out.findings)
    if (!one.other) out.hosts[one.host] = std::max(out.hosts[one.host], one.verdict);
  return out;
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

}  // namespace steelyard::screening
