// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <set>

#include "campaign/resume.hpp"
#include "measuring/measuring.hpp"
#include "screening/judgement.hpp"
#include "survey/survey.hpp"

namespace steelyard::cli {

/// `run` as a job: a new run, or the rest of an interrupted one.
class RunJob final : public Job {
 public:
  explicit RunJob(Invocation invocation) : invocation_(std::move(invocation)) {}

  [[nodiscard]] const Invocation& invocation() const override { return invocation_; }
  [[nodiscard]] mpi::ThreadLevel threads() const override;
  void arrive(const mpi::Communicator& world) override;
  /// Rates of the survey. A resumed run keeps those of its first session, and with them the sizes; a launch keeps those
  /// of the launches before it.
  [[nodiscard]] survey::Surveyed survey(const mpi::Communicator& world, const Place& place) override;
  [[nodiscard]] Prepared prepare(const Place& place) override;
  void describe(record::RunRecord& head) const override;
  [[nodiscard]] campaign::RunOptions options(const Prepared& prepared) override;
  [[nodiscard]] std::optional<campaign::ResumeState> resume(const mpi::Communicator& world,
                                                            const record::RunRecord& head) override;
  [[nodiscard]] Destinations destinations(const std::optional<campaign::ResumeState>& resume,
                                          campaign::RunOptions& options) override;
  void finished(const campaign::RunResult& result, const Destinations& to) override;

 private:
  /// Seconds of this program, before the campaign.
  [[nodiscard]] double since_start_s() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  }
  /// Seconds of the budget that have passed before the campaign.
  [[nodiscard]] double spent_s() const;
  /// Seconds of the budget that are kept for the end, after the campaign.
  [[nodiscard]] static double end_s(Seconds budget);
  [[nodiscard]] survey::Wishes survey_wishes(const Place& place) const;
  [[nodiscard]] bool continues() const {
    return invocation_.values.on("resume") || (invocation_.from_parent && invocation_.from_parent->continues);
  }
  void hear_earlier(const mpi::Communicator& world);
  void hear_kept(const mpi::Communicator& world);
  [[nodiscard]] campaign::Retry retry() const;
  [[nodiscard]] record::RunRecord earlier_head();
  [[nodiscard]] record::RunRecord earlier_launch() const;
  void refuse_absent_disk(const mpi::Communicator& world) const;
  void choose_blas(const mpi::Communicator& world);
  [[nodiscard]] record::Writer writer(const std::optional<campaign::ResumeState>& resume) const;
  [[nodiscard]] std::vector<std::string> resume_words(const record::Writer& file) const;
  /// What to do where a run with a budget measured nothing.
  [[nodiscard]] std::string needed_budget() const;
  void tell_times(const campaign::RunResult& result) const;
  void tell_stop(const campaign::RunResult& result, const Destinations& to) const;
  void set_plan_text(const campaign::Plan& plan);
  /// Whether tables, and the texts after them, have the short form.
  [[nodiscard]] bool is_brief() const;
  [[nodiscard]] bool tells_next() const;
  /// Whether tables of this program, and the texts after them, go to standard output.
  [[nodiscard]] bool has_tables() const;
  void tell_warnings(const campaign::RunResult& result) const;
  /// Tells which nodes and links stand out, if they were measured.
  void tell_screening(const Destinations& to) const;
  bool tell_verdict(const Destinations& to) const;
  void tell_next(const campaign::RunResult& result, const Destinations& to, bool is_balanced) const;
  void write_report_of(const Destinations& to) const;

  Invocation invocation_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::optional<survey::Surveyed> first_survey_;      // of an earlier session or launch
  record::Document earlier_blas_;                     // the same, on rank 0
  std::shared_ptr<const hpcc::BlasInUse> blas_;       // nullptr if the selection needs none
  std::optional<campaign::Interrupted> interrupted_;  // on rank 0
  struct Series {
    std::string id;
    int launch = 0, launches = 0;
  };
  Series series_;
  record::Document plan_inputs_;  // of this session, the same as of the first
  std::set<std::string> kept_;    // keys of what is not measured again
  bool begun_ = false;            // an earlier session of the run exists
  std::size_t planned_ = 0;
  std::string obstacle_;  // reason why nothing can be measured
  campaign::Experiments experiments_;
  std::set<std::string> left_out_;  // keys
  int processes_ = 1;
  double survey_s_ = 0;                    // that the survey of this session took
  bool screens_ = false;                   // nodes are compared with one another
  Judgement judgement_;                    // by which they are judged; on rank 0
  bool is_campaign_ = false;               // of several suites, or with something expected of a point
  std::string told_plan_;                  // text about the plan, told before it measures
  std::vector<std::string> resume_words_;  // on rank 0
};

/// Result directory of this invocation: the series', --out, or one in steelyard-results that is named after the run.
[[nodiscard]] std::filesystem::path result_directory(const Invocation& invocation, const std::string& run);

}  // namespace steelyard::cli
