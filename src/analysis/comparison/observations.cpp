// SPDX-License-Identifier: Apache-2.0
#include "analysis/comparison/observations.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "analysis/comparison/imported.hpp"
#include "analysis/comparison/launches.hpp"
#include "record/point_view.hpp"
#include "stats/compare.hpp"

namespace steelyard::comparison {
namespace {

using record::PointRecord;
using record::Statistics;

std::optional<Value> of_statistics(const Statistics& held, std::string_view name) {
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

/// Value of a metric; nullopt if the point has none.
std::optional<Value> value_of(const PointRecord& point, const MetricChoice& choice) {
  const record::Metric* metric = record::metric(point, choice.metric);
  if (metric == nullptr) return std::nullopt;
  if (const auto* held = std::get_if<Statistics>(metric)) return of_statistics(*held, choice.statistic);
  const auto* plain = std::get_if<double>(metric);
  if (plain == nullptr || !(*plain > 0) || !choice.statistic.empty()) return std::nullopt;
  return Value{*plain, choice.metric == point.primary ? repeated(point, *plain) : std::nullopt, {}};
}

bool is_of(const Identity& what, const PointRecord& point) {
  return what.key == point.key && what.suite == point.suite && what.benchmark == point.benchmark &&
         what.primary == point.primary && what.processes == point.processes &&
         what.threads == point.threads && what.groups == point.groups &&
         what.lower_is_better == point.lower_is_better &&
         std::ranges::equal(*what.params, point.params, [](const auto& one, const auto& other) {
           return one.first == other.first && one.second == other.second;
         });
}

}  // namespace

bool is_imported(const Observation& seen) {
  return seen.manner->imported;
}

Observations::Observations(Options options) : options_(std::move(options)) {}

void Observations::begin(Side side, const record::RunRecord& head) {
  side_ = side;
  next_ = 0;
  (side == Side::base ? base_ : now_).push_back(head);
}

void Observations::add(const PointRecord& point) {
  if (record::is_imported(point) || !point.imported.empty())
    throw std::invalid_argument(point.key + ": a point of another program");
  if (!record::measured(point)) return lose(point);
  const bool is_first_launch = base_.size() + now_.size() == 1;
  take(is_first_launch ? matched_.size() : place_of(point.key), observed(point), point);
}

void Observations::add_whole(const PointRecord& point) {
  if (!record::measured(point)) return lose(point);
  Observation seen = observed(point);
  seen.record = &point;
  take(place_of(point.key), seen, point);
}

void Observations::take(std::size_t place, const Observation& seen, const PointRecord& point) {
  Matched& both = place == matched_.size() ? matched_.emplace_back() : matched_[place];
  Observation& kept = kept_->one(seen);
  kept.what = identity(both, point);
  (side_ == Side::base ? both.base : both.now).add(kept);
  next_ = place + 1;
}

/// The identity that an observation of the same key has, or a new one where the records tell other things.
const Identity* Observations::identity(const Matched& known, const PointRecord& point) {
  for (const auto* side : {&known.base, &known.now})
    for (const Observation& seen : *side)
      if (is_of(*seen.what, point)) return seen.what;
  return &kept_->one(Identity{kept_->text(point.key), kept_->word(point.suite), kept_->word(point.benchmark),
                              kept_->word(point.primary), &kept_->params(point.params), point.processes,
                              point.threads, point.groups, point.lower_is_better});
}

std::string_view Observations::key_at(std::size_t place) const {
  const auto& [base, now] = matched_[place];
  return (base.empty() ? now : base).front().what->key;
}

/// Place in matched_ of a key, its end if it is new. Keys are looked up only where launches differ in their order.
std::size_t Observations::place_of(const std::string& key) {
  if (next_ < matched_.size() && key_at(next_) == key) return next_;
  for (; indexed_ < matched_.size(); ++indexed_) places_.emplace(key_at(indexed_), indexed_);
  const auto found = places_.find(key);
  return found == places_.end() ? matched_.size() : found->second;
}

void Observations::lose(const PointRecord& point) {
  Lost& lost = (side_ == Side::base ? lost_base_ : lost_now_)[point.key];
  const bool fails = point.status == record::Status::failed;
  if (point.reason && (!lost.reason || (fails && lost.failed == 0))) lost.reason = point.reason->code;
  ++(fails ? lost.failed : lost.skipped);
}

Observation Observations::observed(const PointRecord& point) {
  Observation seen;
  seen.manner = manner_of(point);
  seen.launch = static_cast<std::uint32_t>((side_ == Side::base ? base_ : now_).size() - 1);
  seen.partial = point.status == record::Status::partial;
  seen.unverified = point.verified == false;
  seen.has_statistics = record::statistics(point, metric_choice(options_, point.primary).metric) != nullptr;
  seen.printed = printed(point, seen);
  seen.states = kept_->list(std::span(point.states));
  return seen;
}

const Value* Observations::printed(const PointRecord& point, const Observation& seen) {
  const MetricChoice choice = metric_choice(options_, point.primary);
  auto value = value_of(point, choice);
  if (!value) return nullptr;
  value->visits = options_.bootstrap == 0 ? std::span<const double>() : kept_->list(value->visits);
  // The last printed digit is told of the primary metric alone.
  if (!point.imported.empty() && choice.metric == point.primary) value->step = step_of(point);
  value->launch = seen.launch;
  value->cut = seen.partial;
  return &kept_->one(*value);
}

const Manner* Observations::manner_of(const PointRecord& point) {
  static const record::Schedule untold;
  const record::Schedule& schedule = point.schedule ? *point.schedule : untold;
  const bool corrected = record::has_flag(point, "clock_corrected");
  const bool warm = record::has_flag(point, "cache_warm");
  const auto is_last = [&](const Manner& last) {
    return last.rule == schedule.rule && last.sync == schedule.sync && last.timing == schedule.timing &&
           last.clock_corrected == corrected && last.cache_warm == warm;
  };
  if (manner_ == nullptr || !is_last(*manner_))
    manner_ = &*manners_
                    .insert({schedule.rule, schedule.sync, schedule.timing, corrected, warm,
                             record::is_imported(point)})
                    .first;
  return manner_;
}

}  // namespace steelyard::comparison
