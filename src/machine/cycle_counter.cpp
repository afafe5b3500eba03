// SPDX-License-Identifier: Apache-2.0
#include "machine/cycle_counter.hpp"

#include <unistd.h>

#include "machine/source.hpp"

#ifdef __linux__
#include <linux/perf_event.h>
#include <sys/syscall.h>

#include <cstring>
#endif

namespace steelyard::machine {
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
