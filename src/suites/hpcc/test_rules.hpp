// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/records.hpp"
#include "suites/hpcc/definition.hpp"
#include "suites/suite.hpp"

/// What is said of a test of HPC Challenge without measuring: its points, what they need and count for, how long they
/// take, and from which size on they stand for the machine. Each test says it in the rules.cpp of its folder. Pure.
namespace steelyard::hpcc {

inline constexpr double word_byte = 8, complex_byte = 16;

/// Why a point cannot be measured.
struct Obstacle {
  record::ReasonCode code;
  std::string text;
};

/// Seconds of what comes before the first pass, of each pass, and of what comes after the last one.
struct TimeParts {
  double open_s = 0, pass_s = 0, close_s = 0;
};

/// How long processes that work in a mode take, by the rates of a survey; seconds.
class Pace {
 public:
  Pace(Mode mode, const suites::Rates& rates) : rates_(rates), alone_(mode == Mode::single) {}

  [[nodiscard]] double product_s(double flop) const;
  [[nodiscard]] double stream_s(double byte) const;
  [[nodiscard]] double updates_s(double updates) const;
  [[nodiscard]] double transform_s(double flop) const;
  /// New memory, and values that it is filled with by the rule of a test.
  [[nodiscard]] double touch_s(double byte) const;
  [[nodiscard]] double fill_s(double values) const;
  /// Every process sends so much and receives as much.
  [[nodiscard]] double exchange_s(double byte) const;

 private:
  const suites::Rates& rates_;
  bool alone_;
};

/// What the catalogue tells of a test.
struct TestText {
  std::string_view metrics;
  std::string_view sizes = "from N of the linear solver";
  std::string_view source = "004 section 1";
  std::string_view condition = "";  // from which size on it stands for the machine; empty where none is asked
  int min_processes = 1;
};

class TestRules {
 public:
  TestRules() = default;
  TestRules(const TestRules&) = delete;
  TestRules& operator=(const TestRules&) = delete;

  [[nodiscard]] virtual TestText text() const = 0;
  [[nodiscard]] virtual bool computes_with_blas() const { return false; }
  /// Whether every combination of its parameters is a block of its own.
  [[nodiscard]] virtual bool has_combinations() const { return false; }

  /// Its points with their sizes; `first` has benchmark and number of processes.
  [[nodiscard]] virtual std::vector<PointSpec> points(const Settings& settings, PointSpec first,
                                                      int world) const = 0;
  [[nodiscard]] virtual int passes(const Settings& settings) const { return settings.effort.repetitions; }
  /// Whether there may be more where they are cheap.
  [[nodiscard]] virtual bool repeats_freely() const { return true; }
  /// Adds what tells the point from others of its benchmark.
  virtual void identify(const PointSpec& spec, record::Params& params) const = 0;
  /// As counted_work, memory_byte of definition.hpp.
  [[nodiscard]] virtual double counted_work(const PointSpec& spec) const = 0;
  [[nodiscard]] virtual std::int64_t memory_byte(const PointSpec& spec, const Settings& settings) const = 0;
  [[nodiscard]] virtual TimeParts expected(const PointSpec& spec, const Settings& settings,
                                           const suites::Rates& rates) const = 0;
  [[nodiscard]] virtual std::optional<Obstacle> obstacle(const PointSpec& spec, int world) const;

  /// The size that decides whether a point stands for the machine: order, elements, bits of a table.
  [[nodiscard]] virtual std::int64_t size(const PointSpec& spec) const { return spec.length; }
  virtual void set_size(PointSpec& spec, std::int64_t size) const { spec.length = size; }
  [[nodiscard]] virtual std::string size_in_words(std::int64_t size) const;
  /// The least one; 0 where none is asked, or where it depends on rates.
  [[nodiscard]] virtual std::int64_t least_size(const Benchmark&, const Settings&, int /*processes*/) const {
    return 0;
  }
  /// The same for a point on this machine; nothing where that is not known.
  [[nodiscard]] virtual std::optional<std::int64_t> least_size(const PointSpec& spec,
                                                               const Settings& settings,
                                                               const suites::World& world) const;
  [[nodiscard]] virtual bool wants_least_size(const Settings& settings) const {
    return settings.representative;
  }
  /// As expectation of representative.hpp.
  [[nodiscard]] virtual std::string expectation(const PointSpec&, const Settings&,
                                                const suites::World&) const {
    return "";
  }
  /// Bytes per process of what the published rules count; buffers of the implementation are none of theirs.
  [[nodiscard]] virtual double counted_byte(const PointSpec& spec) const = 0;
  /// Whether they ask for more than this part of the memory, for an entry of class 2.
  [[nodiscard]] virtual bool asks_for_more_than(double /*share*/) const { return false; }

 protected:
  ~TestRules() = default;
  /// The point, at its least size if that is asked for and larger than this one.
  [[nodiscard]] PointSpec at_least(const Settings& settings, int processes, PointSpec spec,
                                   std::int64_t size) const;
};

[[nodiscard]] const TestRules& rules_of(Test test);

// The list of them, each defined in the folder of its test.

[[nodiscard]] const TestRules& random_access_rules();
[[nodiscard]] const TestRules& ptrans_rules();
[[nodiscard]] const TestRules& dgemm_rules();
[[nodiscard]] const TestRules& stream_rules();
[[nodiscard]] const TestRules& fft_rules();
[[nodiscard]] const TestRules& latency_bandwidth_rules();
[[nodiscard]] const TestRules& solver_rules();

// What they share.

/// Memory of a process from which sizes follow.
[[nodiscard]] std::int64_t memory_of(const Settings& settings);
/// A multiple of the last-level cache that a process has in this mode.
[[nodiscard]] std::int64_t cache_multiple_byte(double multiple, Mode mode, const Settings& settings);
[[nodiscard]] constexpr std::int64_t divided_up(std::int64_t amount, std::int64_t by) {
  return (amount + by - 1) / by;
}
/// 2^bits is at least that much.
[[nodiscard]] int bits_for(std::int64_t amount);
[[nodiscard]] std::optional<Obstacle> lack_of_processes(const PointSpec& spec, int world);

// From which size on the figure of a test stands for the machine, whatever the published rules ask for. Pure.

/// The condition in words, for the catalogue; empty where none is asked.
[[nodiscard]] std::string_view condition(Test test);

/// The least size that meets it, in the unit of PointSpec: order, elements, bits of a table. 0 where none is
/// asked, and for the linear solver, whose least order depends on the machine (least_solver_order).
[[nodiscard]] std::int64_t least_size(const Benchmark& benchmark, const Settings& settings, int processes);

/// The least order, a multiple of 2 NB, that is expected to reach the efficiency that counts; `part` of that
/// at half of the memory. The rates must have panels.
inline constexpr double representative_efficiency = 0.85;
[[nodiscard]] std::int64_t least_solver_order(const hpl::Variant& variant, const Settings& settings,
                                              const suites::Rates& rates,
                                              double part = representative_efficiency);

/// The part of the rate of its products that a solution is expected to reach, a sentence. Empty: another test, or
/// nothing was measured.
[[nodiscard]] std::string expectation(const PointSpec& spec, const Settings& settings,
                                      const suites::World& world);
/// Why the figure of a point does not stand for the machine: "order 320 where 4800 or more ...". Empty: it
/// does.
[[nodiscard]] std::string doubt(const PointSpec& spec, const Settings& settings, const suites::World& world);

// How much of the memory a test uses, and whether the published rules for entries of class 2 ask for more: a
// matrix of the linear solver of half the memory, a table of RandomAccess as large as a power of two up to
// half of it can be, vectors of STREAM and FFT that together take a quarter. Pure.

/// Part of a process's share of its node's memory that the matrices, tables or vectors of a point take;
/// nothing where the share is not known or the point has none.
[[nodiscard]] std::optional<double> memory_share(const PointSpec& spec, const Settings& settings);

/// Whether the rules ask for more; false where they ask for nothing or the share is not known.
[[nodiscard]] bool smaller_than_the_rules_ask(const PointSpec& spec, const Settings& settings);

}  // namespace steelyard::hpcc
