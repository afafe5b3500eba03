// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace steelyard::measure {

/// What the operating system has counted for this thread since it started.
struct Usage {
  std::optional<double> waited_s;  // runnable but not running: somebody else had the processor
  std::int64_t switches = 0;       // involuntary context switches
  std::int64_t faults = 0;         // minor and major page faults
  int processor = -1;              // where it runs now; -1 where the system does not tell
};

/// Reads the counters at the two ends of a visit; about 1 us. Source: docs/methodology.md, "Conditions".
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

}  // namespace steelyard::measure
