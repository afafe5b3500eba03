// SPDX-License-Identifier: Apache-2.0
#include "analysis/history/history.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <tuple>

#include "analysis/history/entries.hpp"
#include "analysis/history/rank_sums.hpp"
#include "analysis/history/series.hpp"
#include "analysis/parallel.hpp"
#include "record/whereabouts.hpp"
#include "stats/compare.hpp"
#include "units/text.hpp"

namespace steelyard::history {
namespace {

constexpr int known_days = 7;

/// Words for what a suspicion lacks.
std::string confirmed_by(std::size_t more, bool dependent) {
  if (more == 0) return dependent ? "no proof: neighbouring runs resemble each other" : "no proof yet";
  return units::counted(more, "more run like these", "more runs like these") + " would confirm it";
}

std::vector<double> logs_of(const SeriesFinding& one) {
  std::vector<double> logs;
  for (const auto& [entry, value] : one.values) logs.push_back(std::log(value));
  return logs;
}

bool is_worse(const SeriesFinding& one, double ratio) {
  return one.lower_is_better ? ratio > 1 : ratio < 1;
}

/// Whether the newest entries are suspected to be worse than the stretch before them.
bool is_freshly_worse(const SeriesFinding& one) {
  return one.findings.suspicion && is_worse(one, one.findings.suspicion->ratio);
}

/// Where the stretch before a cut begins.
std::size_t begin_before(const SeriesFinding& one, std::size_t cut) {
  std::size_t begin = 0;
  for (const Change& change : one.findings.changes)
    if (change.cut < cut) begin = change.cut;
  return begin;
}

/// The entries that a change lies between.
std::pair<std::size_t, std::size_t> entries_around(const SeriesFinding& one, const Change& change) {
  return {one.values[change.first - 1].first, one.values[change.last].first};
}

class Judge {
 public:
  Judge(History& history, const Keys& keys)
      : keys_(keys), history_(history), since_(place_of_since(history)) {}

  void judge(const SeriesMaker& made) {
    const Aspects aspects(history_.entries);
    judge_levels();
    std::vector<RankSums> ranks(analysis::threads_for(history_.series.size()));
    analysis::share_work(history_.series.size(), [&](std::size_t i, std::size_t thread) {
      settle(history_.series[i], aspects, ranks[thread]);
      if (const auto* points = made.points_of(i)) name_carriers(*points, history_.series[i]);
    });
  }

 private:
  /// Series of a level that are tested together, and the p up to which they are rejected.
  struct Family {
    double series = 1;  // one where there are none
    double limit = 0;
  };

  void judge_levels() {
    for (const Level level : history_.options.levels) {
      std::vector<double> probabilities;
      std::vector<SeriesFinding*> tested;
      for (SeriesFinding& one : history_.series) {
        if (one.level != level) continue;
        if (one.values.size() < fewest_entries) {
          if (one.verdict == Verdict::stable) one.verdict = Verdict::too_few;
          continue;
        }
        tested.push_back(&one);
      }
      test_series(tested);
      Family& family = families_[level];
      family.series = static_cast<double>(std::max<std::size_t>(1, tested.size()));
      for (const SeriesFinding* one : tested) probabilities.push_back(one->p);
      const double alpha = history_.options.method.alpha;
      const auto found = stats::benjamini_hochberg(probabilities, alpha);
      family.limit = alpha * static_cast<double>(std::ranges::count(found, true)) / family.series;
      for (std::size_t i = 0; i < tested.size(); ++i) take_verdict(*tested[i], found[i]);
    }
  }

  void test_series(const std::vector<SeriesFinding*>& tested) const {
    std::vector<RankSums> ranks(analysis::threads_for(tested.size()));
    analysis::share_work(tested.size(), [&](std::size_t i, std::size_t thread) {
      SeriesFinding& one = *tested[i];
      one.findings = find_changes(logs_of(one), history_.options.method, ranks[thread]);
      const double p = one.findings.changes.empty() ? one.findings.p : one.findings.changes.back().p;
      one.p = std::min(1.0, p * static_cast<double>(std::max<std::size_t>(1, one.findings.tested)));
    });
  }

  void take_verdict(SeriesFinding& one, bool found) const {
    const auto& findings = one.findings;
    if (one.verdict != Verdict::stable) return;
    if (!findings.changes.empty()) {
      const Change& change = findings.changes.back();
      if (found)
        one.verdict = is_worse(one, change.ratio) ? Verdict::regressed : Verdict::improved;
      else
        one.verdict = waits_for_proof(one) ? Verdict::suspect : Verdict::unclear;
      if (found && findings.changes.size() > 1) {
        const double both = change.ratio * findings.changes[findings.changes.size() - 2].ratio;
        if (std::abs(std::log(both)) <= std::log1p(history_.options.method.threshold))
          one.verdict = Verdict::recovered;
      }
    } else if (findings.trend) {
      one.verdict = is_worse(one, findings.trend->ratio) ? Verdict::drifts : Verdict::stable;
    }
    if (is_freshly_worse(one) && one.verdict != Verdict::regressed) one.verdict = Verdict::suspect;
  }

  /// Number of entries like the newest ones that the step before them lacks until its level rejects it, alone
  /// among the series; 0: there are enough of them.
  [[nodiscard]] std::size_t lacking(const SeriesFinding& one, std::size_t cut) const {
    const auto& changes = one.findings.changes;
    const std::size_t before = cut - begin_before(one, cut), after = one.values.size() - cut;
    std::size_t beside = one.findings.tested;
    if (!changes.empty() && changes.back().cut == cut)  // then its sides are among the stretches
      for (const std::size_t side : {before, after})
        if (side >= fewest_entries && beside > 1) --beside;
    const double alpha = history_.options.method.alpha / families_.at(one.level).series;
    const std::size_t needed = entries_needed(before, alpha, beside);
    return needed > after ? needed - after : 0;
  }

  /// Whether the newest change is a suspicion still: its level cannot reject what is so new.
  [[nodiscard]] bool waits_for_proof(const SeriesFinding& one) const {
    const Change& change = one.findings.changes.back();
    return change.clear && is_worse(one, change.ratio) && lacking(one, change.cut) > 0;
  }

  /// Fills what is told of the newest change, or of the suspicion.
  void settle(SeriesFinding& one, const Aspects& aspects, RankSums& ranks) const {
    const auto& findings = one.findings;
    one.accepted = reason_to_accept(one);
    take_verdict_of_known(one, ranks);
    if (one.verdict == Verdict::suspect && is_freshly_worse(one)) {
      tell_suspicion(one, aspects);
    } else if (!findings.changes.empty()) {
      tell_change(one, aspects);
      if (one.verdict == Verdict::suspect)
        one.remark = confirmed_by(lacking(one, findings.changes.back().cut), findings.dependent);
    } else if (one.verdict == Verdict::drifts) {
      one.ratio = findings.trend->ratio;
      one.p = findings.trend->p;
    }
    const bool told_beside =
        one.verdict == Verdict::stable || (one.verdict == Verdict::regressed && is_freshly_worse(one));
    if (findings.suspicion && told_beside)
      one.remark = "newest " + units::counted(findings.suspicion->entries, "entry", "entries") + ' ' +
                   percent_of(findings.suspicion->ratio) + ", no proof";
    one.counts = counts_behind(one, ranks);
  }

  /// An accepted change begins a new stretch: what is fresh in that one is told. So it is behind a regression
  /// from before `since`, which nobody is told of again.
  void take_verdict_of_known(SeriesFinding& one, RankSums& ranks) const {
    if (one.findings.changes.empty() || one.verdict == Verdict::failing || one.verdict == Verdict::missing)
      return;
    const bool old = one.accepted || (one.verdict == Verdict::regressed && !counts_change(one, ranks));
    if (is_freshly_worse(one) && old)
      one.verdict = Verdict::suspect;
    else if (one.accepted)
      one.verdict = Verdict::known;
    if (one.verdict == Verdict::known) one.remark = *one.accepted;
  }

  void tell_suspicion(SeriesFinding& one, const Aspects& aspects) const {
    const Suspicion& suspicion = *one.findings.suspicion;
    const std::size_t cut = one.values.size() - suspicion.entries, begin = begin_before(one, cut);
    one.ratio = suspicion.ratio;
    one.before = cut - begin;
    one.after = suspicion.entries;
    one.between = std::pair(one.values[cut - 1].first, one.values[cut].first);
    one.remark = confirmed_by(lacking(one, cut), one.findings.dependent);
    aspects.explain(one, begin, cut, cut);
  }

  void tell_change(SeriesFinding& one, const Aspects& aspects) const {
    const Change& change = one.findings.changes.back();
    const std::size_t begin = begin_before(one, change.cut);
    one.ratio = change.ratio;
    one.interval = change.interval;
    one.before = change.cut - begin;
    one.after = one.values.size() - change.cut;
    one.between = entries_around(one, change);
    aspects.explain(one, begin, change.first, change.last);
  }

  /// Names the points of a curve that moved with it, and how far, the largest first. They are not tested.
  void name_carriers(const std::vector<const Gathered*>& points, SeriesFinding& one) const {
    if (!one.ratio || !one.between) return;
    const std::size_t cut = one.values.size() - one.after;
    const std::size_t first = one.values[cut - one.before].first, place = one.values[cut].first;
    std::vector<std::pair<double, std::string_view>> moved;  // ln of the ratio, and the size
    for (const Gathered* point : points) {
      std::vector<double> before, after;
      each_entry(point->cells, [&](const Joined& joined) {
        if (joined.value && joined.entry >= first)
          (joined.entry < place ? before : after).push_back(std::log(*joined.value));
      });
      if (before.empty() || after.empty()) continue;
      const double size = stats::median(std::move(after)) - stats::median(std::move(before));
      if (size * std::log(*one.ratio) > 0 && std::abs(size) > std::log1p(history_.options.method.threshold))
        moved.emplace_back(size, size_in(keys_.text(point->key)));
    }
    std::ranges::stable_sort(moved, std::greater<>(), [](const auto& held) { return std::abs(held.first); });
    if (moved.empty()) return;
    constexpr std::size_t most_named = 3;
    std::string words;
    for (std::size_t i = 0; i < std::min(moved.size(), most_named); ++i)
      words += (i == 0 ? "carried by " : ", ") + std::string(moved[i].second) + ' ' +
               percent_of(std::exp(moved[i].first));
    if (moved.size() > most_named) words += " and " + std::to_string(moved.size() - most_named) + " more";
    one.remark += (one.remark.empty() ? "" : "; ") + words;
  }

  /// The reason for which the newest change is accepted; nullopt if it is not.
  [[nodiscard]] std::optional<std::string> reason_to_accept(const SeriesFinding& one) const {
    if (one.findings.changes.empty()) return std::nullopt;
    const auto [from, to] = entries_around(one, one.findings.changes.back());
    const Entry& after = history_.entries[to];
    const auto first = *day_of(history_.entries[from].started), last = *day_of(after.started);
    std::optional<std::string> reason;
    for (const Known& known : history_.options.known) {
      const auto day = day_of(known.after);
      if (!day || *day + known_days < first || *day - known_days > last || !known.where.accepts(after.head))
        continue;
      if (!comparison::matches(known.pattern, one.name) &&
          !comparison::matches(known.pattern, benchmark_in(one.name)))
        continue;
      if (const auto until = day_of(known.until); until && *day_of(history_.entries.back().started) > *until)
        continue;
      reason = known.reason;
    }
    return reason;
  }

  /// Whether the finding lies after `since`: the change, or what began there; with "last" what the series did
  /// not have before its newest entry.
  [[nodiscard]] bool counts_behind(const SeriesFinding& one, RankSums& ranks) const {
    const std::string& since = history_.options.since;
    if (since.empty()) return true;
    if (one.began) return *one.began >= (since == "last" ? history_.entries.size() - 1 : since_);
    const bool of_suspicion = one.verdict == Verdict::suspect && is_freshly_worse(one);
    if (!of_suspicion && !one.findings.changes.empty()) return counts_change(one, ranks);
    if (since != "last") return !one.between || one.between->second >= since_;
    if (!has_newest_entry(one)) return false;
    const auto before = found_before_newest(one, ranks);
    return one.verdict == Verdict::suspect ? !before.suspicion : !before.trend;
  }

  /// Whether the newest change lies after `since`; with "last" whether it has the verdict since the newest entry. What
  /// its level did not reject before was a suspicion, or nothing that was told.
  [[nodiscard]] bool counts_change(const SeriesFinding& one, RankSums& ranks) const {
    const std::string& since = history_.options.since;
    const Change& change = one.findings.changes.back();
    if (since.empty()) return true;
    if (since != "last") return entries_around(one, change).second >= since_;
    if (!has_newest_entry(one)) return false;
    const auto before = found_before_newest(one, ranks);
    const bool suspected = one.verdict == Verdict::suspect;
    if (suspected && before.suspicion) return false;
    const double limit = families_.at(one.level).limit;
    return std::ranges::none_of(before.changes, [&](const Change& held) {
      const bool is_it = held.first <= change.last && held.last >= change.first;
      return is_it && (suspected || held.p * static_cast<double>(before.tested) <= limit);
    });
  }

  [[nodiscard]] bool has_newest_entry(const SeriesFinding& one) const {
    return !one.values.empty() && one.values.back().first == history_.entries.size() - 1;
  }

  [[nodiscard]] Findings found_before_newest(const SeriesFinding& one, RankSums& ranks) const {
    auto logs = logs_of(one);
    logs.pop_back();
    return find_changes(logs, history_.options.method, ranks);
  }

  const Keys& keys_;
  History& history_;
  std::size_t since_ = 0;
  std::map<Level, Family> families_;
};

double size_of(const SeriesFinding& one) {
  return one.ratio ? std::abs(std::log(*one.ratio)) : 0;
}

using record::Json;

/// Verdicts, lightest first.
constexpr std::array<std::string_view, 4> verdicts{"unstable", "slow", "missing", "wrong"};

std::ptrdiff_t weight(std::string_view verdict) {
  const auto found = std::ranges::find(verdicts, verdict);
  return found == verdicts.end() ? -1 : found - verdicts.begin();
}

bool is_nameless(const record::RunRecord& head) {
  const Json& config = head.config.json();
  return config.is_object() && config.contains("anonymous") && config["anonymous"] == Json(true);
}

std::set<std::string> nodes_in(const RunColumns& run) {
  auto hosts = run.screened_hosts.empty() ? record::host_names(run.head) : run.screened_hosts;
  std::erase(hosts, "");
  return {hosts.begin(), hosts.end()};
}

class Collecting {
 public:
  void add(const RunColumns& run) {
    if (!run.named) return;
    ++out_.screenings;
    if (is_nameless(run.head)) {
      ++out_.nameless;
      return;
    }
    const std::string& machine = run.head.name;
    screenings_.push_back({machine, nodes_in(run), {}});
    for (const NamedNode& one : *run.named)
      if (weight(one.verdict) >= 0) take(one, machine, run.head.started_utc.substr(0, ten));
  }

  NodeHistories taken() {
    for (auto& [key, node] : nodes_) {
      count(key, node);
      out_.nodes.push_back(std::move(node));
    }
    std::ranges::sort(out_.nodes, [](const NodeHistory& a, const NodeHistory& b) {
      return std::tie(b.named, b.in_a_row, a.machine, a.who) <
             std::tie(a.named, a.in_a_row, b.machine, b.who);
    });
    return std::move(out_);
  }

 private:
  static constexpr std::size_t ten = 10;                          // characters of a date
  using Key = std::tuple<std::string, std::string, std::string>;  // machine, host, other host
  struct One {
    std::string machine;
    std::set<std::string> hosts;
    std::set<Key> named;
  };

  void take(const NamedNode& one, const std::string& machine, const std::string& day) {
    const Key key{machine, one.host, one.other};
    NodeHistory& node = nodes_[key];
    node.machine = machine;
    node.who = one.host + (one.other.empty() ? "" : " - " + one.other);
    if (node.first.empty()) node.first = day;
    node.last = day;
    if (weight(one.verdict) > weight(node.verdict)) node.verdict = one.verdict;
    ++node.quantities[one.quantity];
    if (std::abs(one.percent) > std::abs(node.worst_percent)) node.worst_percent = one.percent;
    screenings_.back().named.insert(key);
  }

  /// Counts the screenings of a node or link. A link is in a screening that has both of its nodes.
  void count(const Key& key, NodeHistory& node) const {
    const auto& [machine, host, other] = key;
    for (const One& one : screenings_) {
      const bool there =
          one.machine == machine && one.hosts.contains(host) && (other.empty() || one.hosts.contains(other));
      if (!there) continue;
      const bool named = one.named.contains(key);
      ++node.screened;
      node.named += named ? 1 : 0;
      node.in_a_row = named ? node.in_a_row + 1 : 0;
    }
  }

  NodeHistories out_;
  std::map<Key, NodeHistory> nodes_;
  std::vector<One> screenings_;
};

}  // namespace

std::string_view text(Verdict verdict) {
  constexpr std::array<std::string_view, verdict_count> words = {
      "regressed", "failing",  "suspect", "drifts", "missing", "unclear",
      "recovered", "improved", "known",   "stable", "too few"};
  return words[static_cast<std::size_t>(verdict)];
}

std::string_view text(Level level) {
  return level == Level::figures ? "figures" : level == Level::curves ? "curves" : "points";
}

std::size_t History::count(Verdict verdict) const {
  return static_cast<std::size_t>(std::ranges::count(series, verdict, &SeriesFinding::verdict));
}

History analyse(std::vector<RunColumns> runs, const Keys& keys, Options options) {
  History history;
  history.options = std::move(options);
  drop_repeats(runs, history);
  order(runs, history);
  history.screened = node_histories(runs);
  const auto entry_of = make_entries(runs, history);
  history.notes = adopt_contexts(history.entries);
  SeriesMaker made(runs, entry_of, keys, history);
  made.add_series();
  Judge(history, keys).judge(made);
  std::ranges::sort(history.series, [](const SeriesFinding& a, const SeriesFinding& b) {
    return std::tuple(a.verdict, -size_of(a), a.level, std::tie(a.name, a.context)) <
           std::tuple(b.verdict, -size_of(b), b.level, std::tie(b.name, b.context));
  });
  return history;
}

NodeHistories node_histories(std::span<const RunColumns> runs) {
  Collecting collecting;
  for (const RunColumns& run : runs) collecting.add(run);
  return collecting.taken();
}

}  // namespace steelyard::history
