// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/schedule.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "suites/imb/io/rules.hpp"

namespace steelyard::imb {
namespace {

constexpr double default_repetitions = 1000;  // R of the estimate, whatever -iter says

IterationPolicy resolved(const Settings& settings, const Definition& definition) {
  if (settings.policy != IterationPolicy::automatic) return settings.policy;
  return definition.rooted ? IterationPolicy::multiple_np : IterationPolicy::dynamic;
}

// Operations of the second estimating run: about a second's worth, at most a tenth of the limit.
std::uint64_t estimating_operations(std::uint64_t planned, double first_s, Seconds limit) {
  double wanted = 1;
  if (first_s < 1 / default_repetitions)
    wanted = default_repetitions;
  else if (first_s < 1)
    wanted = std::round(1 / first_s);
  if (first_s > 0) wanted = std::min(wanted, std::max(1.0, std::floor(0.1 * limit.value() / first_s)));
  return std::min(planned, static_cast<std::uint64_t>(wanted));
}

measure::Trial trial(std::uint64_t operations) {
  measure::Trial result;
  result.ops = operations;
  return result;
}

struct Rule {
  std::uint64_t planned = 1;
  std::int64_t size_byte = 0;
  bool user_sizes = false;
  std::optional<Seconds> limit;
  std::shared_ptr<const Settings> settings;

  /// Under 2021 a table with a time limit never repeats more often than the first number of -iter says, not
  /// even where the third one bounds.
  [[nodiscard]] std::uint64_t most() const {
    return settings->version == Version::v2021 ? static_cast<std::uint64_t>(settings->iterations.per_sample)
                                               : static_cast<std::uint64_t>(-1);
  }
};

class ImbSchedule final : public measure::Schedule {
 public:
  ImbSchedule(Rule rule, std::shared_ptr<TableClock> table)
      : rule_(std::move(rule)), table_(std::move(table)) {}

  [[nodiscard]] std::string_view rule() const override { return "imb"; }

  [[nodiscard]] measure::Decision next(const measure::History& history) const override {
    using enum measure::StopReason;
    if (history.visits > 0) return measure::Stop{count};
    if (history.stop_requested) return measure::Stop{interrupted};
    if (history.trials.empty() && table_->exceeded()) return measure::Stop{time};
    if (!rule_.limit) return visit(rule_.planned);
    return estimate(history);
  }

 private:
  [[nodiscard]] measure::Decision estimate(const measure::History& history) const {
    if (history.trials.empty()) return trial(1);
    const auto& last = history.trials.back();
    // The limit bounds all that a row measures: before operations beside a computation stand
    // as many without one.
    const double operation_s = (last.seconds + last.lead_in_s) / static_cast<double>(last.ops);
    if (history.trials.size() == 1) {
      const auto more = estimating_operations(rule_.planned, operation_s, *rule_.limit);
      if (more > 1) return trial(more);
    }
    return visit(within_time(rule_.planned, operation_s, *rule_.limit, rule_.user_sizes, rule_.size_byte,
                             history.earlier, rule_.most()));
  }

  [[nodiscard]] measure::Visit visit(std::uint64_t operations) const {
    return {.warmup = warm_up(*rule_.settings, operations), .ops_per_batch = operations, .batches = 1};
  }

  Rule rule_;
  std::shared_ptr<TableClock> table_;
};

std::optional<Seconds> table_limit(const Settings& settings, std::optional<Seconds> limit) {
  if (!limit || settings.version != Version::v2021) return std::nullopt;
  const auto listed = settings.sizes.listed ? settings.sizes.listed->size() : 0;
  const auto rows =
      std::max(static_cast<int>(listed), settings.sizes.high_exponent - settings.sizes.low_exponent);
  return std::max(rows - 1, 1) * *limit;
}

}  // namespace

std::uint64_t unbounded_repetitions(const Settings& settings, const Definition& definition, Bytes size,
                                    int processes, Mode mode) {
  const auto rule = bounded(settings.iterations, definition, mode);
  switch (resolved(settings, definition)) {
    // Of these two the first number of -iter is that of every mode: the third one is a bound, and there is none.
    case IterationPolicy::off: return static_cast<std::uint64_t>(settings.iterations.per_sample);
    case IterationPolicy::multiple_np:
      return repetitions_multiple_np(settings.iterations.per_sample, size,
                                     Bytes{std::int64_t{1} << settings.sizes.high_exponent}, processes);
    default: return repetitions(rule, size);
  }
}

std::uint64_t planned_repetitions(const Settings& settings, const Definition& definition, Bytes size,
                                  int processes, Mode mode) {
  auto planned = unbounded_repetitions(settings, definition, size, processes, mode);
  if (definition.most_repetitions > 0)
    planned = std::min(planned, static_cast<std::uint64_t>(definition.most_repetitions));
  const auto most = definition.overlapped ? most_overlapped(settings) : std::nullopt;
  return most ? std::min(planned, *most) : planned;
}

std::optional<Seconds> time_limit(const Settings& settings, const Definition& definition) {
  // IMB-MT counts by -repeat alone; that time may bound it is ours.
  if (definition.kind == Class::threads) return settings.time_limit;
  switch (resolved(settings, definition)) {
    case IterationPolicy::volume: return settings.time_limit;
    case IterationPolicy::dynamic: return settings.time_limit.value_or(Seconds{10});
    default: return std::nullopt;
  }
}

std::uint64_t warm_up(const Settings& settings, std::uint64_t operations) {
  if (!settings.warm_up) return 0;
  if (settings.warm_up_operations) return *settings.warm_up_operations;
  if (settings.iterations.nearest) return operations == 1 ? 0 : std::max<std::uint64_t>(1, operations / 10);
  if (settings.version == Version::v31) return 1;
  return std::max(operations / 10, std::min<std::uint64_t>(10, operations));
}

std::uint64_t within_time(std::uint64_t planned, double operation_s, Seconds limit, bool user_sizes,
                          std::int64_t size_byte, std::span<const measure::EarlierPoint> earlier,
                          std::uint64_t most) {
  auto allowed = planned;
  if (operation_s > 1e-8) {
    const double fits = std::floor(1 + limit.value() / operation_s);
    allowed = fits < 1e18 ? static_cast<std::uint64_t>(fits) : planned;
  }
  if (!user_sizes) {
    const bool follows = !earlier.empty() && earlier.back().ops > 0;
    return std::min({planned, allowed, follows ? earlier.back().ops : most});
  }
  for (const auto& point : earlier)
    if (point.ops > 0)
      allowed = point.bytes < size_byte ? std::min(allowed, point.ops) : std::max(allowed, point.ops);
  return std::min(planned, allowed);
}

std::uint64_t repetitions_before(std::uint64_t planned, double first_s, Seconds longest) {
  const double fits = std::max(1.0, longest.value() / std::max(first_s, 1e-9));
  return fits < static_cast<double>(planned) ? static_cast<std::uint64_t>(fits) : planned;
}

bool TableClock::exceeded() {
  if (!limit_) return false;
  const double now = now_();
  if (!started_s_) started_s_ = now;
  return now - *started_s_ > limit_->value();
}

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::vector<std::unique_ptr<measure::Schedule>> imb_schedules(const Settings& settings,
                                                              const Definition& definition,
                                                              std::span<const Bytes> sizes, int processes,
                                                              Mode mode, std::function<double()> now) {
  const auto limit = time_limit(settings, definition);
  const auto table = std::make_shared<TableClock>(table_limit(settings, limit), std::move(now));
  const auto shared = std::make_shared<const Settings>(settings);
  std::vector<std::unique_ptr<measure::Schedule>> schedules;
  for (const auto size : sizes) {
    Rule rule{.planned = planned_repetitions(settings, definition, size, processes, mode),
              .size_byte = size.count(),
              .user_sizes = settings.sizes.listed.has_value() && definition.kind != Class::sync,
              .limit = limit,
              .settings = shared};
    schedules.push_back(std::make_unique<ImbSchedule>(std::move(rule), table));
  }
  return schedules;
}

// Timing of a benchmark.

namespace {

using measure::OverRanks;
using measure::Sync;
using measure::Timing;
using measure::Traits;

Sync barrier(const Settings& settings) {
  return settings.own_barrier ? Sync::dissemination : Sync::barrier;
}

void time_as_imb(const Settings& settings, const Definition& definition, Traits& traits) {
  traits.timing = Timing::whole;
  if (definition.kind != Class::collective) return;
  if (settings.sync || settings.version == Version::v2021) traits.timing = Timing::each;
  if (settings.sync) traits.sync = barrier(settings);
}

void time_as_engine(const Settings& settings, const Definition& definition, Traits& traits) {
  traits.timing = Timing::batch;
  if (definition.rooted || (settings.sync && definition.kind == Class::collective)) {
    traits.timing = Timing::each;
    traits.sync = barrier(settings);
  }
  // Half the round trip, as the rank sees it that starts and ends it.
  if (definition.kind == Class::single_transfer && definition.time_divisor != 1)
    traits.over_ranks = OverRanks::one;
}

// Every operation ends with all ranks together. Later releases read the clock around each accumulation.
void time_one_sided(const Settings& settings, const Definition& definition, RuleOf rule, Mode mode,
                    Traits& traits) {
  const bool alone = settings.version == Version::v2021 && definition.reduction && !definition.passive &&
                     mode == Mode::non_aggregate;
  traits.timing = alone ? Timing::each : Timing::whole;
  if (rule == RuleOf::campaign) traits.timing = Timing::batch;
  // A target that originates nothing has no time.
  if (definition.passive && !definition.mutual) traits.over_ranks = OverRanks::one;
}

}  // namespace

bool one_whole(const Settings& settings, const Definition& definition, Mode mode) {
  if (settings.version != Version::v2021) return false;
  if (started_at_once(settings, definition)) return true;
  return definition.one_sided && definition.reduction && !definition.passive && mode == Mode::aggregate;
}

measure::Meeting meeting(const Settings& settings, const Definition& definition) {
  const bool own = settings.own_barrier && definition.kind == Class::collective && !definition.passive;
  return own ? measure::Meeting::dissemination : measure::Meeting::mpi;
}

Traits traits(const Settings& settings, const Definition& definition, RuleOf rule, bool owns_result,
              Mode mode) {
  Traits traits;
  traits.meeting = meeting(settings, definition);
  traits.meetings = settings.barriers;
  traits.owns_result = owns_result;
  traits.time_divisor = definition.time_divisor;
  traits.rooted = definition.rooted && settings.root_shift;
  if (definition.one_sided)
    time_one_sided(settings, definition, rule, mode, traits);
  else if (rule == RuleOf::suite)
    time_as_imb(settings, definition, traits);
  else
    time_as_engine(settings, definition, traits);
  return traits;
}

}  // namespace steelyard::imb
