// SPDX-License-Identifier: Apache-2.0
#include "machine/node_counters.hpp"

#include <unistd.h>

#include <algorithm>
#include <thread>

#include "machine/cgroup.hpp"
#include "machine/source.hpp"
#include "machine/text.hpp"

#ifdef __linux__
#include <linux/perf_event.h>
#include <sys/syscall.h>

#include <cstring>
#endif

namespace steelyard::machine {
namespace {

/// Length of one step of the kernel's counting of processor time.
double step_s() {
  const auto rate = ::sysconf(_SC_CLK_TCK);
  return rate > 0 ? 1.0 / static_cast<double>(rate) : 0.01;
}

/// Reads a line "cpu3 user nice system idle iowait irq softirq steal guest guest_nice" (proc(5)); guests are in user.
std::optional<ProcessorTimes> processor_times(std::string_view line) {
  constexpr std::size_t idle = 3, waiting = 4, steal = 7, columns = 8;
  const auto parts = words(line);
  const auto number =
      parts.empty() || !parts[0].starts_with("cpu") ? std::nullopt : whole(parts[0].substr(3));
  if (!number || parts.size() < columns + 1) return std::nullopt;
  const auto seconds = [&](std::size_t column) { return decimal(parts[column + 1]).value_or(0) * step_s(); };
  ProcessorTimes times{.processor = static_cast<int>(*number)};
  for (std::size_t column = 0; column < columns; ++column) times.total_s += seconds(column);
  times.steal_s = seconds(steal);
  times.busy_s = times.total_s - seconds(idle) - seconds(waiting) - times.steal_s;
  return times;
}

std::vector<ProcessorTimes> all_processor_times(Source& source) {
  std::vector<ProcessorTimes> list;
  const auto text = source.text("/proc/stat").value_or("");
  for (const auto line : split(text, '\n'))
    if (const auto times = processor_times(line)) list.push_back(*times);
  return list;
}

template <class T>
std::optional<T> minus(const std::optional<T>& after, const std::optional<T>& before) {
  return after && before ? std::optional<T>(*after - *before) : std::nullopt;
}

struct Sum {
  double busy_s = 0, steal_s = 0, total_s = 0;
  int processors = 0;
};

Sum sum_of_processors(const NodeCounters& before, const NodeCounters& after, const std::vector<int>& wanted) {
  Sum sum;
  for (const auto& now : after.processors) {
    if (!wanted.empty() && std::ranges::find(wanted, now.processor) == wanted.end()) continue;
    const auto then = std::ranges::find(before.processors, now.processor, &ProcessorTimes::processor);
    if (then == before.processors.end()) continue;
    sum.busy_s += std::max(0.0, now.busy_s - then->busy_s);
    sum.steal_s += std::max(0.0, now.steal_s - then->steal_s);
    sum.total_s += std::max(0.0, now.total_s - then->total_s);
    ++sum.processors;
  }
  return sum;
}

}  // namespace

NodeCounters read_node_counters(const Roots& roots) {
  Source source(roots);
  const ControlGroups groups(source);
  NodeCounters counters;
  counters.processors = all_processor_times(source);
  counters.throttled_periods = groups.throttled_periods();
  counters.throttled_s = groups.throttled_s();
  return counters;
}

NodeLoad difference(const NodeCounters& before, const NodeCounters& after,
                    const std::vector<int>& processors) {
  NodeLoad load;
  const auto sum = sum_of_processors(before, after, processors);
  if (sum.total_s > 0) {
    load.busy_s = sum.busy_s;
    load.busy_share = sum.busy_s / sum.total_s;
    load.steal_share = sum.steal_s / sum.total_s;
    load.resolution = step_s() / sum.total_s;
  }
  load.throttled_periods = minus(after.throttled_periods, before.throttled_periods);
  load.throttled_s = minus(after.throttled_s, before.throttled_s);
  return load;
}

std::optional<double> foreign_share(const NodeLoad& load, double own_s) {
  if (!load.busy_s || !load.busy_share || *load.busy_share <= 0) return load.busy_share;
  const double total_s = *load.busy_s / *load.busy_share;
  return std::max(0.0, (*load.busy_s - own_s) / total_s - load.resolution);
}

double run_time(const std::vector<int>& processes, const Roots& roots) {
  constexpr std::size_t user_after_name = 11, system_after_name = 12;
  Source source(roots);
  double ticks = 0;
  for (const int process : processes) {
    const auto name = process == 0 ? std::string("self") : std::to_string(process);
    const auto text = source.peek("/proc/" + name + "/stat").value_or("");
    // The program's name, in parentheses, may hold blanks and parentheses.
    const auto rest = words(std::string_view(text).substr(std::min(text.size(), text.rfind(')') + 1)));
    if (rest.size() <= system_after_name) continue;
    ticks += decimal(rest[user_after_name]).value_or(0) + decimal(rest[system_after_name]).value_or(0);
  }
  return ticks * step_s();
}

std::optional<std::int64_t> killed_for_memory(const Roots& roots) {
  return counter(Source(roots).peek("/proc/vmstat").value_or(""), "oom_kill");
}

WatchedLoad watch_load(std::chrono::milliseconds window, const std::vector<int>& processors,
                       std::vector<int> own_processes, const Roots& roots) {
  own_processes.push_back(0);
  const auto before = read_node_counters(roots);
  const double own_before = run_time(own_processes, roots);
  std::this_thread::sleep_for(window);
  const auto after = read_node_counters(roots);
  return {.load = difference(before, after, processors),
          .own_s = run_time(own_processes, roots) - own_before};
}

// Cycles of the processor.

namespace {

#ifdef __linux__
enum class Where { program, program_and_kernel };

int open_counter(Where where) {
  perf_event_attr event;
  std::memset(&event, 0, sizeof event);
  event.size = sizeof event;
  event.type = PERF_TYPE_HARDWARE;
  event.config = PERF_COUNT_HW_CPU_CYCLES;
  event.exclude_hv = 1;
  event.exclude_kernel = where == Where::program ? 1 : 0;
  event.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return static_cast<int>(::syscall(SYS_perf_event_open, &event, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

int open_counter() {
  const int all = open_counter(Where::program_and_kernel);
  return all >= 0 ? all : open_counter(Where::program);
}
#else
int open_counter() {
  return -1;
}
#endif

}  // namespace

CycleCounter::CycleCounter() : descriptor_(open_counter()) {}

CycleCounter::~CycleCounter() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::optional<double> CycleCounter::cycles() const {
  struct {
    std::uint64_t value, enabled_ns, running_ns;
  } counted{};
  if (descriptor_ < 0 || ::read(descriptor_, &counted, sizeof counted) != sizeof counted) return std::nullopt;
  if (counted.value == 0 || counted.running_ns == 0) return std::nullopt;
  return static_cast<double>(counted.value) * static_cast<double>(counted.enabled_ns) /
         static_cast<double>(counted.running_ns);
}

std::optional<double> nominal_frequency(const Roots& roots) {
  const auto kilo = Source(roots).peek_number("/sys/devices/system/cpu/cpu0/cpufreq/base_frequency");
  return kilo && *kilo > 0 ? std::optional<double>(1e3 * static_cast<double>(*kilo)) : std::nullopt;
}

}  // namespace steelyard::machine
