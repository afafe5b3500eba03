// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "campaign/resume.hpp"
#include "measuring/measuring.hpp"

namespace steelyard::cli {

/// `run` as a job: a new run, or the rest of an interrupted one.
class RunJob final : public Job {
 public:
  explicit RunJob(Invocation invocation) : invocation_(std::move(invocation)) {}

  [[nodiscard]] const Invocation& invocation() const override { return invocation_; }
  [[nodiscard]] mpi::ThreadLevel threads() const override;
  void arrive(const mpi::Communicator& world) override;
  [[nodiscard]] Prepared prepare(const Place& place) override { return prepare_run(invocation_, place); }
  [[nodiscard]] campaign::RunOptions options(const Prepared& prepared) override;
  [[nodiscard]] std::optional<campaign::ResumeState> resume(const mpi::Communicator& world,
                                                            const record::RunRecord& head) override;
  [[nodiscard]] Destinations destinations(const std::optional<campaign::ResumeState>& resume,
                                          campaign::RunOptions& options) override;
  void finished(const campaign::RunResult& result, const Destinations& to) override;

 private:
  [[nodiscard]] record::Writer writer(const std::optional<campaign::ResumeState>& resume) const;
  [[nodiscard]] std::vector<std::string> resume_words(const record::Writer& file) const;
  void tell_plan() const;
  void tell_stop(const campaign::RunResult& result, const Destinations& to) const;
  void tell_verdict(const Destinations& to) const;
  void write_report_of(const Destinations& to) const;

  Invocation invocation_;
  std::optional<campaign::Interrupted> interrupted_;  // on rank 0
  std::size_t planned_ = 0;
  campaign::Experiments experiments_;
  int processes_ = 1;
  std::string told_plan_;                  // a line per suite, where there are several
  std::vector<std::string> decisions_;     // of the plan, told with --verbose
  std::vector<std::string> resume_words_;  // on rank 0
};

/// Result directory of this invocation: the series', --out, or steelyard-results/<run>.
[[nodiscard]] std::filesystem::path result_directory(const Invocation& invocation, const std::string& run);

}  // namespace steelyard::cli
