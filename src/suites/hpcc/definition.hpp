// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "suites/hpcc/ptrans/data.hpp"
#include "suites/hpcc/random_access/update_stream.hpp"
#include "suites/hpcc/settings.hpp"
#include "suites/hpcc/stream/loops.hpp"
#include "suites/suite.hpp"

namespace steelyard::hpcc {

inline constexpr std::string_view suite_name = "hpcc";

enum class Test { random_access, ptrans, dgemm, stream, fft, latency_bandwidth, solver };
/// single: one process runs, the others wait; star: every process its own copy; global: all together.
enum class Mode { single, star, global };

struct Benchmark {
  std::string_view name;
  Test test;
  Mode mode;
  Generator generator = Generator::polynomial;
};

/// In the order of the suite, the linear solver last.
[[nodiscard]] std::span<const Benchmark> all_benchmarks();
/// Throws std::invalid_argument for a name that is not there.
[[nodiscard]] const Benchmark& benchmark_of(std::string_view name);

/// One point of a benchmark with its size; what does not apply stays as it is.
struct PointSpec {
  Benchmark benchmark;
  std::int64_t length = 0;                   // order, elements of a vector or transform, bytes of a message
  int bits = 0;                              // of a table
  std::int64_t updates = 0;                  // of the table
  StreamKernel kernel = StreamKernel::copy;  // of STREAM
  GridMatrix matrix = {};                    // of PTRANS
  hpl::Variant solver = {};                  // of the linear solver
  int processes = 1;                         // that work together
  int passes = 0;                            // each of one operation; 0: not planned yet
};
[[nodiscard]] std::vector<PointSpec> point_specs(const Settings& settings, const Benchmark& benchmark,
                                                 int world);
/// Passes of a point: by the rule of its test or as the settings say. More where that is few and they take little by these
/// rates: the first one finds libraries and pages unprepared, and one alone has no spread.
[[nodiscard]] int passes(const PointSpec& spec, const Settings& settings, const suites::Rates& rates);
[[nodiscard]] record::Params identity(const PointSpec& spec, const Settings& settings, int world);
/// What one operation counts for in the unit of the point's rate: updates, floating-point operations or
/// bytes, of all processes that work together; 0 for messages, which have no such rate. Source: 004
/// section 1.
[[nodiscard]] double counted_work(const PointSpec& spec);
/// Bytes that a process needs for it.
[[nodiscard]] std::int64_t memory_byte(const PointSpec& spec, const Settings& settings);

/// The suite: one block per benchmark, per combination for PTRANS and the linear solver. Pure.
class Definition : public suites::Suite {
 public:
  explicit Definition(Settings settings) : settings_(std::move(settings)) {}
  [[nodiscard]] std::string_view name() const override { return suite_name; }
  [[nodiscard]] std::span<const suites::BenchmarkInfo> catalogue() const override;
  [[nodiscard]] std::vector<suites::BlockPlan> plan(std::span<const std::string> benchmarks,
                                                    const suites::World& world) const override;
  [[nodiscard]] std::vector<suites::RateGroup> rate_groups() const override {
    using enum suites::RateGroup;
    return {memory, kernels, solver, messages};
  }
  [[nodiscard]] record::Members configuration() const override;
  [[nodiscard]] const Settings& settings() const { return settings_; }

 private:
  Settings settings_;
};

/// Whether a benchmark of this name is computed by a BLAS.
[[nodiscard]] bool computes_with_blas(std::string_view benchmark);

/// The settings with whether there is a BLAS: one that the program was built with, or the one in use (library
/// steelyard_hpcc_kernels).
[[nodiscard]] Settings as_built(Settings settings);

/// The same, measurable (only in builds with MPI; library steelyard_hpcc).
[[nodiscard]] std::unique_ptr<suites::Suite> measurable_suite(const Settings& settings);

/// Seconds that a point probably takes with all its passes, its data and their verification, by the rates of a
/// survey. Only plans and budgets use it.
[[nodiscard]] double expected_s(const PointSpec& spec, const Settings& settings, const suites::Rates& rates);

}  // namespace steelyard::hpcc
