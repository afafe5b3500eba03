// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "suites/imb/mt/threaded_workload.hpp"
#include "suites/imb/point.hpp"
#include "suites/imb/sides.hpp"
#include "suites/session.hpp"

namespace steelyard::imb {

/// Session of a block of IMB-MT. Made on all ranks of team.active, collective.
class ThreadSession final : public suites::Session {
 public:
  ThreadSession(const Settings& settings, const suites::BlockPlan& block,
                const suites::SessionContext& context);

  [[nodiscard]] std::vector<measure::Task> tasks() override;
  [[nodiscard]] std::vector<record::PointRecord> records(std::size_t point, const measure::Outcome& outcome,
                                                         record::PointRecord base) override;

 private:
  struct Measured {
    Bytes size;
    Sides sides;
    std::uint64_t planned = 1;
    std::unique_ptr<measure::Schedule> schedule;  // IMB's own
    std::unique_ptr<ThreadTimes> times;
  };
  /// Buffers of all threads, by -malloc_algo.
  class Buffers;

  [[nodiscard]] std::vector<Measured> measured() const;
  void make_team();
  void make_communicators();
  void make_gap();
  [[nodiscard]] measure::Meeting meeting() const;
  [[nodiscard]] measure::Task task(Measured& measured);
  [[nodiscard]] std::unique_ptr<measure::Workload> open(Measured& measured);
  [[nodiscard]] Point point(const Measured& measured, int thread) const;
  [[nodiscard]] bool by_suite() const { return context_.schedule == nullptr; }

  Settings settings_;
  suites::BlockPlan block_;
  suites::SessionContext context_;
  const Definition& definition_;
  std::vector<Measured> points_;  // those that are not skipped
  std::optional<ThreadTeam> team_;
  std::shared_ptr<Buffers> buffers_;
  std::vector<mpi::Communicator> communicators_;   // one for each thread, where there are several
  std::optional<std::int64_t> pairs_on_one_node_;  // of the only group, where its processes are pairs
  std::unique_ptr<measure::Timer> timer_;
  std::unique_ptr<measure::Synchroniser> gap_;  // between two calls of a collective
};

}  // namespace steelyard::imb
