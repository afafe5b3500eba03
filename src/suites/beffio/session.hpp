// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "measure/buffers.hpp"
#include "suites/beffio/definition.hpp"
#include "suites/beffio/pattern_run.hpp"
#include "suites/session.hpp"

namespace steelyard::beffio {

/// Schedule of one operation, the whole loop of a pattern, which ends as its Length says.
class PatternSchedule final : public measure::Schedule {
 public:
  enum class Rule { time_driven, size_driven };
  explicit PatternSchedule(Rule rule) : rule_(rule) {}
  [[nodiscard]] measure::Decision next(const measure::History& history) const override;
  [[nodiscard]] std::string_view rule() const override {
    return rule_ == Rule::time_driven ? "time_driven" : "size_driven";
  }

 private:
  Rule rule_;
};

/// Session of one access method in one partition.
class BeffioSession final : public suites::Session {
 public:
  /// Collective. Writes again, untimed, the files that an earlier start of the run has left behind in its
  /// records only. Throws std::bad_alloc, mpi::Error, measure::SharedFailure.
  BeffioSession(const Settings& settings, const suites::BlockPlan& block,
                const suites::SessionContext& context);
  [[nodiscard]] std::vector<measure::Task> tasks() override;
  [[nodiscard]] std::vector<record::PointRecord> records(std::size_t point, const measure::Outcome& outcome,
                                                         record::PointRecord base) override;
  [[nodiscard]] std::vector<measure::EngineNotice> notices() const override { return notices_; }

 private:
  struct Point {
    int pattern = 0;
    std::unique_ptr<PatternSchedule> schedule;
    PatternResult result;
    PointFacts facts;
  };
  void prepare_files();
  void take_points();
  [[nodiscard]] measure::Task task(Point& point);
  [[nodiscard]] std::unique_ptr<measure::Workload> open(Point& point);
  void begin_type(PatternType type);
  void determine_segment();
  [[nodiscard]] PatternRun::Plan plan(const Point& point);
  [[nodiscard]] Length length(const Pattern& pattern);
  /// Places of the calls of a pattern, for types that call at explicit offsets.
  [[nodiscard]] Places places(const Pattern& pattern, std::int64_t begin, std::uint64_t calls) const;
  [[nodiscard]] Length::Room room(const Pattern& pattern, std::uint64_t done) const;
  void refuse_without_room(const Pattern& pattern) const;
  void refuse_without_pointer() const;
  [[nodiscard]] int units_left(const Pattern& pattern) const;
  [[nodiscard]] bool finished(Point& point, Mismatches& wrong);
  [[nodiscard]] bool check(const Point& point, Mismatches& wrong) const;
  void note_facts(Point& point);
  void tell_cut(Cut cut);
  void keep_files(PatternType type);
  void restore();
  void restore(PatternType type);
  [[nodiscard]] const Pattern& row(int number) const { return table_[static_cast<std::size_t>(number)]; }
  [[nodiscard]] Origin origin(int pattern, int rank) const;
  [[nodiscard]] std::span<std::uint64_t> memory() const;
  [[nodiscard]] const mpi::Communicator& team() const { return *site_.team; }

  Settings settings_;
  suites::BlockPlan block_;
  suites::SessionContext context_;
  Site site_;
  Access access_;
  Files& files_;
  VolumeGuard guard_;
  PatternTable table_;
  std::unique_ptr<measure::Arena> arena_;
  double unit_s_ = 0, scheduled_s_ = 0;
  std::int64_t cache_byte_ = 0;                 // over the nodes of the partition
  std::vector<std::unique_ptr<Point>> points_;  // of the points that are measured
  std::vector<std::size_t> point_of_;           // by point of the block
  std::unique_ptr<TypeFile> file_;
  std::optional<Layout> layout_;  // of the open file
  Cut segment_cut_ = Cut::none;
  std::optional<int> done_;  // last pattern of the open file that was finished
  std::vector<measure::EngineNotice> notices_;
};

}  // namespace steelyard::beffio
