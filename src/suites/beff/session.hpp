// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "measure/buffers.hpp"
#include "measure/engine.hpp"
#include "mpi/communicator.hpp"
#include "record/records.hpp"
#include "suites/beff/control.hpp"
#include "suites/beff/definition.hpp"
#include "suites/beff/methods.hpp"
#include "suites/session.hpp"

namespace steelyard::beff {

/// Record of one pattern at one length by one method. classic: the pattern (pattern_name, set, slots,
/// messages, used) and, one element per measured repetition, repetition (1, 2, 3), looplength, repeats_s
/// (loop of the slowest process), min_byte_s, avg_byte_s, max_byte_s (bandwidth of single processes); best_s
/// and bandwidth_byte_s of the best repetition. On rank 0 only.
[[nodiscard]] record::PointRecord point_record(const Pattern& pattern, Bytes length,
                                               const measure::Outcome& outcome, record::PointRecord base);

/// Communicators in whose ranks patterns name their partners. Cartesian ones may be reordered by MPI.
/// Construction is collective over `world`.
class Numberings {
 public:
  explicit Numberings(const mpi::Communicator& world);
  [[nodiscard]] const mpi::Communicator& of(Numbering numbering) const;

 private:
  std::array<mpi::Communicator, 6> communicators_;
};

/// Session of b_eff.
class BeffSession final : public suites::Session {
 public:
  /// Collective. Throws std::bad_alloc, mpi::Error, measure::SharedFailure.
  BeffSession(const Settings& settings, const suites::BlockPlan& block,
              const suites::SessionContext& context);
  [[nodiscard]] std::vector<measure::Task> tasks() override;
  [[nodiscard]] std::vector<record::PointRecord> records(std::size_t point, const measure::Outcome& outcome,
                                                         record::PointRecord base) override;
  [[nodiscard]] std::optional<suites::BlockProgress> stage() const override;

 private:
  struct Point {
    Place place;
    std::unique_ptr<LoopSchedule> schedule;
    std::unique_ptr<Mismatches> wrong;
  };
  [[nodiscard]] Loop loop(const Place& place) const;
  [[nodiscard]] measure::Task task(const Point& point);
  [[nodiscard]] std::array<std::vector<double>, 3> pre_pass();
  [[nodiscard]] double pre_pass(const Place& place, int& error);

  Settings settings_;
  suites::BlockPlan block_;
  suites::SessionContext context_;
  PatternTable table_;
  Lengths lengths_;
  Numberings numberings_;
  std::vector<std::vector<Slot>> slots_;  // of this process, by pattern
  std::unique_ptr<measure::Arena> arena_;
  BufferCursor walk_;
  std::shared_ptr<Control> control_;
  std::vector<Point> points_;   // measurable points of the block, in its order
  std::vector<double> before_;  // share of a repetition's time that precedes each length
};

}  // namespace steelyard::beff
