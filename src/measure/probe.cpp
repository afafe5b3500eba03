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
#include <new>
#include <string_view>

#include "machine/directory.hpp"
#include "machine/processors.hpp"
#include "mpi/error.hpp"

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

}  // namespace steelyard::measure
