// SPDX-License-Identifier: Apache-2.0
#include "analysis/comparison/launches.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/comparison/imported.hpp"
#include "analysis/machine_states.hpp"
#include "record/point_view.hpp"
#include "stats/compare.hpp"
#include "stats/order.hpp"
#include "units/text.hpp"

namespace steelyard::comparison {
namespace {

using analysis::same_state;
using record::PointRecord;
using record::State;
using record::Statistics;

constexpr int enough_visits = 6;  // fewer have no interval

const State* state_like(const PointRecord& point, const State& wanted) {
  const auto found =
      std::ranges::find_if(point.states, [&](const State& s) { return same_state(s, wanted); });
  return found == point.states.end() ? nullptr : &*found;
}

std::optional<stats::Interval> interval(const std::optional<std::pair<double, double>>& ends) {
  return ends ? std::optional(stats::Interval{ends->first, ends->second}) : std::nullopt;
}

std::optional<Value> of_statistics(const Statistics& held, const std::string& name) {
  const auto value = name.empty() ? record::value_of(held) : record::statistic(held, name);
  if (!value || !(*value > 0) || !std::isfinite(*value)) return std::nullopt;
  if (!name.empty()) return Value{*value, {}, {}};
  return Value{*value, interval(held.ci), held.visit_medians};
}

/// Time of each repetition of an experiment, from its classic values; empty if it is not recorded.
std::vector<double> repetitions(const PointRecord& point) {
  const auto list = [&](std::string_view name) {
    const auto* held = record::list_of(record::find(point.classic, name));
    return held == nullptr ? std::vector<double>() : *held;
  };
  auto times = list("passes_s");
  if (!times.empty()) return times;
  times = list("repeats_s");  // of b_eff: each over as many loops as `looplength` says
  const auto loops = list("looplength");
  if (times.size() != loops.size()) return {};
  for (std::size_t i = 0; i < times.size(); ++i) times[i] /= loops[i];
  return times;
}

/// Student's interval of ln over the repetitions around the value that they gave; nullopt for fewer than two.
std::optional<stats::Interval> repeated(const PointRecord& point, double value) {
  stats::Moments logs;
  for (const double time : repetitions(point)) {
    if (!(time > 0)) return std::nullopt;
    logs.add(std::log(time));
  }
  if (logs.count() < 2) return std::nullopt;
  const auto n = static_cast<std::size_t>(logs.count());
  const double half = stats::student95(n - 1) * logs.sd() / std::sqrt(static_cast<double>(n));
  return stats::Interval{value * std::exp(-half), value * std::exp(half)};
}

/// Value as the run printed it; nullopt if it printed none.
std::optional<Value> printed(const PointRecord& point, const MetricChoice& choice) {
  const record::Metric* metric = record::metric(point, choice.metric);
  if (metric == nullptr) return std::nullopt;
  if (const auto* held = std::get_if<Statistics>(metric)) return of_statistics(*held, choice.statistic);
  const auto* plain = std::get_if<double>(metric);
  if (plain == nullptr || !(*plain > 0) || !choice.statistic.empty()) return std::nullopt;
  return Value{*plain, choice.metric == point.primary ? repeated(point, *plain) : std::nullopt, {}};
}

/// Whether a value is of one state. Statistics are those of the state with most visits, which is the first; a
/// plain number is of all visits.
bool of_one_state(const PointRecord& point, const MetricChoice& choice) {
  return record::statistics(point, choice.metric) != nullptr && !point.states.empty();
}

bool enough(const State& state) {
  return state.visits >= enough_visits;
}

/// State that all records saw in enough visits, as it was in each of them; of several the one with most
/// visits where it was rarest. Empty if there is none.
std::vector<const State*> shared_state(const Records& records) {
  std::vector<const State*> best;
  int most = 0;
  for (const State& candidate : records.front()->states) {
    std::vector<const State*> found;
    for (const PointRecord* point : records) found.push_back(state_like(*point, candidate));
    if (std::ranges::any_of(found,
                            [](const State* s) { return s == nullptr || !enough(*s) || !(s->median > 0); }))
      continue;
    const int rarest = (*std::ranges::min_element(found, {}, &State::visits))->visits;
    if (rarest > most) best = std::move(found), most = rarest;
  }
  return best;
}

/// Machine states of a point's values, and the one that is picked.
class StateChoice {
 public:
  StateChoice(const Matched& matched, const Options& options) {
    add(matched.base, options, base_);
    add(matched.now, options, now_);
    all_ = base_;
    all_.insert(all_.end(), now_.begin(), now_.end());
    if (base_.empty() || now_.empty()) return;
    if (std::ranges::all_of(all_, [](const PointRecord* point) { return leads(*point); }) && alike(all_))
      return;
    const auto choice = metric_choice(options, *all_.front());
    if (choice.metric == "time_s" && choice.statistic.empty()) picked_ = shared_state(all_);
    states_ = !picked_.empty() ? States::picked : meet() ? States::several : States::apart;
  }

  [[nodiscard]] States states() const { return states_; }
  /// The picked state as this launch saw it; nullptr if its printed value counts.
  [[nodiscard]] const State* of(const PointRecord& point) const {
    const auto at = std::ranges::find(all_, &point);
    return picked_.empty() || at == all_.end() ? nullptr
                                               : picked_[static_cast<std::size_t>(at - all_.begin())];
  }
  [[nodiscard]] std::string words() const {
    if (picked_.empty()) return {};
    const State& state = *picked_.front();
    const std::pair<const char*, std::optional<double>> probes[] = {
        {"c2c", state.c2c_s}, {"chain", state.chain_s}, {"wide", state.wide_s}};
    std::string text;
    for (const auto& [name, value] : probes)
      if (value)
        text += (text.empty() ? "" : ", ") + std::string(name) + ' ' + units::format_time(Seconds{*value});
    return text;
  }

 private:
  static void add(const Side& side, const Options& options, Records& list) {
    for (const PointRecord* point : side.records)
      if (of_one_state(*point, metric_choice(options, *point))) list.push_back(point);
  }
  /// Whether what a run printed is of a state that it saw often, or of all it saw.
  static bool leads(const PointRecord& point) {
    return point.states.size() == 1 || enough(point.states.front());
  }
  static bool alike(const Records& list) {
    return std::ranges::all_of(list, [&](const PointRecord* a) {
      return std::ranges::all_of(
          list, [&](const PointRecord* b) { return same_state(a->states.front(), b->states.front()); });
    });
  }
  /// Whether a launch of the base and one of the new side printed values of the same state.
  [[nodiscard]] bool meet() const {
    return std::ranges::any_of(base_, [&](const PointRecord* a) {
      return std::ranges::any_of(
          now_, [&](const PointRecord* b) { return same_state(a->states.front(), b->states.front()); });
    });
  }

  Records base_, now_, all_;
  std::vector<const State*> picked_;
  States states_ = States::alike;
};

/// First record of a text of another program; nullptr if all are ours.
const PointRecord* imported_of(const Side& side) {
  const auto found =
      std::ranges::find_if(side.records, [](const PointRecord* one) { return record::is_imported(*one); });
  return found == side.records.end() ? nullptr : *found;
}

/// Number of ours by the definition of the other program's number beside it; nullopt if it is not recorded.
std::optional<Value> beside(const PointRecord& point, const PointRecord* theirs, const Options& options) {
  if (theirs == nullptr || record::is_imported(point) || !options.statistic.empty()) return std::nullopt;
  const auto choice = metric_choice(options, *theirs);
  if (!choice.statistic.empty()) return std::nullopt;
  const auto same = same_definition(point, *theirs, choice.metric);
  return same ? std::optional(Value{*same, {}, {}}) : std::nullopt;
}

std::vector<Value> of_side(const Side& side, const Side& other, const Options& options,
                           const StateChoice& states) {
  std::vector<Value> list;
  for (std::size_t i = 0; i < side.records.size(); ++i) {
    const PointRecord& point = *side.records[i];
    if (auto same = beside(point, imported_of(other), options)) {
      same->launch = side.launches[i];
      list.push_back(std::move(*same));
      continue;
    }
    auto value = printed(point, metric_choice(options, point));
    if (!value) continue;
    value->step = step_of(point);
    if (const State* state = states.of(point)) value = Value{state->median, interval(state->ci), {}};
    value->launch = side.launches[i];
    list.push_back(std::move(*value));
  }
  return list;
}

/// Keeps what belongs to a launch that `other` has too.
void keep_common(std::vector<Value>& list, const std::vector<Value>& other) {
  std::erase_if(list, [&](const Value& one) {
    return std::ranges::find(other, one.launch, &Value::launch) == other.end();
  });
}

}  // namespace

MetricChoice metric_choice(const Options& options, const PointRecord& point) {
  if (options.metric.empty()) return {point.primary, options.statistic};
  const std::size_t dot = options.metric.find('.');
  if (dot == std::string::npos) return {options.metric, {}};
  return {options.metric.substr(0, dot), options.metric.substr(dot + 1)};
}

std::string metrics_apart(const Matched& matched, const Options& options) {
  const PointRecord* theirs = imported_of(matched.base);
  if (theirs == nullptr) theirs = imported_of(matched.now);
  const Side* sides[] = {&matched.base, &matched.now};
  std::string first;
  for (const Side* side : sides)
    for (const PointRecord* point : side->records) {
      const bool same = beside(*point, theirs, options).has_value();
      const std::string metric = metric_choice(options, same ? *theirs : *point).metric;
      if (first.empty()) first = metric;
      if (metric != first) return first + " and " + metric;
    }
  return {};
}

const PointRecord& named_by(const Matched& matched) {
  for (const Side* side : {&matched.base, &matched.now})
    if (const PointRecord* theirs = imported_of(*side)) return *theirs;
  return matched.base.records.empty() ? *matched.now.records.front() : *matched.base.records.front();
}

Values values(const Matched& matched, const Options& options) {
  const StateChoice states(matched, options);
  Values found{of_side(matched.base, matched.now, options, states),
               of_side(matched.now, matched.base, options, states), states.states(), states.words()};
  if (options.launches == Launches::paired && !found.base.empty() && !found.now.empty()) {
    keep_common(found.base, found.now);
    keep_common(found.now, found.base);
  }
  return found;
}

}  // namespace steelyard::comparison
