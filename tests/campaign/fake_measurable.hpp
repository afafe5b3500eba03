// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "suites/session.hpp"

namespace steelyard::testing {

/// How a point of the fake suite behaves while it is measured.
struct Behaviour {
  double nap_s = 0;         // asleep in every operation
  std::int64_t errors = 0;  // found by the checking pass
  int code = MPI_SUCCESS;   // what every operation answers
};

/// Barrier in a group, and a nap.
struct BarrierOperation {
  MPI_Comm comm;
  Behaviour behaviour;
  int operator()(std::uint64_t) noexcept {
    const timespec nap{0, static_cast<long>(behaviour.nap_s * 1e9)};
    if (nap.tv_nsec > 0) nanosleep(&nap, nullptr);
    const int met = MPI_Barrier(comm);
    return met == MPI_SUCCESS ? behaviour.code : met;
  }
  std::optional<measure::CheckResult> verify(std::uint64_t) {
    return measure::CheckResult{behaviour.errors, behaviour.errors > 0 ? 1.0 : 0.0, {}};
  }
};

/// What a test wants to happen; called on every rank that takes part.
struct Script {
  std::function<Behaviour(const suites::BlockPlan&, const suites::PointPlan&)> behaviour =
      [](const auto&, const auto&) { return Behaviour{}; };
  std::function<void(const suites::BlockPlan&, const suites::SessionContext&)> on_open = [](const auto&,
                                                                                            const auto&) {};
  std::function<void(const record::PointRecord&)> on_record = [](const auto&) {};  // rank 0
};

class FakeSession final : public suites::Session {
 public:
  FakeSession(const suites::BlockPlan& block, const suites::SessionContext& context, const Script& script)
      : block_(block), context_(context), script_(script) {}

  std::vector<measure::Task> tasks() override {
    std::vector<measure::Task> tasks;
    for (const suites::PointPlan& point : block_.points)
      if (point.measurable()) tasks.push_back(task(point));
    return tasks;
  }
  std::vector<record::PointRecord> records(std::size_t, const measure::Outcome& outcome,
                                           record::PointRecord base) override {
    script_.on_record(base);
    base.metrics.emplace_back("time_s", outcome.time);
    base.primary = "time_s";
    return {base};
  }

 private:
  measure::Task task(const suites::PointPlan& point) {
    measure::Task task;
    task.schedule = context_.schedule;
    task.bytes = point.bytes;
    task.verify_repetitions = 1;
    const BarrierOperation operation{context_.team->group.get(), script_.behaviour(block_, point)};
    task.open = [operation](int) { return std::make_unique<measure::Loop<BarrierOperation>>(operation); };
    return task;
  }

  suites::BlockPlan block_;
  suites::SessionContext context_;
  const Script& script_;
};

/// One block per benchmark, on as many processes as its name says: "all", or a number.
class FakeMeasurable final : public suites::Suite {
 public:
  std::string_view name() const override { return "fake"; }
  std::span<const suites::BenchmarkInfo> catalogue() const override { return {}; }
  record::Members configuration() const override { return {}; }

  std::vector<suites::BlockPlan> plan(std::span<const std::string> benchmarks,
                                      const suites::World& world) const override {
    std::vector<suites::BlockPlan> blocks;
    for (const std::string& benchmark : benchmarks) {
      suites::BlockPlan block;
      block.suite = "fake";
      block.benchmark = benchmark;
      block.processes = benchmark.starts_with("one") ? 1 : world.processes;
      block.rank_order = rank_order;
      for (std::int64_t size = 1; size <= points; ++size) block.points.push_back(point(block, size));
      blocks.push_back(block);
    }
    return blocks;
  }
  std::unique_ptr<suites::Session> open(const suites::BlockPlan& block,
                                        const suites::SessionContext& context) const override {
    script.on_open(block, context);
    return std::make_unique<FakeSession>(block, context, script);
  }

  std::int64_t points = 3;
  std::vector<int> rank_order;  // of all blocks
  Script script;

 private:
  static suites::PointPlan point(const suites::BlockPlan& block, std::int64_t size) {
    suites::PointPlan point;
    point.params["message_byte"] = size;
    point.key = record::make_key("fake", block.benchmark, block.processes, 1, 1, point.params);
    point.bytes = size;
    point.size_params = {"message_byte"};
    point.memory_byte = size;
    point.classic_operations = 4;
    return point;
  }
};

}  // namespace steelyard::testing
