// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "measure/failure.hpp"
#include "tests/imb/io/file_bench.hpp"
#include "tests/imb/session_bench.hpp"

namespace steelyard::imb::test {

/// A few sizes, few repetitions, everything checked.
inline Settings small_settings() {
  Settings settings = defaults(io(), Version::v31);
  settings.sizes.listed = std::vector{Bytes{0}, Bytes{10}, Bytes{1 << 15}};
  settings.iterations = {.per_sample = 4, .volume = mebi, .non_aggregate = 2};
  settings.check = true;
  return settings;
}

/// Measures blocks of all processes with an engine of its own.
class Blocks {
 public:
  /// verify: as a run does; as the original program does, its words alone decide.
  Blocks(const Directory& directory, const Settings& settings, bool verify = true)
      : directory_(&directory),
        settings_(settings),
        verify_(verify),
        suite_(imb::measurable(io(), settings)) {}

  /// Records of the largest block of a benchmark, on rank 0; a block that cannot be opened has the reason of
  /// its failure in one record. Collective.
  std::vector<record::PointRecord> measure(const std::string& name,
                                           const measure::Schedule* schedule = nullptr) {
    const auto plan =
        imb::definition(io(), settings_)->plan(std::vector{name}, mpi::Communicator::world().size());
    const auto& block = plan.back();
    const auto team = team_of(block.processes, block.groups);
    records_.clear();
    if (team.takes_part()) run(block, team, schedule);
    return records_;
  }

 private:
  void run(const suites::BlockPlan& block, const measure::Team& team, const measure::Schedule* schedule) {
    const suites::SessionContext context{.team = &team,
                                         .memory_byte = std::int64_t{1} << 28,
                                         .clock = {},
                                         .schedule = schedule,
                                         .verify = verify_,
                                         .files = &directory_->place()};
    std::unique_ptr<suites::Session> session;
    const auto failure =
        measure::agree(team.active, measure::attempt([&] { session = suite_->open(block, context); }));
    if (failure) {
      measure::Outcome outcome;
      outcome.status = record::Status::failed;
      outcome.reason = *failure;
      records_.push_back(base_of(block, block.points.front(), outcome));
      return;
    }
    const auto tasks = session->tasks();
    instruments_.engine.measure(team, tasks, [&](std::size_t task, const measure::Outcome& outcome) {
      for (auto& one : session->records(task, outcome, base_of(block, block.points[task], outcome)))
        records_.push_back(std::move(one));
    });
  }

  const Directory* directory_;
  Settings settings_;
  bool verify_;
  std::unique_ptr<suites::Suite> suite_;
  Instruments instruments_;
  std::vector<record::PointRecord> records_;
};

}  // namespace steelyard::imb::test
