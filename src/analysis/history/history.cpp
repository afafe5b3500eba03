// SPDX-License-Identifier: Apache-2.0
#include "analysis/history/history.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <map>
#include <tuple>

#include "analysis/balance/merits.hpp"
#include "analysis/comparison/comparison.hpp"
#include "analysis/history/causes.hpp"
#include "analysis/history/continued.hpp"
#include "analysis/parallel.hpp"
#include "stats/compare.hpp"
#include "units/text.hpp"
#include "units/utc.hpp"

namespace steelyard::history {
namespace {

constexpr std::size_t good_before_failing = 3;
constexpr int known_days = 7;

/// Days since 1970 of "2026-05-12..."; nothing for other texts, before 1995 and after the end of the century.
std::optional<std::int64_t> day_of(std::string_view utc) {
  constexpr std::chrono::sys_days first{std::chrono::year{1995} / 1 / 1},
      end{std::chrono::year{2100} / 1 / 1};
  const auto moment = units::utc_moment(utc);
  if (!moment || *moment < first || *moment >= end) return std::nullopt;
  return std::chrono::floor<std::chrono::days>(*moment).time_since_epoch().count();
}

std::string context_of(const record::RunRecord& head, const std::vector<std::string>& by) {
  std::string text = head.name + ", " + std::to_string(head.processes) + " processes";
  for (const auto& aspect : comparison::layout_of(head))
    if (aspect.name != "ranks on nodes" || head.nodes > 1)
      text += ", " + aspect.name + ' ' + (aspect.value.empty() ? "unknown" : aspect.value);
  for (const std::string& name : by) text += ", " + name + ' ' + comparison::run_word(head, name);
  return text;
}

/// suite/benchmark of a point's key.
std::string_view benchmark_in(std::string_view key) {
  return key.substr(0, std::min(key.find(';'), key.find(' ')));
}

bool is_size(std::string_view parameter) {
  return parameter.starts_with("message_byte=") || parameter.starts_with("chunk_byte=") ||
         parameter.starts_with("count_byte=");
}

/// The key without its size, the metric last: what the points of a curve share. Empty: the point has no size.
std::string curve_in(std::string_view key) {
  std::string curve;
  bool sized = false;
  const std::size_t blank = key.rfind(' ');
  const std::string_view words = key.substr(0, blank);
  for (std::size_t at = 0; at <= words.size();) {
    const std::size_t end = std::min(words.find(';', at), words.size());
    const std::string_view part = words.substr(at, end - at);
    at = end + 1;
    if (is_size(part))
      sized = true;
    else
      curve.append(curve.empty() ? "" : ";").append(part);
  }
  return sized ? curve.append(key.substr(blank)) : std::string();
}

/// "message_byte=8" of a key that has a size.
std::string_view size_in(std::string_view key) {
  const std::string_view words = key.substr(0, key.rfind(' '));
  for (std::size_t at = 0; at <= words.size();) {
    const std::size_t end = std::min(words.find(';', at), words.size());
    if (is_size(words.substr(at, end - at))) return words.substr(at, end - at);
    at = end + 1;
  }
  return words;
}

/// The metric at the end of a key, without its statistic.
std::string_view metric_in(std::string_view key) {
  const std::string_view metric = key.substr(key.rfind(' ') + 1);
  return metric.substr(0, metric.find('.'));
}

/// One launch's value; the launches of an entry follow each other.
struct LaunchValue {
  std::uint32_t entry = 0;
  float half_width = -1;
  double value = 0;
  ValueState state = ValueState::good;
};

/// What a suspicion lacks.
std::string confirmed_by(std::size_t more, bool dependent) {
  if (more == 0) return dependent ? "no proof: neighbouring runs resemble each other" : "no proof yet";
  return units::counted(more, "more run like these", "more runs like these") + " would confirm it";
}

/// The launches of an entry as one.
struct Joined {
  std::size_t entry = 0;
  std::optional<double> value;  // median of what is good
  float half_width = -1;        // of one launch; several have their spread, which is none
  ValueState state = ValueState::good;
};

/// What belongs together before it is judged.
struct Gathered {
  std::uint32_t key = 0;
  std::size_t context = 0;
  bool lower_is_better = true;
  Statistic statistic = Statistic::own;
  std::vector<LaunchValue> cells;
};

template <class Take>
void each_entry(const std::vector<LaunchValue>& cells, const Take& take) {
  for (std::size_t i = 0; i < cells.size();) {
    const auto alone = [&] { return i + 1 == cells.size() || cells[i + 1].entry != cells[i].entry; };
    if (alone()) {
      const bool good = cells[i].state == ValueState::good;
      take(Joined{cells[i].entry, good ? std::optional(cells[i].value) : std::nullopt, cells[i].half_width,
                  cells[i].state});
      ++i;
      continue;
    }
    Joined joined{cells[i].entry, {}, -1, cells[i].state};
    std::vector<double> values;
    for (; i < cells.size() && cells[i].entry == joined.entry; ++i) {
      if (cells[i].state == ValueState::good)
        values.push_back(cells[i].value);
      else
        joined.state = cells[i].state;
    }
    if (!values.empty()) joined.value = stats::median(std::move(values));
    take(joined);
  }
}

class Analysis {
 public:
  Analysis(std::vector<RunColumns> runs, const Keys& keys, Options options)
      : keys_(keys), runs_(std::move(runs)) {
    history_.options = std::move(options);
  }

  History run() {
    drop_repeats();
    order();
    history_.screened = node_histories(runs_);
    make_entries();
    history_.notes = adopt_contexts(history_.entries);
    since_ = place_of_since();
    gather();
    add_series();
    const Aspects aspects(history_.entries);
    judge_levels();
    std::vector<RankSums> ranks(analysis::threads_for(history_.series.size()));
    analysis::share_work(history_.series.size(), [&](std::size_t i, std::size_t thread) {
      settle(history_.series[i], aspects, ranks[thread]);
      if (i >= first_curve_ && i < first_curve_ + curves_.size())
        name_carriers(curves_[i - first_curve_].points, history_.series[i]);
    });
    std::ranges::sort(history_.series, [](const SeriesFinding& a, const SeriesFinding& b) {
      return std::tuple(a.verdict, -size_of(a), a.level, std::tie(a.name, a.context)) <
             std::tuple(b.verdict, -size_of(b), b.level, std::tie(b.name, b.context));
    });
    return std::move(history_);
  }

 private:
  static double size_of(const SeriesFinding& one) { return one.ratio ? std::abs(std::log(*one.ratio)) : 0; }

  /// The same run in two files counts once; two different ones of one id are refused.
  void drop_repeats() {
    std::map<std::string, std::size_t> first;
    std::set<std::string> refused;
    std::vector<bool> dropped(runs_.size(), false);
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const auto [found, is_new] = first.try_emplace(runs_[i].id, i);
      if (is_new) continue;
      dropped[i] = true;
      if (!alike(runs_[i], runs_[found->second])) refused.insert(runs_[i].id);
    }
    std::vector<RunColumns> kept;
    for (std::size_t i = 0; i < runs_.size(); ++i)
      if (!dropped[i] && !refused.contains(runs_[i].id)) kept.push_back(std::move(runs_[i]));
    runs_ = std::move(kept);
    history_.conflicts.assign(refused.begin(), refused.end());
  }

  static bool alike(const RunColumns& a, const RunColumns& b) {
    return a.columns.size() == b.columns.size() &&
           std::ranges::equal(a.columns, b.columns, [](const Column& x, const Column& y) {
             return x.key == y.key && x.value == y.value;
           });
  }

  void order() {
    const auto today = day_of(history_.options.now);  // clocks differ by a zone at most
    history_.undated = static_cast<std::size_t>(std::erase_if(runs_, [&](const RunColumns& run) {
      const auto day = day_of(run.head.started_utc);
      return !day || (today && *day > *today + 1) || has_only_date_of_file(run.head);
    }));
    std::ranges::sort(runs_, {},
                      [](const RunColumns& run) { return std::pair(run.head.started_utc, run.id); });
    history_.runs = runs_.size();
  }

  /// When a text was copied last says nothing of when it was measured.
  static bool has_only_date_of_file(const record::RunRecord& head) {
    const std::string from = record::text_in(head.imported.json(), "started_from");
    return from == "file_time" || from == "unknown";
  }

  /// The launches of a series are one entry, at the place of the last.
  void make_entries() {
    std::map<std::string, std::size_t> last;
    for (std::size_t i = 0; i < runs_.size(); ++i)
      if (!runs_[i].head.series.empty()) last[runs_[i].head.series] = i;
    std::map<std::string, std::vector<std::size_t>> waiting;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const std::string& series = runs_[i].head.series;
      std::vector<std::size_t> members{i};
      if (!series.empty()) {
        waiting[series].push_back(i);
        if (last[series] != i) continue;
        members = waiting[series];
      }
      Entry entry;
      for (const std::size_t member : members) {
        entry.runs.push_back(runs_[member].id);
        entry_of_.emplace(member, history_.entries.size());
      }
      entry.source = runs_[i].source;
      entry.head = runs_[i].head;
      entry.started = entry.head.started_utc;
      entry.context = context_of(entry.head, history_.options.by);
      history_.entries.push_back(std::move(entry));
    }
  }

  std::size_t place_of_since() const {
    const std::string& since = history_.options.since;
    if (since.empty() || since == "last") return 0;
    if (const auto day = day_of(since)) {
      const auto found = std::ranges::find_if(history_.entries,
                                              [&](const Entry& one) { return *day_of(one.started) >= *day; });
      return static_cast<std::size_t>(found - history_.entries.begin());
    }
    for (std::size_t i = 0; i < history_.entries.size(); ++i) {
      const Entry& one = history_.entries[i];
      if (std::ranges::find(one.runs, since) != one.runs.end()) return i;
      for (const auto& [name, value] : one.head.labels)
        if (name + '=' + value == since || value == since) return i;
    }
    throw UnknownSince("'" + since + "' is no date, no run and no label of these runs");
  }

  void gather() {
    std::map<std::string, std::size_t> contexts, entries_in;
    for (const Entry& one : history_.entries) ++entries_in[one.context];
    const Continued continued(keys_, runs_);
    std::vector<bool> wanted(keys_.size());
    for (std::uint32_t key = 0; key < keys_.size(); ++key) wanted[key] = is_wanted(keys_.text(key));
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const std::size_t entry = entry_of_.at(i);
      const auto [context, new_context] =
          contexts.try_emplace(history_.entries[entry].context, contexts.size());
      if (new_context) dense_.emplace_back(keys_.size(), 0);
      auto& dense = dense_[context->second];
      for (const Column& recorded : runs_[i].columns) {
        if (!wanted[recorded.key]) continue;
        const Column column = continued.in_definition(recorded);
        if (dense[column.key] == 0) {
          gathered_.push_back(
              {column.key, context->second, column.lower_is_better, continued.statistic(column.key), {}});
          gathered_.back().cells.reserve(entries_in[context->first]);
          dense[column.key] = gathered_.size();
        }
        gathered_[dense[column.key] - 1].cells.push_back(
            {static_cast<std::uint32_t>(entry), column.half_width, column.value, column.state});
      }
      runs_[i].columns = {};
    }
    for (Gathered& one : gathered_)  // launches of a series may lie around other runs
      if (!std::ranges::is_sorted(one.cells, {}, &LaunchValue::entry))
        std::ranges::stable_sort(one.cells, {}, &LaunchValue::entry);
    contexts_.resize(contexts.size());
    for (const auto& [words, place] : contexts) contexts_[place] = words;
    newest_.assign(contexts.size(), 0);
    for (std::size_t i = 0; i < history_.entries.size(); ++i)
      newest_[contexts.at(history_.entries[i].context)] = i;
  }

  [[nodiscard]] bool is_wanted(std::string_view key) const {
    const auto& patterns = history_.options.patterns;
    if (key.starts_with(figure_start))
      return history_.options.levels.contains(Level::figures) && patterns.empty();
    return patterns.empty() || std::ranges::any_of(patterns, [&](const std::string& one) {
             return comparison::matches(one, benchmark_in(key));
           });
  }

  void add_series() {
    std::map<std::pair<std::size_t, std::string>, std::vector<const Gathered*>> curves;
    const auto& levels = history_.options.levels;
    for (const Gathered& one : gathered_) {
      const std::string& key = keys_.text(one.key);
      const bool figure = key.starts_with(figure_start);
      if (figure) {
        add_plain(one, Level::figures, key.substr(figure_start.size()));
        continue;
      }
      if (levels.contains(Level::curves))
        if (std::string curve = curve_in(key); !curve.empty())
          curves[{one.context, std::move(curve)}].push_back(&one);
      if (levels.contains(Level::points)) add_plain(one, Level::points, key);
    }
    for (auto& [place, points] : curves)
      if (points.size() > 1) curves_.push_back({place.first, place.second, std::move(points)});
    add_curves();
  }

  /// The points of a benchmark that differ in their size alone.
  struct CurvePoints {
    std::size_t context;
    std::string name;
    std::vector<const Gathered*> points;
  };

  void add_curves() {
    const auto& curves = curves_;
    const std::size_t first = first_curve_ = history_.series.size();
    for (const CurvePoints& one : curves) {
      SeriesFinding& series =
          new_series(Level::curves, one.context, one.name, one.points.front()->lower_is_better);
      series.statistic = one.points.front()->statistic;
    }
    analysis::share_work(curves.size(), [&](std::size_t i, std::size_t) {
      take_curve(curves[i].points, history_.entries.size(), history_.series[first + i]);
    });
    for (std::size_t i = 0; i < curves.size(); ++i)
      if (std::ranges::none_of(curves[i].points, [&](const Gathered* point) {
            return point->cells.back().entry == newest_[point->context];
          }))
        missing_candidate(history_.series[first + i], *curves[i].points.front());
  }

  SeriesFinding& new_series(Level level, std::size_t context, std::string name, bool lower) {
    SeriesFinding& one = history_.series.emplace_back();
    one.level = level;
    one.context = contexts_[context];
    one.lower_is_better = lower;
    const auto* merit = balance::merit_figure(name);
    one.unit = level == Level::curves                        ? ""
               : level == Level::figures && merit != nullptr ? std::string(merit->unit)
                                                             : std::string(record::unit_of(metric_in(name)));
    one.name = std::move(name);
    return one;
  }

  void add_plain(const Gathered& gathered, Level level, std::string name) {
    SeriesFinding& one = new_series(level, gathered.context, std::move(name), gathered.lower_is_better);
    one.statistic = gathered.statistic;
    Joined last;
    each_entry(gathered.cells, [&](const Joined& joined) {
      if (joined.value) {
        one.values.emplace_back(joined.entry, *joined.value);
        one.half_widths.push_back(joined.half_width);
      } else {
        ++one.left_out;
      }
      last = joined;
    });
    const bool bad = !last.value && (last.state == ValueState::failed || last.state == ValueState::wrong);
    if (bad && last.entry == newest_[gathered.context] && one.values.size() >= good_before_failing)
      one.verdict = Verdict::failing;
    if (last.entry != newest_[gathered.context]) missing_candidate(one, gathered);
  }

  /// Not measured any more although its benchmark was.
  void missing_candidate(SeriesFinding& one, const Gathered& gathered) {
    const std::string_view key = keys_.text(gathered.key);
    if (key.starts_with(figure_start)) return;
    if (measured_now_.empty()) find_measured_now();
    if (measured_now_.contains({gathered.context, std::string(benchmark_in(key))}))
      one.verdict = Verdict::missing;
  }

  void find_measured_now() {
    for (const Gathered& one : gathered_)
      if (one.cells.back().entry == newest_[one.context])
        measured_now_.insert({one.context, std::string(benchmark_in(keys_.text(one.key)))});
    measured_now_.insert({contexts_.size(), {}});  // not empty: was asked
  }

  /// Mean over the points of ln of the value less the median of the point's series; entries with half of the points.
  static void take_curve(const std::vector<const Gathered*>& points, std::size_t entries,
                         SeriesFinding& one) {
    std::vector<std::pair<double, std::size_t>> sums(entries);  // by entry
    std::vector<std::pair<std::size_t, double>> logs;
    std::vector<double> ordered;
    for (const Gathered* point : points) {
      logs.clear();
      ordered.clear();
      each_entry(point->cells, [&](const Joined& joined) {
        if (joined.value) logs.emplace_back(joined.entry, std::log(*joined.value));
      });
      if (logs.empty()) continue;
      for (const auto& [entry, log] : logs) ordered.push_back(log);
      const double centre = stats::median(ordered);
      for (const auto& [entry, log] : logs) {
        sums[entry].first += log - centre;
        ++sums[entry].second;
      }
    }
    for (std::size_t entry = 0; entry < entries; ++entry) {
      const auto& [sum, count] = sums[entry];
      if (count == 0) continue;
      if (2 * count < points.size())
        ++one.left_out;
      else
        one.values.emplace_back(entry, std::exp(sum / static_cast<double>(count)));
    }
    one.half_widths.assign(one.values.size(), -1);
  }

  static std::vector<double> logs_of(const SeriesFinding& one) {
    std::vector<double> logs;
    for (const auto& [entry, value] : one.values) logs.push_back(std::log(value));
    return logs;
  }

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
      for (const SeriesFinding* one : tested) probabilities.push_back(one->p);
      const auto found = stats::benjamini_hochberg(probabilities, history_.options.method.alpha);
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

  static bool is_worse(const SeriesFinding& one, double ratio) {
    return one.lower_is_better ? ratio > 1 : ratio < 1;
  }

  void take_verdict(SeriesFinding& one, bool found) const {
    const auto& findings = one.findings;
    if (one.verdict != Verdict::stable) return;
    if (!findings.changes.empty()) {
      const Change& change = findings.changes.back();
      one.verdict = !found                        ? Verdict::unclear
                    : is_worse(one, change.ratio) ? Verdict::regressed
                                                  : Verdict::improved;
      if (found && findings.changes.size() > 1) {
        const double both = change.ratio * findings.changes[findings.changes.size() - 2].ratio;
        if (std::abs(std::log(both)) <= std::log1p(history_.options.method.threshold))
          one.verdict = Verdict::recovered;
      }
    } else if (findings.trend) {
      one.verdict = is_worse(one, findings.trend->ratio) ? Verdict::drifts : Verdict::stable;
    }
    const bool fresh = findings.suspicion && is_worse(one, findings.suspicion->ratio);
    if (fresh && one.verdict != Verdict::regressed) one.verdict = Verdict::suspect;
  }

  /// What is told of the newest change, or of what is suspected.
  void settle(SeriesFinding& one, const Aspects& aspects, RankSums& ranks) const {
    const auto& findings = one.findings;
    if (one.verdict == Verdict::suspect) {
      one.ratio = findings.suspicion->ratio;
      one.after = findings.suspicion->entries;
      one.before = one.values.size() - one.after;
      one.between = std::pair(one.values[one.before - 1].first, one.values[one.before].first);
      one.remark = confirmed_by(findings.suspicion->more, findings.dependent);
    } else if (!findings.changes.empty()) {
      const auto& changes = findings.changes;
      const Change& change = changes.back();
      const std::size_t begin = changes.size() > 1 ? changes[changes.size() - 2].cut : 0;
      one.ratio = change.ratio;
      one.interval = change.interval;
      one.before = change.cut - begin;
      one.after = one.values.size() - change.cut;
      one.between = std::pair(one.values[change.first - 1].first, one.values[change.last].first);
      aspects.explain(one, begin, one.values.size());
      if (one.verdict != Verdict::failing && one.verdict != Verdict::missing) accept_known(one);
    } else if (one.verdict == Verdict::drifts) {
      one.ratio = findings.trend->ratio;
      one.p = findings.trend->p;
    }
    if (one.verdict == Verdict::stable && findings.suspicion && !is_worse(one, findings.suspicion->ratio))
      one.remark = "newest " + units::counted(findings.suspicion->entries, "entry", "entries") + ' ' +
                   percent_of(findings.suspicion->ratio) + ", no proof";
    one.counts = counts_behind(one, ranks);
  }

  /// Which points of a curve moved with it, and how far: the largest first. No test is made of them.
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

  void accept_known(SeriesFinding& one) const {
    const Entry& after = history_.entries[one.between->second];
    const auto first = *day_of(history_.entries[one.between->first].started), last = *day_of(after.started);
    for (const Known& known : history_.options.known) {
      const auto day = day_of(known.after);
      if (!day || *day + known_days < first || *day - known_days > last || !known.where.accepts(after.head))
        continue;
      if (!comparison::matches(known.pattern, one.name) &&
          !comparison::matches(known.pattern, benchmark_in(one.name)))
        continue;
      if (const auto until = day_of(known.until); until && *day_of(history_.entries.back().started) > *until)
        continue;
      one.verdict = Verdict::known;
      one.remark = known.reason;
    }
  }

  /// Behind `since`: the change, or with "last" what the series did not have before its newest entry.
  [[nodiscard]] bool counts_behind(const SeriesFinding& one, RankSums& ranks) const {
    if (history_.options.since.empty() || one.verdict == Verdict::failing) return true;
    if (one.verdict == Verdict::missing && history_.options.since != "last") return true;
    if (history_.options.since != "last") return !one.between || one.between->second >= since_;
    if (one.values.empty() || one.values.back().first != history_.entries.size() - 1)
      return one.verdict == Verdict::failing || one.verdict == Verdict::missing;
    auto logs = logs_of(one);
    logs.pop_back();
    const auto before = find_changes(logs, history_.options.method, ranks);
    if (one.verdict == Verdict::suspect) return !before.suspicion;
    if (one.findings.changes.empty()) return !before.trend;
    const Change& change = one.findings.changes.back();
    return std::ranges::none_of(before.changes, [&](const Change& held) {
      return held.first <= change.last && held.last >= change.first;
    });
  }

  const Keys& keys_;
  std::vector<RunColumns> runs_;
  History history_;
  std::map<std::size_t, std::size_t> entry_of_;  // of runs
  std::vector<std::string> contexts_;
  std::vector<std::size_t> newest_;              // entry of each context
  std::vector<std::vector<std::size_t>> dense_;  // by context and key: 1 + place in gathered_
  std::vector<Gathered> gathered_;
  std::set<std::pair<std::size_t, std::string>> measured_now_;
  std::size_t since_ = 0;
  std::vector<CurvePoints> curves_;  // of the series from first_curve_ on
  std::size_t first_curve_ = 0;
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
  return Analysis(std::move(runs), keys, std::move(options)).run();
}

}  // namespace steelyard::history
