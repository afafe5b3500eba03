// SPDX-License-Identifier: Apache-2.0
#include "measure/usage.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <string_view>

namespace steelyard::measure {
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

}  // namespace steelyard::measure
