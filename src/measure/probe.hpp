// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "measure/clock.hpp"
#include "mpi/communicator.hpp"
#include "mpi/handle.hpp"
#include "stats/states.hpp"

/// Probes of the machine's state, and disturbances of one process, seen from inside it. Source: docs/methodology.md,
/// "Noise".
namespace steelyard::measure {

// Short arithmetic of fixed work, whose time shows the state of the processor and its neighbours.

/// `steps` dependent multiply-adds; the result must be used. Its time follows the clock frequency.
[[nodiscard]] std::uint64_t dependent_chain(std::uint64_t start, std::int64_t steps) noexcept;

/// 8 KiB of numbers that stay in the nearest cache.
using WideTable = std::array<std::uint64_t, 1024>;
/// `steps` times six independent integer operations with three loads; its time shows a busy sibling.
[[nodiscard]] std::uint64_t independent_mix(const WideTable& table, std::int64_t steps) noexcept;

/// Keeps a result alive without storing it.
inline void keep(std::uint64_t value) noexcept {
  volatile std::uint64_t sink = value;
  static_cast<void>(sink);
}

/// Spins with arithmetic until two consecutive windows of 5 ms of a fixed-work loop agree within 1 %
/// (frequency ramp), at most 200 ms by the system's clock. Returns the seconds spent.
double spin_up();

/// Counters of the operating system for this thread since it started.
struct Usage {
  std::optional<double> waited_s;  // runnable but not running: another process had the processor
  std::int64_t switches = 0;       // involuntary context switches
  std::int64_t faults = 0;         // minor and major page faults
  int processor = -1;              // where it runs now; -1 if the system does not tell
};

/// Reader of the counters at the two ends of a visit; about 1 us. Source: docs/methodology.md, "Conditions".
class UsageReader {
 public:
  UsageReader();
  ~UsageReader();
  UsageReader(const UsageReader&) = delete;
  UsageReader& operator=(const UsageReader&) = delete;

  [[nodiscard]] Usage read() const noexcept;

 private:
  int descriptor_;  // of the scheduler's statistics; kept open
};

/// Counters between two readings.
struct UsageSpan {
  double waited_s = 0;
  std::int64_t switches = 0;
  std::int64_t faults = 0;
  bool migrated = false;
};
[[nodiscard]] UsageSpan between(const Usage& before, const Usage& after);

/// Whether the processes of the node can run all at once, each on a processor of its own. Collective over the node.
[[nodiscard]] bool have_own_processors(const mpi::Communicator& node);

/// Exchange of a number between the first two ranks of a node through shared memory, which shows how far
/// apart their processors are.
class LineExchange {
 public:
  /// Collective over the node. Takes part only on ranks 0 and 1 of nodes whose processes all have processors
  /// of their own; elsewhere measure() returns nullopt at once.
  LineExchange(const mpi::Communicator& node, Timer& timer);

  /// Smaller mean round trip of two series of 16, on rank 0 of the node only. Called by both ranks at about the
  /// same time. nullopt if the partner did not answer in time: waiting is bounded and yields the processor.
  [[nodiscard]] std::optional<double> measure();

  [[nodiscard]] bool takes_part() const { return question_ != nullptr; }
  /// Whether this rank would take part, but the memory that the two share could not be made.
  [[nodiscard]] bool refused() const { return pair_.valid() && !takes_part(); }

 private:
  using Line = std::atomic<std::uint64_t>;

  [[nodiscard]] bool make_window(const mpi::Communicator& pair);
  void place_lines(const mpi::Communicator& pair);
  [[nodiscard]] bool ask(std::uint64_t number) const;
  [[nodiscard]] bool answer(std::uint64_t number) const;
  [[nodiscard]] bool round_trips(std::uint64_t first, int count) const;

  Timer* timer_;
  mpi::Communicator pair_;  // outlives the window
  mpi::WindowHandle window_;
  Line* question_ = nullptr;
  Line* reply_ = nullptr;
  bool asks_ = false;
  std::uint64_t calls_ = 0;
};

/// Probe of the machine's state before a visit: cache line exchange between the first two ranks of each node,
/// and two short arithmetic kernels on every rank (methodology, "Machine states"). 20 to 60 us.
class StateProbe {
 public:
  /// Collective over comm.
  StateProbe(const mpi::Communicator& comm, Timer& timer);
  ~StateProbe();
  /// Collective; this rank's values (the engine takes the maximum over ranks with its reduction).
  [[nodiscard]] stats::Probe measure();
  [[nodiscard]] double cost_s() const;
  /// Whether the exchange of cache lines was refused its memory on any node. The same on all ranks.
  [[nodiscard]] bool without_lines() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Disturbances. No communication.

/// Gaps in a tight loop of clock readings. A gap above max(1 us, 5 median gaps) is a detour; the time beyond
/// the median gap is lost.
struct Detours {
  /// Upper ends of the classes of gaps, in seconds; the last class has none.
  static constexpr std::array<double, 7> class_ends_s{2e-6, 5e-6, 10e-6, 50e-6, 200e-6, 1e-3, 5e-3};

  double share = 0;    // of the time, lost
  double rate_hz = 0;  // detours per second
  double largest_s = 0;
  std::array<std::int64_t, class_ends_s.size() + 1> counts{};
};
[[nodiscard]] Detours scan_detours(const Timer& timer, double seconds);

/// Times of equal pieces of work.
struct FixedWork {
  std::int64_t quanta = 0;
  double min_s = 0, median_s = 0, mean_s = 0, p99_s = 0, p999_s = 0, max_s = 0;
};
/// Seconds of each piece, ascending: `quanta` times `steps` dependent multiply-adds, fewer if they take
/// longer than limit_s; at least one.
[[nodiscard]] std::vector<double> fixed_work_times(const Timer& timer, std::int64_t steps,
                                                   std::int64_t quanta, double limit_s);
/// Summary of ascending times, of which there is at least one.
[[nodiscard]] FixedWork summary_of(const std::vector<double>& times);

/// Counts of times in classes of equal width on a logarithmic scale from low_s to high_s; times outside count
/// in the first or the last class.
struct WorkClasses {
  static constexpr std::size_t size = 80;
  double low_s = 0, high_s = 0;  // 0 < low_s
  std::array<std::int64_t, size> counts{};
  void add(std::span<const double> times);
};

/// The summary of fixed_work_times.
[[nodiscard]] FixedWork time_fixed_work(const Timer& timer, std::int64_t steps, std::int64_t quanta,
                                        double limit_s);

/// Steps of dependent multiply-adds that take `seconds` when undisturbed.
[[nodiscard]] std::int64_t steps_for(const Timer& timer, double seconds);

}  // namespace steelyard::measure
