// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "suites/imb/io/file_set.hpp"
#include "suites/imb/io/point_file.hpp"
#include "suites/imb/settings.hpp"
#include "suites/session.hpp"

namespace steelyard::imb {

/// Session of a block of IMB-IO. Made on all ranks of team.active.
class FileSession final : public suites::Session {
 public:
  /// `computation` is that of the run. Collective. Throws std::bad_alloc, mpi::Error, measure::SharedFailure.
  FileSession(const Settings& settings, const suites::BlockPlan& block, const suites::SessionContext& context,
              Computation* computation);

  [[nodiscard]] std::vector<measure::Task> tasks() override;
  [[nodiscard]] std::vector<record::PointRecord> records(std::size_t point, const measure::Outcome& outcome,
                                                         record::PointRecord base) override;

 private:
  struct Measured {
    std::size_t of_plan = 0;
    Bytes size;
    std::uint64_t planned = 1;  // repetitions by IMB's own rule
    std::uint64_t pure = 1;     // of the blocking equivalent, for non-blocking benchmarks
    std::uint64_t bundle = 1;
    std::unique_ptr<measure::Schedule> schedule;  // IMB's own
    // Figures seen while its files were open; on rank 0.
    std::optional<double> resident_share;
    std::vector<std::vector<double>> pure_s, compute_s;  // by visit and group
  };

  [[nodiscard]] std::vector<Measured> measured() const;
  [[nodiscard]] std::unique_ptr<FileSet> make_files() const;
  [[nodiscard]] measure::Arena::Need need() const;
  [[nodiscard]] std::int64_t file_byte() const;
  [[nodiscard]] measure::Task task(Measured& point);
  [[nodiscard]] std::uint64_t repetitions_to_check(const Measured& point) const;
  [[nodiscard]] FileSet::Room room_for(const Measured& point) const;
  [[nodiscard]] std::unique_ptr<measure::Workload> open(Measured& point, int placement);
  [[nodiscard]] FilePoint file_point(const Measured& point, int placement);
  void look_at_cache(Measured& point) const;
  [[nodiscard]] std::uint64_t pure_repetitions(const Measured& point, const FilePoint& file_point) const;
  void forget_pages() const;
  [[nodiscard]] double pure_time(const FilePoint& point, std::uint64_t repetitions) const;
  void prepare_overlap(Measured& point, FilePoint& file_point);
  [[nodiscard]] std::vector<double> by_group(double value) const;
  void pause(const measure::Outcome& outcome) const;
  void put_overlap(const Measured& point, record::PointRecord& record) const;
  [[nodiscard]] bool by_suite() const { return context_.schedule == nullptr; }
  [[nodiscard]] bool overlaps() const { return action_ && !action_->blocks(); }

  Settings settings_;
  suites::BlockPlan block_;
  suites::SessionContext context_;
  const Definition& definition_;
  std::optional<FileAction> action_;  // nullopt for Open_Close
  Mode mode_;
  std::vector<Measured> points_;  // those that are not skipped
  std::unique_ptr<measure::Arena> arena_;
  std::unique_ptr<FileSet> files_;
  Computation* computation_;  // of non-blocking benchmarks
};

}  // namespace steelyard::imb
