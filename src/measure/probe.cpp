// SPDX-License-Identifier: Apache-2.0
#include "measure/probe.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <new>
#include <numeric>
#include <string>
#include <string_view>

#include "machine/directory.hpp"
#include "machine/processors.hpp"
#include "measure/engine.hpp"
#include "mpi/environment.hpp"
#include "mpi/error.hpp"
#include "record/json.hpp"
#include "stats/order.hpp"

namespace steelyard::measure {
namespace {

using Steady = std::chrono::steady_clock;

double since(Steady::time_point start) {
  return std::chrono::duration<double>(Steady::now() - start).count();
}

constexpr double window_s = 5e-3;
constexpr double agreement = 0.01;
constexpr double longest_s = 0.2;
constexpr std::int64_t work_steps = 20000;

// Seconds per piece of work, over one window.
double window_mean() {
  const auto start = Steady::now();
  int pieces = 0;
  std::uint64_t value = 1;
  for (; since(start) < window_s; ++pieces) value = dependent_chain(value, work_steps);
  keep(value);
  return since(start) / pieces;
}

constexpr double shortest_detour_s = 1e-6;
constexpr double detour_in_medians = 5;
constexpr int gaps_for_median = 2000;
constexpr std::int64_t trial_steps = 20000;
constexpr int trials = 5;

double median_gap(const Timer& timer) {
  std::vector<double> gaps;
  Ticks before = timer.now();
  for (int i = 0; i < gaps_for_median; ++i) {
    const Ticks now = timer.now();
    gaps.push_back(timer.seconds(now - before));
    before = now;
  }
  return stats::median(std::move(gaps));
}

std::size_t class_of(double gap_s) {
  const auto& ends = Detours::class_ends_s;
  return static_cast<std::size_t>(std::ranges::upper_bound(ends, gap_s) - ends.begin());
}

using record::Json;

constexpr double quantum_s = 100e-6;
constexpr std::int64_t most_quanta = 2000;
constexpr double work_share = 0.4;   // of the time: fixed work on all ranks at once
constexpr double alone_share = 0.2;  // and on one rank of each node
constexpr double far_from_median = 2;
constexpr std::size_t most_nodes_listed = 64;

/// Findings of one rank.
struct Figures {
  FixedWork work;
  Detours detours;
  double noise = 0;     // mean / min - 1 of fixed work
  double crowding = 0;  // 0 = not measured: one rank on its node, or not the node's first
  double waiting_share = 0;
};

std::int64_t quanta_in(double seconds) {
  return std::clamp(static_cast<std::int64_t>(seconds / quantum_s), std::int64_t{1}, most_quanta);
}

// Times fixed work on the node's first rank while the others sleep; 0 elsewhere and on nodes with one rank.
double crowding(const Timer& timer, const mpi::Communicator& node, std::int64_t steps, double busy_min_s,
                double limit_s) {
  double ratio = 0;
  if (node.size() > 1 && node.is_root())
    ratio = busy_min_s / time_fixed_work(timer, steps, quanta_in(limit_s), limit_s).min_s;
  node.sleepy_barrier();
  return ratio;
}

Figures examine(const Timer& timer, const mpi::Communicator& comm, double seconds,
                std::vector<double>& times) {
  const mpi::Communicator node = comm.split_shared();
  const UsageReader usage;
  const double work_s = work_share * seconds;
  const double alone_s = alone_share * seconds;
  comm.barrier();
  const std::int64_t steps = steps_for(timer, quantum_s);
  comm.barrier();
  const Usage before = usage.read();
  const Ticks start = timer.now();
  Figures figures;
  figures.detours = scan_detours(timer, seconds - work_s - alone_s);
  times = fixed_work_times(timer, steps, quanta_in(work_s), work_s);
  figures.work = summary_of(times);
  figures.waiting_share = between(before, usage.read()).waited_s / timer.seconds(timer.now() - start);
  figures.noise = figures.work.mean_s / figures.work.min_s - 1;
  figures.crowding = crowding(timer, node, steps, figures.work.min_s, alone_s);
  return figures;
}

std::vector<Figures> gather(const Figures& own, const mpi::Communicator& comm) {
  std::vector<Figures> all(comm.is_root() ? static_cast<std::size_t>(comm.size()) : 0);
  constexpr int bytes = sizeof(Figures);
  mpi::check(MPI_Gather(&own, bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, 0, comm.get()), "MPI_Gather");
  return all;
}

template <class Value>
double largest(const std::vector<Figures>& ranks, Value value) {
  double found = value(ranks.front());
  for (const Figures& rank : ranks) found = std::max(found, value(rank));
  return found;
}

template <class Value>
double middle(const std::vector<Figures>& ranks, Value value) {
  std::vector<double> values;
  for (const Figures& rank : ranks) values.push_back(value(rank));
  return stats::median(std::move(values));
}

Json detour_counts(const std::vector<Figures>& ranks) {
  Json counts = Json::array();
  for (std::size_t c = 0; c < ranks.front().detours.counts.size(); ++c) {
    std::int64_t sum = 0;
    for (const Figures& rank : ranks) sum += rank.detours.counts[c];
    counts.push_back(sum);
  }
  return {{"class_ends_s", Detours::class_ends_s}, {"counts", counts}};
}

/// Times of all ranks in common classes; on every rank, complete on the root.
WorkClasses classes_of(const std::vector<double>& times, const mpi::Communicator& comm) {
  constexpr double shortest_s = 1e-9;  // a coarse clock may say 0
  WorkClasses own{.low_s = -comm.max(-std::max(shortest_s, times.front())),
                  .high_s = comm.max(std::max(shortest_s, times.back()))};
  own.add(times);
  WorkClasses all = own;
  mpi::check(MPI_Reduce(own.counts.data(), all.counts.data(), static_cast<int>(WorkClasses::size),
                        MPI_INT64_T, MPI_SUM, 0, comm.get()),
             "MPI_Reduce");
  return all;
}

Json fixed_work(const Figures& worst) {
  const FixedWork& work = worst.work;
  return {{"quanta", work.quanta}, {"min_s", work.min_s},   {"median_s", work.median_s},
          {"p99_s", work.p99_s},   {"p999_s", work.p999_s}, {"max_s", work.max_s}};
}

// Nodes whose largest detour share is beyond twice the median over nodes.
Json far_nodes(const std::vector<Figures>& ranks, const std::vector<std::string>& hosts) {
  std::map<std::string, double> shares;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    double& share = shares[hosts[r]];
    share = std::max(share, ranks[r].detours.share);
  }
  std::vector<double> values;
  for (const auto& [host, share] : shares) values.push_back(share);
  const double limit = far_from_median * stats::median(std::move(values));
  Json far = Json::array();
  for (const auto& [host, share] : shares)
    if (share > limit && far.size() < most_nodes_listed)
      far.push_back({{"host", host}, {"detour_share", share}});
  return far;
}

Json merged(const std::vector<Figures>& ranks, const std::vector<std::string>& hosts) {
  const auto noise = [](const Figures& f) { return f.noise; };
  const auto share = [](const Figures& f) { return f.detours.share; };
  const auto worst = std::ranges::max_element(ranks, {}, noise) - ranks.begin();
  const auto& at = ranks[static_cast<std::size_t>(worst)];
  Json json;
  json["work_s"] = largest(ranks, [](const Figures& f) { return f.work.min_s; });
  json["p99_over_median"] = largest(ranks, [](const Figures& f) { return f.work.p99_s / f.work.median_s; });
  json["noise"] = at.noise;
  json["detour_share"] = largest(ranks, share);
  json["detour_max_s"] = largest(ranks, [](const Figures& f) { return f.detours.largest_s; });
  json["detour_rate_hz"] = largest(ranks, [](const Figures& f) { return f.detours.rate_hz; });
  const double crowded = largest(ranks, [](const Figures& f) { return f.crowding; });
  json["crowding"] = crowded > 0 ? Json(crowded) : Json();
  json["waiting_share"] = largest(ranks, [](const Figures& f) { return f.waiting_share; });
  json["worst_rank"] = worst;
  json["worst_host"] = hosts[static_cast<std::size_t>(worst)];
  json["median_over_ranks"] = {{"noise", middle(ranks, noise)}, {"detour_share", middle(ranks, share)}};
  json["detours"] = detour_counts(ranks);
  json["fixed_work"] = fixed_work(at);
  json["far_nodes"] = far_nodes(ranks, hosts);
  return json;
}

}  // namespace

std::uint64_t dependent_chain(std::uint64_t start, std::int64_t steps) noexcept {
  std::uint64_t x = start | 1U;
  for (std::int64_t i = 0; i < steps; ++i) x = x * 6364136223846793005U + 1442695040888963407U;
  return x;
}

std::uint64_t independent_mix(const WideTable& table, std::int64_t steps) noexcept {
  std::uint64_t a = 1, b = 2, c = 3, d = 4, e = 5, f = 6;
  for (std::int64_t i = 0; i < steps; ++i) {
    const auto at = static_cast<std::size_t>(i);
    a += table[at % 1024];
    b ^= table[(at + 341) % 1024];
    c -= table[(at + 682) % 1024];
    d = (d << 1U) ^ at;
    e += at;
    f ^= at + 7U;
  }
  return a ^ b ^ c ^ d ^ e ^ f;
}

double spin_up() {
  const auto start = Steady::now();
  double before = window_mean();
  while (since(start) < longest_s - window_s) {
    const double now = window_mean();
    if (std::abs(now - before) <= agreement * before) break;
    before = now;
  }
  return since(start);
}

// Counters of the operating system.

namespace {

// "running waiting slices", nanoseconds and a count.
std::optional<double> waited(int descriptor) noexcept {
  std::array<char, 96> buffer{};
  const ssize_t length = descriptor < 0 ? -1 : pread(descriptor, buffer.data(), buffer.size(), 0);
  if (length <= 0) return std::nullopt;
  const std::string_view text(buffer.data(), static_cast<std::size_t>(length));
  const auto blank = text.find(' ');
  if (blank == std::string_view::npos) return std::nullopt;
  std::int64_t ns = 0;
  const auto parsed = std::from_chars(text.data() + blank + 1, text.data() + text.size(), ns);
  if (parsed.ec != std::errc{}) return std::nullopt;
  return static_cast<double>(ns) * 1e-9;
}

}  // namespace

UsageReader::UsageReader() : descriptor_(open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)) {}

UsageReader::~UsageReader() {
  if (descriptor_ >= 0) close(descriptor_);
}

Usage UsageReader::read() const noexcept {
  Usage usage;
  usage.waited_s = waited(descriptor_);
  rusage counters{};
  if (getrusage(RUSAGE_THREAD, &counters) == 0) {
    usage.switches = counters.ru_nivcsw;
    usage.faults = counters.ru_minflt + counters.ru_majflt;
  }
  usage.processor = sched_getcpu();
  return usage;
}

UsageSpan between(const Usage& before, const Usage& after) {
  UsageSpan span;
  if (before.waited_s && after.waited_s) span.waited_s = *after.waited_s - *before.waited_s;
  span.switches = after.switches - before.switches;
  span.faults = after.faults - before.faults;
  span.migrated = before.processor >= 0 && before.processor != after.processor;
  return span;
}

namespace {

constexpr int series = 2;
constexpr int trips = 16;
constexpr std::uint64_t numbers_per_call = 64;
constexpr MPI_Aint line_distance_byte = 256;
// Libraries keep some pages for themselves beside those that are asked for.
constexpr std::int64_t window_room_byte = std::int64_t{1} << 20;
constexpr int spins_before_yield = 2000;
constexpr auto line_patience = std::chrono::milliseconds(2);

// Waits until the line holds `number` or more; yields after a while, gives up after 2 ms.
bool wait_for(const std::atomic<std::uint64_t>& line, std::uint64_t number) {
  for (int i = 0; i < spins_before_yield; ++i)
    if (line.load(std::memory_order_acquire) >= number) return true;
  const auto until = std::chrono::steady_clock::now() + line_patience;
  while (std::chrono::steady_clock::now() < until) {
    if (line.load(std::memory_order_acquire) >= number) return true;
    sched_yield();
  }
  return false;
}

constexpr std::int64_t chain_steps = 3000;
constexpr std::int64_t wide_steps = 2000;
constexpr int probe_tries = 3;

// Smallest of three times; nullopt if the clock stood still or stepped back.
template <class Work>
std::optional<double> fastest(const Timer& timer, Work work) {
  double best = std::numeric_limits<double>::infinity();
  for (int i = 0; i < probe_tries; ++i) {
    const Ticks before = timer.now();
    keep(work());
    best = std::min(best, timer.seconds(timer.now() - before));
  }
  if (best <= 0) return std::nullopt;
  return best;
}

}  // namespace

bool have_own_processors(const mpi::Communicator& node) {
  using Word = machine::ProcessorSet::Word;
  const auto mine = machine::processors_of_thread();
  if (!node.all(mine.has_value())) return false;
  auto words = mine->words();
  words.resize(static_cast<std::size_t>(node.max(static_cast<std::int64_t>(words.size()))));
  std::vector<Word> of_all(words.size() * static_cast<std::size_t>(node.size()));
  const int length = static_cast<int>(words.size());
  mpi::check(MPI_Allgather(words.data(), length, MPI_UNSIGNED_LONG, of_all.data(), length, MPI_UNSIGNED_LONG,
                           node.get()),
             "MPI_Allgather");
  std::vector<machine::ProcessorSet> sets(static_cast<std::size_t>(node.size()));
  for (std::size_t i = 0; i < sets.size(); ++i)
    sets[i].words() = {of_all.data() + i * words.size(), of_all.data() + (i + 1) * words.size()};
  return machine::have_own_processors(sets);
}

LineExchange::LineExchange(const mpi::Communicator& node, Timer& timer) : timer_(&timer) {
  const bool possible = node.size() >= 2 && have_own_processors(node);
  pair_ = node.split(possible && node.rank() < 2 ? 0 : -1, node.rank());
  asks_ = pair_.valid() && pair_.rank() == 0;
  if (pair_.valid() && make_window(pair_)) place_lines(pair_);
}

/// Whether both have made it. The room is looked at before: where rank 0 finds none, Open MPI lets the other one wait
/// for ever.
bool LineExchange::make_window(const mpi::Communicator& pair) {
  if (!pair.all(machine::shared_memory_left().value_or(window_room_byte) >= window_room_byte)) return false;
  void* base = nullptr;
  const MPI_Aint bytes = asks_ ? 3 * line_distance_byte : 0;
  const int code =
      mpi::noted(MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, pair.get(), &base, window_.put()),
                 "MPI_Win_allocate_shared");
  const bool made = !pair.any(code != MPI_SUCCESS);
  if (!made) window_.leave();  // the other one may have none to free
  if (made) mpi::return_errors(window_.get());
  return made;
}

void LineExchange::place_lines(const mpi::Communicator& pair) {
  void* base = nullptr;
  MPI_Aint size = 0;
  int unit = 0;
  mpi::check(MPI_Win_shared_query(window_.get(), 0, &size, &unit, &base), "MPI_Win_shared_query");
  const auto address = reinterpret_cast<std::uintptr_t>(base);
  const auto aligned = (address + line_distance_byte - 1) / line_distance_byte * line_distance_byte;
  auto* lines = static_cast<std::byte*>(base) + (aligned - address);
  if (asks_) {
    new (lines) Line(0);
    new (lines + line_distance_byte) Line(0);
  }
  pair.barrier();
  question_ = std::launder(reinterpret_cast<Line*>(lines));
  reply_ = std::launder(reinterpret_cast<Line*>(lines + line_distance_byte));
}

bool LineExchange::ask(std::uint64_t number) const {
  question_->store(number, std::memory_order_release);
  return wait_for(*reply_, number);
}

bool LineExchange::answer(std::uint64_t number) const {
  if (!wait_for(*question_, number)) return false;
  reply_->store(number, std::memory_order_release);
  return true;
}

bool LineExchange::round_trips(std::uint64_t first, int count) const {
  for (int i = 0; i < count; ++i) {
    const std::uint64_t number = first + static_cast<std::uint64_t>(i);
    if (!(asks_ ? ask(number) : answer(number))) return false;
  }
  return true;
}

std::optional<double> LineExchange::measure() {
  if (!takes_part()) return std::nullopt;
  // Numbers never repeat: a partner that gave up in an earlier call is met again in this one.
  const std::uint64_t first = numbers_per_call * ++calls_;
  if (!round_trips(first, 1)) return std::nullopt;  // brings both here
  std::optional<double> best;
  for (int s = 0; s < series; ++s) {
    const Ticks before = timer_->now();
    if (!round_trips(first + 1 + static_cast<std::uint64_t>(s * trips), trips)) return std::nullopt;
    const double mean = timer_->seconds(timer_->now() - before) / trips;
    best = std::min(best.value_or(mean), mean);
  }
  if (!asks_ || *best <= 0) return std::nullopt;
  return best;
}

struct StateProbe::Impl {
  Impl(const mpi::Communicator& comm, Timer& clock)
      : timer(&clock), node(comm.split_shared()), line(node, clock) {
    for (std::size_t i = 0; i < table.size(); ++i) table[i] = i * 0x9e3779b97f4a7c15U;
  }
  Timer* timer;
  mpi::Communicator node;
  LineExchange line;
  WideTable table{};
  double cost_s = 0;
  bool without_lines = false;
};

StateProbe::StateProbe(const mpi::Communicator& comm, Timer& timer)
    : impl_(std::make_unique<Impl>(comm, timer)) {
  static_cast<void>(measure());
  const Ticks before = timer.now();
  static_cast<void>(measure());
  impl_->without_lines = comm.any(impl_->line.refused());
  impl_->cost_s = comm.max(timer.seconds(timer.now() - before));
}

StateProbe::~StateProbe() = default;

stats::Probe StateProbe::measure() {
  stats::Probe probe;
  const WideTable& table = impl_->table;
  probe.chain_s = fastest(*impl_->timer, [] { return dependent_chain(1, chain_steps); });
  probe.wide_s = fastest(*impl_->timer, [&table] { return independent_mix(table, wide_steps); });
  probe.c2c_s = impl_->line.measure();
  return probe;
}

bool StateProbe::without_lines() const {
  return impl_->without_lines;
}

double StateProbe::cost_s() const {
  return impl_->cost_s;
}

Detours scan_detours(const Timer& timer, double seconds) {
  const double median_s = median_gap(timer);
  const double limit_s = std::max(shortest_detour_s, detour_in_medians * median_s);
  Detours found;
  double lost_s = 0;
  std::int64_t count = 0;
  const Ticks start = timer.now();
  Ticks before = start;
  while (before == start || timer.seconds(before - start) < seconds) {
    const Ticks now = timer.now();
    const double gap_s = timer.seconds(now - before);
    before = now;
    if (gap_s <= limit_s) continue;
    ++count;
    lost_s += gap_s - median_s;
    found.largest_s = std::max(found.largest_s, gap_s);
    ++found.counts[class_of(gap_s)];
  }
  const double elapsed_s = timer.seconds(before - start);
  found.share = lost_s / elapsed_s;
  found.rate_hz = static_cast<double>(count) / elapsed_s;
  return found;
}

std::vector<double> fixed_work_times(const Timer& timer, std::int64_t steps, std::int64_t quanta,
                                     double limit_s) {
  std::vector<double> times;
  times.reserve(static_cast<std::size_t>(quanta));
  std::uint64_t value = 1;
  const Ticks start = timer.now();
  Ticks before = start;
  do {
    value = dependent_chain(value, steps);
    const Ticks now = timer.now();
    times.push_back(timer.seconds(now - before));
    before = now;
  } while (static_cast<std::int64_t>(times.size()) < quanta && timer.seconds(before - start) < limit_s);
  keep(value);
  std::ranges::sort(times);
  return times;
}

FixedWork summary_of(const std::vector<double>& times) {
  const double sum_s = std::accumulate(times.begin(), times.end(), 0.0);
  return {std::ssize(times),
          times.front(),
          stats::quantile(times, 0.5),
          sum_s / static_cast<double>(times.size()),
          stats::quantile(times, 0.99),
          stats::quantile(times, 0.999),
          times.back()};
}

FixedWork time_fixed_work(const Timer& timer, std::int64_t steps, std::int64_t quanta, double limit_s) {
  return summary_of(fixed_work_times(timer, steps, quanta, limit_s));
}

void WorkClasses::add(std::span<const double> times) {
  const double width = std::log(high_s / low_s) / size;
  for (const double time : times) {
    const double place = time > low_s && width > 0 ? std::log(time / low_s) / width : 0;
    ++counts[std::min(static_cast<std::size_t>(place), size - 1)];
  }
}

std::int64_t steps_for(const Timer& timer, double seconds) {
  const FixedWork work = time_fixed_work(timer, trial_steps, trials, std::numeric_limits<double>::infinity());
  const double per_step_s = work.min_s / static_cast<double>(trial_steps);
  return per_step_s > 0 ? std::max<std::int64_t>(1, static_cast<std::int64_t>(seconds / per_step_s))
                        : trial_steps;
}

record::Document noise(const Timer& timer, const mpi::Communicator& comm, double seconds) {
  std::vector<double> times;
  const Figures own = examine(timer, comm, seconds, times);
  const std::vector<Figures> ranks = gather(own, comm);
  const WorkClasses classes = classes_of(times, comm);
  const std::vector<std::string> hosts = comm.gather(mpi::processor_name());
  if (!comm.is_root()) return {};
  Json json = merged(ranks, hosts);
  json["fixed_work"]["classes"] = {
      {"low_s", classes.low_s}, {"high_s", classes.high_s}, {"counts", classes.counts}};
  return json;
}

}  // namespace steelyard::measure
