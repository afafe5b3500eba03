// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "suites/hpcc/hpl/model.hpp"
#include "suites/hpcc/ptrans/data.hpp"
#include "suites/hpcc/random_access/update_stream.hpp"
#include "suites/hpcc/settings.hpp"
#include "suites/hpcc/stream/loops.hpp"
#include "suites/suite.hpp"

namespace steelyard::hpcc {

inline constexpr std::string_view suite_name = "hpcc";

class TestRules;
/// Processes that run a test. single: one, the others wait; star: each its own copy; global: all together.
enum class Mode { single, star, global };

struct Benchmark {
  std::string_view name;
  const TestRules& (*test)();  // its rules, which tell one test from another
  Mode mode;
  Generator generator = Generator::polynomial;
};

/// All benchmarks in the order of the suite, the linear solver last.
[[nodiscard]] std::span<const Benchmark> all_benchmarks();
/// Benchmark of this name. Throws std::invalid_argument for an unknown one.
[[nodiscard]] const Benchmark& benchmark_of(std::string_view name);

/// One point of a benchmark with its size; members that do not apply keep their defaults.
struct PointSpec {
  Benchmark benchmark;
  std::int64_t length = 0;                    // order, elements of a vector or transform, bytes of a message
  int bits = 0;                               // of a table
  std::int64_t updates = 0;                   // of the table
  StreamKernel kernel = StreamKernel::copy;   // of STREAM
  GridMatrix matrix = {};                     // of PTRANS
  hpl::Variant solver = {};                   // of the linear solver
  int processes = 1;                          // that work together
  int passes = 0;                             // each of one operation; 0: not planned yet
  std::optional<hpl::SolveParts> parts = {};  // expected of a solution whose parts are told
};
[[nodiscard]] std::vector<PointSpec> point_specs(const Settings& settings, const Benchmark& benchmark,
                                                 int world);
/// Passes of a point, by the rule of its test or as the settings say; more where these are few and cheap by
/// the rates: the first pass finds libraries and pages unprepared, and a single one has no spread.
[[nodiscard]] int passes(const PointSpec& spec, const Settings& settings, const suites::Rates& rates);
[[nodiscard]] record::Params identity(const PointSpec& spec, const Settings& settings, int world);
/// Work of one operation in the unit of the point's rate (updates, floating-point operations or bytes), of
/// all processes that work together; 0 for messages, which have no such rate. Source: HPCC balance paper, 1.
[[nodiscard]] double counted_work(const PointSpec& spec);
/// Bytes that a process needs for a point.
[[nodiscard]] std::int64_t memory_byte(const PointSpec& spec, const Settings& settings);

/// The suite: one block per benchmark, per combination for PTRANS and the linear solver. Pure.
class Definition : public suites::DefinedSuite<Settings> {
 public:
  explicit Definition(Settings settings);
  [[nodiscard]] std::vector<suites::BlockPlan> plan(std::span<const std::string> benchmarks,
                                                    const suites::World& world) const override;
  [[nodiscard]] record::Members configuration() const override;
};

/// PTRANS' own orders that a grid of the settings leaves out, each once.
[[nodiscard]] std::vector<std::int64_t> dropped_ptrans_orders(const Settings& settings);

/// Statistic over its executions that the figure of a benchmark is, "best pass after the first"; empty for an unknown name.
[[nodiscard]] std::string_view statistic_of(std::string_view benchmark);

/// Whether a benchmark of this name is computed by a BLAS.
[[nodiscard]] bool computes_with_blas(std::string_view benchmark);

/// The settings with `blas` set: true if the program was built with a BLAS or another one is in use
/// (library steelyard_hpcc_kernels).
[[nodiscard]] Settings as_built(Settings settings);

/// The suite with these settings, measurable (only in builds with MPI; library steelyard_hpcc).
[[nodiscard]] std::unique_ptr<suites::Suite> measurable_suite(const Settings& settings);

/// Seconds that a point probably takes with all its passes, its data and their verification, by the rates of
/// a survey. Only plans and budgets use it.
[[nodiscard]] double expected_s(const PointSpec& spec, const Settings& settings, const suites::Rates& rates);

}  // namespace steelyard::hpcc
