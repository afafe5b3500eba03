// SPDX-License-Identifier: Apache-2.0
#include "analysis/comparison/launches.hpp"

#include <algorithm>

#include "analysis/comparison/imported.hpp"
#include "analysis/warnings.hpp"
#include "stats/order.hpp"
#include "units/text.hpp"

namespace steelyard::comparison {
namespace {

using analysis::same_state;
using record::State;
using Seen = std::vector<const Observation*>;

constexpr int enough_visits = 6;  // fewer have no interval

const State* state_like(const Observation& point, const State& wanted) {
  const auto found =
      std::ranges::find_if(point.states, [&](const State& s) { return same_state(s, wanted); });
  return found == point.states.end() ? nullptr : &*found;
}

/// Whether a value is of one state. Statistics are those of the state with most visits, which is the first; a
/// plain number is of all visits.
bool of_one_state(const Observation& point) {
  return point.has_statistics && !point.states.empty();
}

bool enough(const State& state) {
  return state.visits >= enough_visits;
}

/// State that all of them saw in enough visits, as it was in each of them; of several the one with most
/// visits where it was rarest. Empty if there is none.
std::vector<const State*> shared_state(const Seen& all) {
  std::vector<const State*> best;
  int most = 0;
  for (const State& candidate : all.front()->states) {
    std::vector<const State*> found;
    for (const Observation* point : all) found.push_back(state_like(*point, candidate));
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
    add(matched.base, base_);
    add(matched.now, now_);
    all_ = base_;
    all_.insert(all_.end(), now_.begin(), now_.end());
    if (base_.empty() || now_.empty()) return;
    if (std::ranges::all_of(all_, [](const Observation* point) { return leads(*point); }) && alike(all_))
      return;
    const auto choice = metric_choice(options, all_.front()->what->primary);
    if (choice.metric == "time_s" && choice.statistic.empty()) picked_ = shared_state(all_);
    states_ = !picked_.empty() ? States::picked : meet() ? States::several : States::apart;
  }

  [[nodiscard]] States states() const { return states_; }
  /// The picked state as this launch saw it; nullptr if its printed value counts.
  [[nodiscard]] const State* of(const Observation& point) const {
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
  static void add(const Launched& side, Seen& list) {
    for (const Observation& point : side)
      if (of_one_state(point)) list.push_back(&point);
  }
  /// Whether what a run printed is of a state that it saw often, or of all it saw.
  static bool leads(const Observation& point) {
    return point.states.size() == 1 || enough(point.states.front());
  }
  static bool alike(const Seen& list) {
    return std::ranges::all_of(list, [&](const Observation* a) {
      return std::ranges::all_of(
          list, [&](const Observation* b) { return same_state(a->states.front(), b->states.front()); });
    });
  }
  /// Whether a launch of the base and one of the new side printed values of the same state.
  [[nodiscard]] bool meet() const {
    return std::ranges::any_of(base_, [&](const Observation* a) {
      return std::ranges::any_of(
          now_, [&](const Observation* b) { return same_state(a->states.front(), b->states.front()); });
    });
  }

  Seen base_, now_, all_;
  std::vector<const State*> picked_;
  States states_ = States::alike;
};

/// First observation from a text of another program; nullptr if all are ours.
const Observation* imported_of(const Launched& side) {
  const auto found = std::ranges::find_if(side, is_imported);
  return found == side.end() ? nullptr : &*found;
}

/// Number of ours by the definition of the other program's number beside it; nullopt if it is not recorded.
std::optional<double> beside(const Observation& point, const Observation* theirs, const Options& options) {
  if (theirs == nullptr || is_imported(point) || !options.statistic.empty()) return std::nullopt;
  const auto choice = metric_choice(options, theirs->what->primary);
  if (!choice.statistic.empty()) return std::nullopt;
  return same_definition(*point.record, *theirs->record, choice.metric);
}

using Read = std::vector<const Value*>;

Read of_side(const Launched& side, const Launched& other, const Options& options, const StateChoice& states,
             Keeper& keeper) {
  Read list;
  const Observation* theirs = imported_of(other);
  const auto add = [&](const Observation& point, double median, std::optional<stats::Interval> within) {
    list.push_back(&keeper.one(Value{median, within, {}, 0, point.launch, point.partial}));
  };
  for (const Observation& point : side) {
    const State* const state = states.of(point);
    if (const auto same = beside(point, theirs, options))
      add(point, *same, std::nullopt);
    else if (point.printed != nullptr && state != nullptr)
      add(point, state->median, interval(state->ci));
    else if (point.printed != nullptr)
      list.push_back(point.printed);
  }
  return list;
}

/// Keeps what belongs to a launch that `other` has too.
void keep_common(Read& list, const Read& other) {
  std::erase_if(list, [&](const Value* one) {
    return std::ranges::find(other, one->launch, &Value::launch) == other.end();
  });
}

/// The values one behind the other; one alone stays where it is.
std::span<const Value> together(const Read& list, Keeper& keeper) {
  if (list.size() == 1) return {list.front(), 1};
  std::vector<Value> copies;
  for (const Value* value : list) copies.push_back(*value);
  return keeper.list(std::span<const Value>(copies));
}

}  // namespace

std::optional<stats::Interval> interval(const std::optional<std::pair<double, double>>& ends) {
  return ends ? std::optional(stats::Interval{ends->first, ends->second}) : std::nullopt;
}

MetricChoice metric_choice(const Options& options, std::string_view primary) {
  const std::string_view asked = options.metric;
  if (asked.empty()) return {primary, options.statistic};
  const std::size_t dot = asked.find('.');
  if (dot == std::string_view::npos) return {asked, {}};
  return {asked.substr(0, dot), asked.substr(dot + 1)};
}

std::string metrics_apart(const Matched& matched, const Options& options) {
  const Observation* theirs = imported_of(matched.base);
  if (theirs == nullptr) theirs = imported_of(matched.now);
  std::string_view first;
  for (const auto* side : {&matched.base, &matched.now})
    for (const Observation& point : *side) {
      const bool same = beside(point, theirs, options).has_value();
      const auto metric = metric_choice(options, (same ? *theirs : point).what->primary).metric;
      if (first.empty()) first = metric;
      if (metric != first) return std::string(first) + " and " + std::string(metric);
    }
  return {};
}

const Observation& named_by(const Matched& matched) {
  for (const auto* side : {&matched.base, &matched.now})
    if (const Observation* theirs = imported_of(*side)) return *theirs;
  return matched.base.empty() ? matched.now.front() : matched.base.front();
}

std::pair<Values, std::string> values(const Matched& matched, const Options& options, Keeper& keeper) {
  const StateChoice states(matched, options);
  Read base = of_side(matched.base, matched.now, options, states, keeper);
  Read now = of_side(matched.now, matched.base, options, states, keeper);
  if (options.launches == Launches::paired && !base.empty() && !now.empty()) {
    keep_common(base, now);
    keep_common(now, base);
  }
  return {{together(base, keeper), together(now, keeper), states.states()}, states.words()};
}

}  // namespace steelyard::comparison
