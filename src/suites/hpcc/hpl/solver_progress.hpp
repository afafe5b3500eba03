// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "mpi/communicator.hpp"
#include "record/records.hpp"
#include "suites/hpcc/hpl/model.hpp"
#include "suites/hpcc/hpl/timeline.hpp"
#include "suites/suite.hpp"

/// Progress and phases of a run of the linear solver, told beside its result.
namespace steelyard::hpcc {

/// Progress of the factorisation, on the first process, where the solver asks before each panel.
class Advance {
 public:
  void look(std::int64_t columns);
  void end() { columns_.reset(); }
  /// Progress as "WR11C2R4 Column=000001024 Fraction=12.8% Gflops=8.120e+01": columns, their part of all,
  /// rate so far. nullopt if no run is under way.
  [[nodiscard]] std::optional<suites::BlockProgress> stage(const hpl::Variant& variant) const;

 private:
  std::optional<std::int64_t> columns_;
  double start_s_ = 0, now_s_ = 0;
};

/// Iteration whose timeline is told: a third of the panels are behind it.
[[nodiscard]] std::int64_t told_iteration(const hpl::Variant& variant);

/// Phases of all processes: the longest time of each, and the spans of the first processes in one iteration.
class Phases {
 public:
  /// Gathers the phases. Collective over the world; `own`: nullptr on processes that did not solve.
  Phases(const mpi::Communicator& world, const hpl::Timeline* own);

  /// Adds detail_*_s, detail_looks and detail_looks_between_slices (of all processes); what was expected of these times
  /// and of the whole as expected_*_s, where it is known.
  void put_detail(const std::optional<hpl::SolveParts>& expected, record::PointRecord& record) const;
  /// Adds timeline_rank, _phase (number in hpl::Phase), _panel, _begin_s, _end_s: an element per span.
  void put_timeline(record::PointRecord& record) const;

 private:
  std::vector<double> longest_s_;
  std::int64_t looks_ = 0, between_slices_ = 0;
  std::vector<double> rank_, phase_, panel_, begin_s_, end_s_;
};

}  // namespace steelyard::hpcc
