// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "suites/screen/quantities.hpp"
#include "suites/screen/settings.hpp"
#include "suites/suite.hpp"

namespace steelyard::screen {

enum class Test { dgemm, fma, triad, numa_triad, random_access, chase, disk, pairs };

/// Work of a process in one visit to a test.
struct TestSpec {
  Test test = Test::fma;
  std::string_view benchmark;
  std::int64_t length = 0;   // order, elements of a vector, bytes of a list or file
  int bits = 0;              // of a table
  std::int64_t updates = 0;  // of the table
  int repetitions = 1;       // that are timed together
  double visit_s = 0;        // fma: how long it runs
};

/// The suite screen: one block of all its points, whose visits are interleaved. Pure.
class Definition : public suites::Suite {
 public:
  explicit Definition(Settings settings) : settings_(std::move(settings)) {}
  [[nodiscard]] std::string_view name() const override { return suite_name; }
  [[nodiscard]] std::span<const suites::BenchmarkInfo> catalogue() const override;
  [[nodiscard]] std::vector<suites::BlockPlan> plan(std::span<const std::string> benchmarks,
                                                    const suites::World& world) const override;
  [[nodiscard]] std::vector<suites::RateGroup> rate_groups() const override {
    return {suites::RateGroup::memory, suites::RateGroup::kernels};
  }
  [[nodiscard]] record::Members configuration() const override;
  [[nodiscard]] const Settings& settings() const { return settings_; }

 private:
  Settings settings_;
};

/// The same suite, measurable (only in builds with MPI; library steelyard_screen).
[[nodiscard]] std::unique_ptr<suites::Suite> measurable_suite(const Settings& settings);

/// Settings with as many visits as the time holds, at least three; nothing is measured if it holds fewer.
[[nodiscard]] Settings fitted(Settings settings, std::span<const std::string> benchmarks,
                              const suites::TimeShare& time, const suites::World& world);
/// Times of three visits, and of all of them.
[[nodiscard]] suites::TimeRange time_range(const Settings& settings, std::span<const std::string> benchmarks,
                                           const suites::World& world);

}  // namespace steelyard::screen
