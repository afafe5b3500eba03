// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "suites/imb/part_definition.hpp"
#include "suites/imb/point.hpp"
#include "suites/imb/sides.hpp"
#include "suites/session.hpp"

namespace steelyard::imb {

/// Session of a block of messages or one-sided transfers. Made on all ranks of team.active.
class BlockSession final : public suites::Session {
 public:
  /// `computation` is that of the run, for benchmarks that compute beside their transfers. Collective. Throws
  /// std::bad_alloc, mpi::Error, measure::SharedFailure.
  BlockSession(const Settings& settings, const suites::BlockPlan& block,
               const suites::SessionContext& context, Computation* computation = nullptr);

  [[nodiscard]] std::vector<measure::Task> tasks() override;
  [[nodiscard]] std::vector<record::PointRecord> records(std::size_t point, const measure::Outcome& outcome,
                                                         record::PointRecord base) override;
  [[nodiscard]] std::string advice(const record::Reason& reason) const override;

 private:
  struct Measured {
    PointSpec spec;
    Sides sides;
    std::uint64_t planned = 1;
    std::unique_ptr<measure::Schedule> schedule;  // IMB's own
    std::unique_ptr<OverlapTimes> overlap;        // of benchmarks with a computation
    std::unique_ptr<OwnTimes> own;                // of suite mpi4
    std::unique_ptr<RankLoad> drawn;              // of random pairs
  };
  [[nodiscard]] static std::vector<Measured> measured(const Settings& settings,
                                                      const suites::BlockPlan& block, bool by_suite);
  [[nodiscard]] measure::Arena::Need need() const;
  [[nodiscard]] bool warms_up_tables() const;
  [[nodiscard]] Bytes size_of_warm_up() const;
  [[nodiscard]] Sides sides_of_warm_up() const;

  // Contents of a placement's send area.
  struct BufferContents {
    std::int64_t length = -1, offset = 0, slots = 0;
    friend bool operator==(const BufferContents&, const BufferContents&) = default;
  };

  [[nodiscard]] measure::Task task(const Measured& point);
  [[nodiscard]] std::uint64_t usually_checked(const Measured& point) const;
  [[nodiscard]] std::unique_ptr<measure::Workload> open(const Measured& point, int placement);
  [[nodiscard]] Point point_at(int place, Bytes size, const Sides& sides);
  void warm_up(int place);
  [[nodiscard]] bool counts_anew() const;
  void prepare(const Point& point, int placement);
  [[nodiscard]] std::uint64_t bundle(const Measured& measured) const;
  [[nodiscard]] bool timed_apart() const;
  [[nodiscard]] const mpi::Communicator& group() const {
    return distinct_.empty() ? context_.team->group : distinct_.back();
  }
  [[nodiscard]] bool by_suite() const { return context_.schedule == nullptr; }

  Settings settings_;
  suites::BlockPlan block_;
  suites::SessionContext context_;
  const Definition& definition_;
  Mode mode_;
  std::vector<Measured> points_;  // those that are not skipped
  std::unique_ptr<measure::Arena> arena_;
  std::vector<BufferContents> held_;
  Computation* computation_;
  std::optional<std::int64_t> pairs_on_one_node_;  // of the only group, where its processes are pairs
  std::vector<mpi::Communicator> distinct_;        // duplicates of the group, the last one is used
  StartTrial trial_;                               // of persistent collectives
  bool to_warm_up_;                                // before the first row is opened
};

/// Number of pairs whose two processes are on one node. `partner`: rank in the group of this
/// process's partner, which has this one as its partner; nullopt: it has none. Collective over the
/// group; throws mpi::Error.
[[nodiscard]] std::int64_t pairs_on_one_node(const mpi::Communicator& group, std::optional<int> partner);

/// Part whose sessions share what computes beside their transfers.
template <class Session, class Computing>
class MeasuredPart final : public PartDefinition {
 public:
  MeasuredPart(const Part& part, const Settings& settings, std::unique_ptr<Computing> computing)
      : PartDefinition(part, settings), computing_(std::move(computing)) {}
  [[nodiscard]] std::unique_ptr<suites::Session> open(const suites::BlockPlan& block,
                                                      const suites::SessionContext& context) const override {
    return std::make_unique<Session>(settings(), block, context, computing_.get());
  }

 private:
  std::unique_ptr<Computing> computing_;
};

/// Suite of a part that sessions of one kind measure: messages or one-sided transfers, threads (IMB-MT), files (IMB-IO).
[[nodiscard]] std::unique_ptr<suites::Suite> measurable_messages(const Part& part, const Settings& settings);
[[nodiscard]] std::unique_ptr<suites::Suite> measurable_threads(const Part& part, const Settings& settings);
[[nodiscard]] std::unique_ptr<suites::Suite> measurable_files(const Part& part, const Settings& settings);

}  // namespace steelyard::imb
