// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "formats/beff/files.hpp"
#include "measuring/measuring.hpp"

namespace steelyard::cli {

/// Keeps the records of a run until its end; says at once if processes share processors, which makes another
/// machine.
class RunKeeper final : public formats::Writer {
 public:
  void run(const record::RunRecord& run) override { head_ = run; }
  void point(const record::PointRecord& point) override { points_.push_back(point); }
  void event(const record::EventRecord& event) override;
  void end(const record::EndRecord& end) override { end_ = end; }

  [[nodiscard]] const record::RunRecord& head() const { return head_; }
  [[nodiscard]] const std::vector<record::PointRecord>& points() const { return points_; }
  [[nodiscard]] const record::EndRecord* end() const { return end_ ? &*end_ : nullptr; }

 private:
  record::RunRecord head_;
  std::vector<record::PointRecord> points_;
  std::optional<record::EndRecord> end_;
};

/// The seed front-end b-eff: the prescribed experiment, six files at its end, records only with --out.
class BeffJob final : public Job {
 public:
  /// Throws UsageError for words that name no files.
  explicit BeffJob(const Invocation& invocation);

  [[nodiscard]] const Invocation& invocation() const override { return invocation_; }
  [[nodiscard]] Prepared prepare(const Place& place) override;
  [[nodiscard]] campaign::RunOptions options(const Prepared& prepared) override;
  [[nodiscard]] Destinations destinations(const std::optional<campaign::ResumeState>& resume,
                                          campaign::RunOptions& options) override;
  /// Last line on standard error, then the files. Throws record::WriteError.
  void finished(const campaign::RunResult& result, const Destinations& to) override;

 private:
  const Invocation& invocation_;
  std::filesystem::path prefix_;
  formats::Existing existing_;
  const RunKeeper* kept_ = nullptr;  // one of the destinations' texts
};

}  // namespace steelyard::cli
