// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/records.hpp"
#include "suites/hpcc/definition.hpp"
#include "suites/hpcc/tests.hpp"
#include "suites/suite.hpp"

/// Rules of the tests of HPC Challenge, known without measuring: their points, what these need and count for,
/// how long they take, and from which size on they stand for the machine. Those of a test are in the
/// rules.cpp of its folder. Pure.
namespace steelyard::hpcc {

inline constexpr double word_byte = 8, complex_byte = 16;

/// Reason why a point cannot be measured.
struct Obstacle {
  record::ReasonCode code;
  std::string text;
};

/// Seconds before the first pass, of each pass, and after the last one.
struct TimeParts {
  double open_s = 0, pass_s = 0, close_s = 0;
};

/// Expected seconds of processes that work in a mode, by the rates of a survey.
class Pace {
 public:
  Pace(Mode mode, const suites::Rates& rates) : rates_(rates), alone_(mode == Mode::single) {}

  [[nodiscard]] double product_s(double flop) const;
  [[nodiscard]] double stream_s(double byte) const;
  [[nodiscard]] double updates_s(double updates) const;
  [[nodiscard]] double transform_s(double flop) const;
  /// Seconds to touch new memory for the first time, and to fill it with values by the rule of a test.
  [[nodiscard]] double touch_s(double byte) const { return byte / rates_.touch_byte_s; }
  [[nodiscard]] double fill_s(double values) const { return values / rates_.filled_value_s; }
  /// Seconds in which every process sends so many bytes and receives as many.
  [[nodiscard]] double exchange_s(double byte) const;

 private:
  const suites::Rates& rates_;
  bool alone_;
};

/// Text of the catalogue about a test.
struct TestText {
  std::string_view metrics;
  std::string_view sizes = "from N of the linear solver";
  std::string_view source = "HPCC balance paper, 1";
  std::string_view condition = "";  // from which size on it stands for the machine; empty if none is asked
  int min_processes = 1;
  /// Statistic over its executions that the figure is.
  std::string_view statistic = "median over the repetitions, of a strict run the first";
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

  /// Points of the test with their sizes; `first` has benchmark and number of processes.
  [[nodiscard]] virtual std::vector<PointSpec> points(const Settings& settings, PointSpec first,
                                                      int world) const = 0;
  [[nodiscard]] virtual int passes(const Settings& settings) const { return settings.effort.repetitions; }
  /// Passes at the start that only touch memory: their rates do not count.
  [[nodiscard]] virtual std::size_t passes_before() const { return 0; }
  /// Whether the figure is one of several like executions. Tests with a rule of their own for it have none.
  [[nodiscard]] virtual bool takes_one_execution() const { return true; }
  /// The point with a 64th of its size; nullopt if that leaves nothing.
  [[nodiscard]] virtual std::optional<PointSpec> small_point(const PointSpec& spec, const Settings& settings,
                                                             int world) const;
  /// Whether there may be more passes where they are cheap.
  [[nodiscard]] virtual bool repeats_freely() const { return true; }
  /// Adds the parameters that tell the point from others of its benchmark.
  virtual void identify(const PointSpec& spec, record::Params& params) const = 0;
  /// See counted_work() and memory_byte() of definition.hpp.
  [[nodiscard]] virtual double counted_work(const PointSpec& spec) const = 0;
  [[nodiscard]] virtual std::int64_t memory_byte(const PointSpec& spec, const Settings& settings) const = 0;
  [[nodiscard]] virtual TimeParts expected(const PointSpec& spec, const Settings& settings,
                                           const suites::Rates& rates) const = 0;
  [[nodiscard]] virtual std::optional<Obstacle> obstacle(const PointSpec& spec, int world) const;

  /// The size that decides whether a point stands for the machine: order, elements, bits of a table.
  [[nodiscard]] virtual std::int64_t size(const PointSpec& spec) const { return spec.length; }
  virtual void set_size(PointSpec& spec, std::int64_t size) const { spec.length = size; }
  [[nodiscard]] virtual std::string size_in_words(std::int64_t size) const {
    return "order " + std::to_string(size);
  }
  /// Least size that stands for the machine; 0 if none is asked, or if it depends on rates.
  [[nodiscard]] virtual std::int64_t least_size(const Benchmark&, const Settings&, int /*processes*/) const {
    return 0;
  }
  /// Least size of a point on this machine; nullopt if it is not known.
  [[nodiscard]] virtual std::optional<std::int64_t> least_size(const PointSpec& spec,
                                                               const Settings& settings,
                                                               const suites::World& /*world*/) const {
    return least_size(spec.benchmark, settings, spec.processes);
  }
  [[nodiscard]] virtual bool wants_least_size(const Settings& settings) const {
    return settings.representative;
  }
  /// See expectation() below.
  [[nodiscard]] virtual std::string expectation(const PointSpec&, const Settings&,
                                                const suites::World&) const {
    return "";
  }
  /// Parts of the expected time that are told beside the measured ones; nullopt if none are.
  [[nodiscard]] virtual std::optional<hpl::SolveParts> expected_parts(const PointSpec&, const Settings&,
                                                                      const suites::Rates&) const {
    return std::nullopt;
  }
  /// Bytes per process that the published rules count; buffers of the implementation do not belong to them.
  [[nodiscard]] virtual double counted_byte(const PointSpec& spec) const = 0;
  /// Whether the published rules ask for more than this part of the memory, for an entry of class 2.
  [[nodiscard]] virtual bool asks_for_more_than(double /*share*/) const { return false; }

 protected:
  ~TestRules() = default;
  /// The point, with its least size if that is asked for and larger than `size`.
  [[nodiscard]] PointSpec at_least(const Settings& settings, int processes, PointSpec spec,
                                   std::int64_t size) const;
};

// Functions that the rules share.

/// Memory of a process from which sizes follow.
[[nodiscard]] std::int64_t memory_of(const Settings& settings);
/// A multiple of the last-level cache that a process has in this mode.
[[nodiscard]] std::int64_t cache_multiple_byte(double multiple, Mode mode, const Settings& settings);
[[nodiscard]] constexpr std::int64_t divided_up(std::int64_t amount, std::int64_t by) {
  return (amount + by - 1) / by;
}
/// Least number of bits for which 2^bits is not below the amount.
[[nodiscard]] int bits_for(std::int64_t amount);
[[nodiscard]] std::optional<Obstacle> lack_of_processes(const PointSpec& spec, int world);

// From which size on the figure of a test stands for the machine, whatever the published rules ask for. Pure.

/// Least size that meets the condition, in the unit of PointSpec: order, elements, bits of a table. 0 if none
/// is asked, and for the linear solver, whose least order depends on the machine (least_solver_order).
[[nodiscard]] std::int64_t least_size(const Benchmark& benchmark, const Settings& settings, int processes);

/// Part of the efficiency at half of the memory that an order must be expected to
/// reach to stand for the machine.
inline constexpr double representative_efficiency = 0.85;
/// Least order, a multiple of 2 NB, that is expected to reach `part` of the efficiency at half of the memory.
/// The rates must have panels.
[[nodiscard]] std::int64_t least_solver_order(const hpl::Variant& variant, const Settings& settings,
                                              const suites::Rates& rates,
                                              double part = representative_efficiency);

/// A sentence: the part of the rate of its products that a solution is expected to reach. Empty for other
/// tests, or if nothing was measured.
[[nodiscard]] std::string expectation(const PointSpec& spec, const Settings& settings,
                                      const suites::World& world);
/// Reason why the figure of a point does not stand for the machine: "order 320 where 4800 or
/// more ...". Empty if it does.
[[nodiscard]] std::string doubt(const PointSpec& spec, const Settings& settings, const suites::World& world);

// How much of the memory a test uses, and whether the published rules for entries of class 2 ask for more: a
// matrix of the linear solver of half the memory, a table of RandomAccess as large as a power of two up to
// half of it can be, vectors of STREAM and FFT that together take a quarter. Pure.

/// Part of a process's share of its node's memory that the matrices, tables or vectors of a point take;
/// nullopt if the share is not known or the point has none.
[[nodiscard]] std::optional<double> memory_share(const PointSpec& spec, const Settings& settings);

/// Whether the rules ask for more memory; false if they do not ask for any or the share is not known.
[[nodiscard]] bool smaller_than_the_rules_ask(const PointSpec& spec, const Settings& settings);

}  // namespace steelyard::hpcc
