// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "suites/suite.hpp"

namespace steelyard::testing {

/// A suite whose tables a test writes down.
class FakeSuite final : public suites::Suite {
 public:
  FakeSuite(std::string name, std::vector<suites::BenchmarkInfo> catalogue)
      : name_(std::move(name)), catalogue_(std::move(catalogue)) {}

  std::string_view name() const override { return name_; }
  std::span<const suites::BenchmarkInfo> catalogue() const override { return catalogue_; }
  std::vector<suites::BlockPlan> plan(std::span<const std::string> benchmarks,
                                      const suites::World&) const override {
    std::vector<suites::BlockPlan> blocks;
    for (const std::string& benchmark : benchmarks)
      for (const int processes : process_numbers) blocks.push_back(table(benchmark, processes));
    return blocks;
  }
  record::Members configuration() const override { return {}; }

  std::vector<std::int64_t> sizes{0, 1024};
  std::vector<int> process_numbers{2};
  suites::CostModel cost{.latency_s = 5e-6, .byte_s = 1e9};  // moved_byte is set to the size
  std::uint64_t classic_operations = 1000;
  std::optional<double> prescribed_s;  // then a table is one experiment

 private:
  suites::BlockPlan table(const std::string& benchmark, int processes) const {
    suites::BlockPlan block;
    block.suite = name_;
    block.benchmark = benchmark;
    block.processes = processes;
    block.indivisible = prescribed_s.has_value();
    for (const std::int64_t size : sizes) {
      suites::PointPlan point;
      point.params["message_byte"] = size;
      point.key = record::make_key(name_, benchmark, processes, 1, 1, point.params);
      point.bytes = size;
      point.size_params = {"message_byte"};
      point.memory_byte = 2 * size;
      point.classic_operations = classic_operations;
      point.prescribed_s = prescribed_s;
      point.cost = cost;
      point.cost.moved_byte = static_cast<double>(size);
      block.points.push_back(point);
    }
    return block;
  }

  std::string name_;
  std::vector<suites::BenchmarkInfo> catalogue_;
};

inline suites::BenchmarkInfo benchmark(std::string_view name, bool in_default = true) {
  suites::BenchmarkInfo info;
  info.name = name;
  info.in_default = in_default;
  return info;
}

/// 0, 1, 2, 4, ... 4 MiB.
inline std::vector<std::int64_t> usual_sizes() {
  std::vector<std::int64_t> sizes{0};
  for (std::int64_t size = 1; size <= std::int64_t{4} << 20; size *= 2) sizes.push_back(size);
  return sizes;
}

}  // namespace steelyard::testing
