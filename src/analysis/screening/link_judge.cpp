// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include "analysis/screening/judge.hpp"
#include "stats/compare.hpp"

namespace steelyard::screening {
namespace {

/// Words for the adapter that a factor between a link and its class suggests; empty if it suggests none.
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
        machines_(measured.machines),
        gained_(gained(test.links, what_)) {
    for (const auto& link : test_.links)
      if (const auto value = typical(link.visits, what_)) {
        measured_.push_back(&link);
        values_.push_back({link.a, link.b, *value, link.kind});
      }
    found_ = stats::link_standings(values_, measured.hosts.size(), tolerance_, screen::tests_of_nodes);
    worse_visits_ = worse_visits_of_links();
    std::vector<double> spreads;
    for (const auto* link : measured_) spreads.push_back(spread_of(*link));
    if (!spreads.empty()) usual_spread_ = stats::median(spreads);
  }

  void judge(Screening& out) const {
    for (const auto& link : test_.links) {
      if (link.wrong) out.findings.push_back(of_link(link, Verdict::wrong));
      if (!link.visits.empty() && known(link.visits).empty())
        out.findings.push_back(of_link(link, Verdict::missing));
    }
    if (values_.empty()) return;
    Overview overview{test_.name, std::string(what_.unit), values_.size()};
    std::vector<double> all;
    for (const auto* link : measured_) all.push_back(stats::median(known(link->visits)));
    overview.median = stats::median(all);
    overview.limit_percent = limit_percent(found_.links.front().limit, what_);
    overview.judged = found_.links.front().judged;
    overview.classes = classes();
    if (found_.ends.two_groups())
      add_groups(overview);
    else if (overview.judged)
      add_link_groups(overview);
    note_compared(overview.judged, out);
    out.overviews.push_back(std::move(overview));
    for (std::size_t end = 0; end < found_.ends.of.size(); ++end) judge_end(end, out);
    for (std::size_t k = 0; k < measured_.size(); ++k) judge_link(k, out);
  }

 private:
  /// Both ends of a link are compared with others by it, or with a reference.
  void note_compared(bool judged, Screening& out) const {
    if (!judged && !options_.reference.contains(test_.name)) return;
    for (const auto* link : measured_) out.compared[link->a] = out.compared[link->b] = true;
  }

  /// Medians of the classes; empty if there is one only.
  [[nodiscard]] std::vector<Overview::Class> classes() const {
    std::map<std::size_t, std::vector<double>> values;
    for (const auto* link : measured_) values[link->kind].push_back(stats::median(known(link->visits)));
    if (values.size() < 2) return {};
    std::vector<Overview::Class> list;
    for (const auto& [kind, all] : values) list.push_back({kind, all.size(), stats::median(all)});
    return list;
  }

  /// Adds the two groups that the nodes are of by their links, better first.
  void add_groups(Overview& overview) const {
    std::set<std::size_t> linked;
    for (const auto& value : values_) linked.insert({value.a, value.b});
    std::array<std::vector<std::size_t>, 2> groups;
    for (const std::size_t end : linked)
      groups[static_cast<std::size_t>(found_.ends.of[end].group)].push_back(end);
    for (int group = 0; group < 2; ++group)
      overview.groups.emplace_back(groups[static_cast<std::size_t>(group)].size(), median_within(group));
    overview.groups_differ = difference(groups, machines_);
    overview.members = std::move(groups);
  }

  /// Adds the two groups that links are of, better first, where neither nodes nor classes tell why. Links of
  /// nodes that are named stay out.
  void add_link_groups(Overview& overview) const {
    const auto is_named = [&](std::size_t end) {
      return found_.ends.of[end].worse() || found_.ends.of[end].better();
    };
    std::vector<double> offs, medians;
    for (std::size_t k = 0; k < measured_.size(); ++k) {
      if (is_named(values_[k].a) || is_named(values_[k].b)) continue;
      offs.push_back(values_[k].log - *found_.level(values_[k]));
      medians.push_back(stats::median(known(measured_[k]->visits)));
    }
    const auto found = stats::standings(offs, tolerance_, screen::tests_of_nodes);
    if (!found.two_groups()) return;
    std::array<std::vector<double>, 2> groups;
    for (std::size_t k = 0; k < medians.size(); ++k)
      groups[static_cast<std::size_t>(found.of[k].group)].push_back(medians[k]);
    for (const auto& values : groups) overview.link_groups.emplace_back(values.size(), stats::median(values));
  }

  /// Median of the links among the nodes of a group, in the class that most links are of: links to the other
  /// group say little of a group's own adapters. If none of these was measured, of all links of its nodes.
  [[nodiscard]] double median_within(int group) const {
    std::map<std::size_t, std::size_t> counts;
    for (const auto& value : values_) ++counts[value.kind];
    const std::size_t kind =
        std::ranges::max_element(counts, {}, [](const auto& one) { return one.second; })->first;
    std::vector<double> within, all;
    for (const auto& value : values_) {
      const bool from = found_.ends.of[value.a].group == group, to = found_.ends.of[value.b].group == group;
      if (from || to) all.push_back(value.log);
      if (from && to && value.kind == kind) within.push_back(value.log);
    }
    const double log = stats::median(within.empty() ? all : within);
    return std::exp(what_.lower_is_better ? -log : log);
  }

  /// Number of visits in which each link is worse, by the rule, than its class and ends let expect.
  [[nodiscard]] std::vector<std::size_t> worse_visits_of_links() const {
    std::vector<Visited> links;
    std::size_t all = 0;
    for (std::size_t k = 0; k < measured_.size(); ++k) {
      links.push_back({measured_[k], values_[k].log - found_.links[k].off, found_.links[k].limit});
      all += known(measured_[k]->visits).size();
    }
    return worse_visits(links, tolerance_, stats::alarm_quantile(static_cast<double>(all)), what_);
  }

  [[nodiscard]] Finding of_link(const LinkValues& link, Verdict verdict) const {
    Finding one;
    one.quantity = test_.name;
    one.verdict = verdict;
    one.host = link.a;
    one.other = link.b;
    if (verdict == Verdict::wrong) one.note = "wrong data";
    if (verdict == Verdict::missing) one.note = "no value";
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

  /// Median over the links of an end that were measured again, with partners that it may not have met before,
  /// beside what a usual node would show there; nullopt if none was measured again.
  [[nodiscard]] std::optional<double> end_again(std::size_t end) const {
    const double own = found_.fit.effects[end] - found_.ends.of[end].off;
    std::vector<double> offs;
    for (const auto& link : test_.links) {
      if (link.a != end && link.b != end) continue;
      const auto level = found_.level({link.a, link.b, 0, link.kind});
      if (const auto again = typical(link.again, what_); again && level)
        offs.push_back(*again - gained_ - *level - own - found_.fit.effects[link.a == end ? link.b : link.a]);
    }
    if (offs.empty()) return std::nullopt;
    return stats::median(offs);
  }

  void judge_link(std::size_t k, Screening& out) const {
    const auto& standing = found_.links[k];
    const bool of_named = found_.ends.of[values_[k].a].worse() || found_.ends.of[values_[k].b].worse();
    if (below_reference(k, out) || of_named || !standing.judged) return;
    Finding one = of_link(*measured_[k], Verdict::ok);
    one.off = standing.off;
    one.percent = percent_of(standing.off, what_);
    one.limit_percent = limit_percent(standing.limit, what_);
    const auto visits = known(measured_[k]->visits).size();
    const auto again = off_again(*measured_[k], standing.off, gained_, what_);
    const bool seen_again = 2 * worse_visits_[k] > visits || is_confirmed(again, standing.limit);
    if (standing.worse() && seen_again) {
      one.verdict = Verdict::slow;
      // One look is no proof: what a sample has seen once has to be seen again.
      note_again(one, again, standing.limit, alone_ || visits < 2, what_);
      if (visits < 2 && !again) one.verdict = Verdict::unstable;
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

  /// Adds a finding, by the distance from the reference, if a link is below what that expects, and returns
  /// whether it is.
  bool below_reference(std::size_t k, Screening& out) const {
    const auto expected = options_.reference.find(test_.name);
    if (expected == options_.reference.end()) return false;
    const double limit = std::log1p(expected->second.tolerance.value_or(tolerance_));
    const double off = values_[k].log - screen::good(expected->second.value, what_);
    if (!(off < -limit)) return false;
    Finding one = of_link(*measured_[k], Verdict::slow);
    one.note = "below the reference";
    one.off = off;
    one.percent = percent_of(off, what_);
    one.limit_percent = limit_percent(limit, what_);
    put_words(one, rate_words(found_.links[k].off, what_));
    out.findings.push_back(std::move(one));
    return true;
  }

  const LinkTest& test_;
  bool alone_;  // one after the other
  const Quantity& what_;
  double tolerance_;
  const Options& options_;
  const std::vector<record::Document>& machines_;
  double gained_;
  std::vector<const LinkValues*> measured_;
  std::vector<stats::Between> values_;
  stats::LinkStandings found_;
  std::vector<std::size_t> worse_visits_;  // of each measured link
  double usual_spread_ = 0;                // of the visits of a link
};

}  // namespace

void judge_links(const LinkTest& test, const Options& options, const Measured& measured, Screening& out) {
  LinkJudge(test, options, measured).judge(out);
}

}  // namespace steelyard::screening
