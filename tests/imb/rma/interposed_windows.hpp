// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

/// Stands between the benchmarks of windows and the MPI library (its profiling interface) to see their calls and
/// to spoil them.
namespace steelyard::imb::test {

enum class WindowFault {
  none,
  drop,      // a transfer never happens
  twice,     // it happens again
  shift,     // its data lie one element too far
  overrun,   // one byte behind the own window is written
  mirror,    // it goes to the rank on the other side
  section,   // it reaches the next section of the target
  unflushed  // a completion completes nothing
};

struct Windows {
  WindowFault fault = WindowFault::none;
  int hit = 1;                     // transfer, or completion, from 0
  int seen = 0;                    // so far
  bool late = false;               // transfers happen when they are completed
  std::vector<std::string> calls;  // "lock 1", "put 1 0", "flush 1"
  std::vector<std::pair<int, std::function<int()>>> held;
  int made = 0, freed = 0, opened = 0, closed = 0;
};
[[nodiscard]] Windows& windows();

/// Forgets everything and watches from now on; transfers that wait for a completion are done by any of them but
/// the one that is hit.
void watch_windows(WindowFault fault = WindowFault::none, int hit = 1, bool late = false);

}  // namespace steelyard::imb::test
