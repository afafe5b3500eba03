// SPDX-License-Identifier: Apache-2.0
#include "measure/counter.hpp"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <functional>
#include <sstream>
#include <system_error>
#include <thread>
#include <vector>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include "machine/processors.hpp"

namespace steelyard::measure {
namespace {

constexpr int frequency_pairs = 20;
constexpr std::int64_t window_ns = 100'000'000;
constexpr double greatest_difference = 20e-6;

#if defined(__x86_64__)
constexpr std::string_view instruction = "rdtscp";
constexpr std::string_view kernel_name = "tsc";
std::int64_t read() noexcept {
  unsigned processor = 0;
  const auto ticks = static_cast<std::int64_t>(__rdtscp(&processor));
  _mm_lfence();
  return ticks;
}
#elif defined(__aarch64__)
constexpr std::string_view instruction = "cntvct_el0";
constexpr std::string_view kernel_name = "arch_sys_counter";
std::int64_t read() noexcept {
  std::int64_t ticks = 0;
  asm volatile("isb\n\tmrs %0, cntvct_el0" : "=r"(ticks)::"memory");
  return ticks;
}
#elif defined(__powerpc64__)
constexpr std::string_view instruction = "mftb";
constexpr std::string_view kernel_name = "timebase";
std::int64_t read() noexcept {
  return static_cast<std::int64_t>(__builtin_ppc_get_timebase());
}
#else
constexpr std::string_view instruction;
constexpr std::string_view kernel_name;
std::int64_t read() noexcept {
  return 0;
}
#endif

std::int64_t raw_now() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC_RAW, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

/// True if the processor's flags have the word. Architectures without that list have counters that never change.
bool has_flag(std::string_view flag) {
  if (instruction != "rdtscp") return true;
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);) {
    if (!line.starts_with("flags")) continue;
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      if (word == flag) return true;
    }
    return false;
  }
  return false;
}

std::string kernel_clock() {
  std::ifstream file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  std::string source;
  file >> source;
  return source;
}

/// Pairs spread evenly over both windows; the middle one ends the first.
std::vector<CounterPair> watch() {
  std::vector<CounterPair> pairs{read_pair()};
  while (pairs.size() < frequency_pairs) {
    const std::int64_t due = pairs.front().raw_ns +
                             2 * window_ns * static_cast<std::int64_t>(pairs.size()) / (frequency_pairs - 1);
    while (raw_now() < due) continue;
    pairs.push_back(read_pair());
  }
  return pairs;
}

using Moment = std::chrono::steady_clock::time_point;

constexpr int passes = 100;
constexpr std::chrono::milliseconds token_patience{20}, longest_comparison{500};

/// Token with the time at which it was given, and whose turn it is.
struct Token {
  std::atomic<int> turn{0};
  std::atomic<bool> over{false}, unavailable{false};
  std::int64_t given = 0;      // owned by the side whose turn it is
  std::int64_t backwards = 0;  // likewise
  std::atomic<int> taken{0};
};

constexpr int both_ways = 3;  // the first time there is nothing to compare with

/// How long sides wait for one another: until this moment, and for the first comparisons longer.
struct Patience {
  Moment until, at_most;
  [[nodiscard]] bool ends(int taken) const {
    const Moment now = std::chrono::steady_clock::now();
    return now > at_most || (now > until && taken >= both_ways);
  }
};

/// One side of the exchange: takes the token, compares, gives it on. Ends both sides when it has waited too
/// long: another process may hold the core.
void pass(Token& token, int side, int core, const Patience& patience) {
  if (!machine::keep_thread_to({core})) token.over = token.unavailable = true;
  for (int i = 0; i < passes; ++i) {
    while (token.turn.load(std::memory_order_acquire) != side) {
      if (token.over || patience.ends(token.taken)) {
        token.over = true;
        return;
      }
    }
    const std::int64_t now = read_counter();
    if (now < token.given) ++token.backwards;
    token.given = now;
    ++token.taken;
    token.turn.store(1 - side, std::memory_order_release);
  }
}

/// Adds a pair to the facts.
void compare(int core, int neighbour, Moment at_most, CounterFacts& facts) {
  Token token;
  const Patience patience{std::chrono::steady_clock::now() + token_patience, at_most};
  try {
    const std::jthread here(pass, std::ref(token), 0, core, patience);
    const std::jthread there(pass, std::ref(token), 1, neighbour, patience);
  } catch (const std::system_error&) {  // the one that was started ends by its patience
    return;
  }
  facts.backwards += token.backwards;
  if (token.unavailable) return;
  ++facts.pairs;
  if (token.taken >= both_ways) ++facts.compared;
}

}  // namespace

std::string_view counter_name() {
  return instruction;
}

std::int64_t read_counter() noexcept {
  return read();
}

CounterPair read_pair() noexcept {
  CounterPair best;
  std::int64_t shortest = INT64_MAX;
  for (int i = 0; i < 5; ++i) {
    const std::int64_t before = raw_now();
    const std::int64_t counter = read();
    const std::int64_t after = raw_now();
    if (after - before >= shortest) continue;
    shortest = after - before;
    best = {counter, before + shortest / 2};
  }
  return best;
}

double counter_frequency(std::span<const CounterPair> pairs) {
  const CounterPair& origin = pairs.front();
  double x_mean = 0, y_mean = 0;
  for (const CounterPair& p : pairs) {
    x_mean += static_cast<double>(p.raw_ns - origin.raw_ns) / static_cast<double>(pairs.size());
    y_mean += static_cast<double>(p.counter - origin.counter) / static_cast<double>(pairs.size());
  }
  double xy = 0, xx = 0;
  for (const CounterPair& p : pairs) {
    const double x = static_cast<double>(p.raw_ns - origin.raw_ns) - x_mean;
    xy += x * (static_cast<double>(p.counter - origin.counter) - y_mean);
    xx += x * x;
  }
  return xy / xx * 1e9;
}

std::optional<std::string> objection(const CounterFacts& facts) {
  if (!facts.present) return "this processor has no counter that can be read";
  if (!facts.constant) return "the counter changes its rate with the processor's frequency";
  if (!facts.nonstop) return "the counter stops while the processor sleeps";
  if (facts.kernel_source != kernel_name) {
    return "the kernel does not trust the counter: it uses '" + facts.kernel_source + "'";
  }
  const double low = std::min(facts.first_hz, facts.second_hz);
  if (!(low > 0) || std::abs(facts.first_hz - facts.second_hz) > greatest_difference * low) {
    return "the counter ran at two rates within 0.2 s";
  }
  if (facts.backwards > 0) return "the counters of neighbouring cores are not in step";
  if (2 * facts.compared < facts.pairs)
    return "only " + std::to_string(facts.compared) + " of " + std::to_string(facts.pairs) +
           " pairs of neighbouring cores could be compared: others held them";
  return {};
}

CounterSurvey survey_counter() {
  CounterSurvey survey;
  survey.facts.present = !instruction.empty();
  survey.facts.constant = has_flag("constant_tsc");
  survey.facts.nonstop = has_flag("nonstop_tsc");
  survey.facts.kernel_source = kernel_clock();
  if (!survey.facts.present) return survey;
  const std::vector<CounterPair> pairs = watch();
  const std::span<const CounterPair> all = pairs;
  survey.facts.first_hz = counter_frequency(all.first(frequency_pairs / 2));
  survey.facts.second_hz = counter_frequency(all.last(frequency_pairs / 2));
  compare_neighbours(survey.facts);
  survey.hz = counter_frequency(all);
  return survey;
}

void compare_neighbours(CounterFacts& facts) {
  auto cores = machine::processors_of_thread().value_or(machine::ProcessorSet{}).list();
  const auto online = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  if (!cores.empty() && cores.back() + 1 < online) cores.push_back(cores.back() + 1);
  const Moment at_most = std::chrono::steady_clock::now() + longest_comparison;
  for (std::size_t i = 1; i < cores.size(); ++i) {
    if (std::chrono::steady_clock::now() < at_most)
      compare(cores[i - 1], cores[i], at_most, facts);
    else
      ++facts.pairs;
  }
}

}  // namespace steelyard::measure
