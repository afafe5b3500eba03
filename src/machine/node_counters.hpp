// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "machine/environment.hpp"

/// Counters of the kernel on this node: read before and after a measurement, their difference shows what
/// disturbed it. One rank per node reads, outside timed regions.
namespace steelyard::machine {

struct ProcessorTimes {
  int processor = 0;
  double busy_s = 0;   // running anything, interrupts included
  double steal_s = 0;  // runnable, but the hypervisor ran another guest
  double total_s = 0;  // busy, stolen and idle
};

struct NodeCounters {
  std::vector<ProcessorTimes> processors;
  std::optional<std::int64_t> throttled_periods;
  std::optional<double> throttled_s;  // control groups of this process, all ancestors
};
[[nodiscard]] NodeCounters read_node_counters(const Roots& roots = {});

/// Difference of two readings. Absent = not counted here.
struct NodeLoad {
  std::optional<double> busy_s, busy_share, steal_share;  // of the processors asked for
  double resolution = 0;  // share that one step of the kernel's counting makes
  std::optional<std::int64_t> throttled_periods;
  std::optional<double> throttled_s;
};
/// Load between two readings. `processors`: logical numbers that count; empty = all.
[[nodiscard]] NodeLoad difference(const NodeCounters& before, const NodeCounters& after,
                                  const std::vector<int>& processors = {});

/// Share of the processors' time used by others than our own processes, which ran for own_s; one step of the
/// kernel's counting is forgiven. nullopt if the kernel does not count.
[[nodiscard]] std::optional<double> foreign_share(const NodeLoad& load, double own_s);

/// Seconds of processor time used so far by these processes; 0 stands for this process, ended ones do not count.
[[nodiscard]] double run_time(const std::vector<int>& processes, const Roots& roots = {});

/// Load of a window, and the time of this process and own_processes in it.
struct WatchedLoad {
  NodeLoad load;
  double own_s = 0;
  /// Foreign share of the two, as foreign_share().
  [[nodiscard]] std::optional<double> foreign() const { return foreign_share(load, own_s); }
};
/// Sleeps for the window and returns the load on these logical processors (empty = all) meanwhile.
[[nodiscard]] WatchedLoad watch_load(std::chrono::milliseconds window,
                                     const std::vector<int>& processors = {},
                                     std::vector<int> own_processes = {}, const Roots& roots = {});

/// Processes that the kernel has killed for lack of memory since it was started, of the machine's or of a group with a
/// limit; nullopt if it does not count them, as before Linux 4.13.
[[nodiscard]] std::optional<std::int64_t> killed_for_memory(const Roots& roots = {});

// Clock cycles of the processor that this process used.

/// Counter of cycles since its making, in the program and, if that is permitted, in the kernel for it.
/// Without privileges the kernel may refuse: then there is no value.
class CycleCounter {
 public:
  CycleCounter();
  CycleCounter(const CycleCounter&) = delete;
  CycleCounter& operator=(const CycleCounter&) = delete;
  ~CycleCounter();
  /// Number of cycles, scaled up if the counter was shared with others for a part of the time.
  [[nodiscard]] std::optional<double> cycles() const;

 private:
  int descriptor_ = -1;
};

/// Frequency that the processor is sold with, in Hz; nullopt if the kernel does not tell it.
[[nodiscard]] std::optional<double> nominal_frequency(const Roots& roots = {});

}  // namespace steelyard::machine
