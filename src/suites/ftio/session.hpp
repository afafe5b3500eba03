// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "record/records.hpp"
#include "suites/ftio/definition.hpp"
#include "suites/ftio/run.hpp"
#include "suites/ftio/settings.hpp"
#include "suites/session.hpp"

namespace steelyard::ftio {

/// The record of one run. classic: docs/suites/ftio.md, "Records". On rank 0 only.
[[nodiscard]] record::PointRecord point_record(const Settings& settings, const Shape& shape,
                                               const RunResult& result, record::PointRecord base);

/// One operation: the whole run.
class RunSchedule final : public measure::Schedule {
 public:
  [[nodiscard]] measure::Decision next(const measure::History& history) const override;
  [[nodiscard]] std::string_view rule() const override { return "fixed"; }
};

/// One run while it is measured.
class FtioSession final : public suites::Session {
 public:
  /// Collective. Throws measure::SharedFailure if there is too little space for the files.
  FtioSession(const Settings& settings, const suites::BlockPlan& block,
              const suites::SessionContext& context);
  [[nodiscard]] std::vector<measure::Task> tasks() override;
  [[nodiscard]] std::vector<record::PointRecord> records(std::size_t point, const measure::Outcome& outcome,
                                                         record::PointRecord base) override;
  [[nodiscard]] std::vector<measure::EngineNotice> notices() const override { return notices_; }
  [[nodiscard]] std::optional<suites::Stage> stage() const override;

 private:
  void claim_names() const;
  void refuse_without_space() const;
  void warn_of_cache();
  [[nodiscard]] RunPlan plan();
  [[nodiscard]] bool last_run() const;
  [[nodiscard]] const mpi::Communicator& team() const { return context_.team->active; }

  Settings settings_;
  suites::SessionContext context_;
  bool measured_;
  RunSpec spec_;
  Shape shape_;
  RunSchedule schedule_;
  RunResult result_;
  std::optional<Phase> phase_;  // on process 0
  std::vector<measure::EngineNotice> notices_;
};

}  // namespace steelyard::ftio
