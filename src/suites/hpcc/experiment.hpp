// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "measure/engine.hpp"
#include "mpi/communicator.hpp"
#include "record/records.hpp"
#include "suites/hpcc/definition.hpp"
#include "suites/stage.hpp"

namespace steelyard::hpcc {

/// What all points of a session have in common.
struct Frame {
  const Settings* settings = nullptr;
  const mpi::Communicator* world = nullptr;
  int single_rank = 0;
  std::function<bool()> stop = {};  // on rank 0: whether to end a long operation before its end
  [[nodiscard]] bool alone(Mode mode) const { return mode == Mode::single; }
  /// Whether this rank computes in that mode.
  [[nodiscard]] bool computes(Mode mode) const { return !alone(mode) || world->rank() == single_rank; }
};

/// One point while it is measured: makes its workloads and, on rank 0, its record.
class Experiment {
 public:
  Experiment(const Frame& frame, PointSpec spec) : frame_(frame), spec_(std::move(spec)) {}
  virtual ~Experiment() = default;
  Experiment(const Experiment&) = delete;
  Experiment& operator=(const Experiment&) = delete;

  /// Collective, outside timed regions.
  [[nodiscard]] virtual std::unique_ptr<measure::Workload> open() = 0;
  /// Adds metrics, the Summary's keys and flags. On rank 0.
  virtual void describe(const measure::Outcome& outcome, record::PointRecord& record) const = 0;
  [[nodiscard]] int passes() const { return hpcc::passes(spec_.benchmark.test, *frame_.settings); }
  /// What the run should tell of the record; on rank 0.
  [[nodiscard]] virtual std::optional<measure::EngineNotice> notice(const record::PointRecord&) const {
    return std::nullopt;
  }
  [[nodiscard]] virtual int placements() const { return 1; }
  /// How far a long operation is; on rank 0. Nothing for short ones.
  [[nodiscard]] virtual std::optional<suites::Stage> progress() const { return std::nullopt; }

  [[nodiscard]] const PointSpec& spec() const { return spec_; }

 protected:
  Frame frame_;
  PointSpec spec_;
};

/// The experiments of the points of one block, in their order. Collective over the world of the frame.
[[nodiscard]] std::vector<std::unique_ptr<Experiment>> make_experiments(const Frame& frame,
                                                                        std::span<const PointSpec> specs);

}  // namespace steelyard::hpcc
