// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "formats/named_files.hpp"
#include "launch/launch.hpp"
#include "measuring/measuring.hpp"

namespace steelyard::cli {

/// A classic front-end as a job: the original's own schedule and nothing but it, its text, records only with --out.
class FrontEndJob : public Job {
 public:
  [[nodiscard]] const Invocation& invocation() const final { return invocation_; }
  [[nodiscard]] campaign::RunOptions options(const Prepared& prepared) override;
  [[nodiscard]] Destinations destinations(const std::optional<campaign::ResumeState>& resume,
                                          campaign::RunOptions& options) final;

 protected:
  explicit FrontEndJob(const Invocation& invocation) : invocation_(invocation) {}
  /// Throws Refused or record::WriteError for files that are in the way. On rank 0, before anything is measured.
  virtual void refuse_existing_files() const {}
  /// Adds the texts that are written while it is measured. On rank 0.
  virtual void add_texts(Destinations& to) = 0;
  /// Treatment of files that are there already, by --overwrite.
  [[nodiscard]] formats::Existing existing() const;
  /// Tells on standard error what ended the run before all was measured; nothing if all was. On rank 0.
  void tell_stop(const campaign::RunResult& result) const;

  const Invocation& invocation_;

 private:
  std::size_t planned_ = 0;  // points that can be measured
};

/// Keeper of the records of a run; warns at once if processes share processors, which changes the figures.
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

/// A front-end whose files are written when all has been measured.
class FilesJob : public FrontEndJob {
 public:
  /// Options with a look at the environment, which accompanies every result.
  [[nodiscard]] campaign::RunOptions options(const Prepared& prepared) override;

 protected:
  using FrontEndJob::FrontEndJob;
  void add_texts(Destinations& to) override;
  /// Records of the run, once texts were added.
  [[nodiscard]] const RunKeeper& kept() const { return *kept_; }

 private:
  const RunKeeper* kept_ = nullptr;  // one of the destinations' texts
};

/// Runs the command of a front-end, whose words are checked before anything is started. Returns the exit code.
template <class FrontEnd>
[[nodiscard]] int run_front_end(const Invocation& invocation) {
  FrontEnd job(invocation);
  if (to_be_launched(invocation)) {
    forget_stop_file(invocation.values);
    return launch(invocation, {}, invocation.values.word_or("out", "")).code;
  }
  return measure(job);
}

}  // namespace steelyard::cli
