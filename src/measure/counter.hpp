// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

/// The processor's own counter as a clock, and the conditions under which it may be one. Source of the
/// conditions: docs/methodology.md, "Clock".
namespace steelyard::measure {

/// Name of the processor's counter: "rdtscp", "cntvct_el0", "mftb"; empty if there is none.
[[nodiscard]] std::string_view counter_name();

/// Reads the counter in program order (earlier loads are done, later ones have not begun). Returns 0 without a counter.
[[nodiscard]] std::int64_t read_counter() noexcept;

/// Counter and CLOCK_MONOTONIC_RAW at nearly the same moment.
struct CounterPair {
  std::int64_t counter = 0;
  std::int64_t raw_ns = 0;
};
[[nodiscard]] CounterPair read_pair() noexcept;

/// Counts per second: slope of the least-squares line through the pairs. Requires two different times.
[[nodiscard]] double counter_frequency(std::span<const CounterPair> pairs);

/// Properties of the counter.
struct CounterFacts {
  bool present = false;
  bool constant = false;       // same rate whatever the processor's frequency
  bool nonstop = false;        // counts on while the processor sleeps
  std::string kernel_source;   // current_clocksource
  double first_hz = 0;         // over one window of 100 ms
  double second_hz = 0;        // over the next
  std::int64_t backwards = 0;  // a token's time fell when it passed between neighbouring cores
  int pairs = 0;               // of neighbouring cores that can be used
  int compared = 0;            // of these: the token passed both ways in time
};

/// Reason why the counter must not be used; nullopt if it may.
[[nodiscard]] std::optional<std::string> objection(const CounterFacts& facts);

/// Result of survey_counter(), which takes about 0.25 s, up to 0.8 s where others hold the cores. `hz`: from 20 pairs over both windows.
struct CounterSurvey {
  CounterFacts facts;
  double hz = 0;
};
[[nodiscard]] CounterSurvey survey_counter();

/// Passes a token between neighbouring cores of this process's set (and the next core of the machine) through
/// shared memory, and notes how often the counter fell from one read to the next, in how many pairs. Unavailable cores
/// are left out. Where others hold the cores it ends after 0.5 s, and pairs are not compared.
void compare_neighbours(CounterFacts& facts);

}  // namespace steelyard::measure
