// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "formats/named_files.hpp"
#include "launch/launch.hpp"
#include "measuring/measuring.hpp"

namespace steelyard::cli {

/// A seed front-end as a job: the seed's own schedule and nothing but it, its text, records only with --out.
class FrontEndJob : public Job {
 public:
  [[nodiscard]] const Invocation& invocation() const final { return invocation_; }
  [[nodiscard]] campaign::RunOptions options(const Prepared& prepared) override;
  [[nodiscard]] Destinations destinations(const std::optional<campaign::ResumeState>& resume,
                                          campaign::RunOptions& options) final;

 protected:
  explicit FrontEndJob(const Invocation& invocation) : invocation_(invocation) {}
  /// On rank 0, before anything is measured. Throws Refused or record::WriteError for files that are in the way.
  virtual void refuse_existing_files() const {}
  /// On rank 0: what is written while it is measured.
  virtual void add_texts(Destinations& to) = 0;
  /// What becomes of files that are there already: --overwrite.
  [[nodiscard]] formats::Existing existing() const;

  const Invocation& invocation_;
};

/// Keeps the records of a run until its end; says at once if processes share processors, which makes another machine.
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
  /// The environment is looked at: it accompanies every result.
  [[nodiscard]] campaign::RunOptions options(const Prepared& prepared) override;

 protected:
  using FrontEndJob::FrontEndJob;
  void add_texts(Destinations& to) override;
  /// The records, once texts were added.
  [[nodiscard]] const RunKeeper& kept() const { return *kept_; }

 private:
  const RunKeeper* kept_ = nullptr;  // one of the destinations' texts
};

/// What a front-end's command does: the words are looked at before anything is started. Exit code.
template <class FrontEnd>
[[nodiscard]] int run_front_end(const Invocation& invocation) {
  FrontEnd job(invocation);
  if (to_be_launched(invocation)) return launch(invocation, {}, invocation.values.word_or("out", "")).code;
  return measure(job);
}

}  // namespace steelyard::cli
