// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "formats/writer.hpp"
#include "hpcc/front_options.hpp"
#include "measuring/front_end.hpp"
#include "record/point_view.hpp"

namespace steelyard::cli {

/// Writer that keeps Success of the Summary of HPC Challenge.
class Verdict final : public formats::Writer {
 public:
  void run(const record::RunRecord&) override {}
  void point(const record::PointRecord&) override {}
  void summary(const record::SummaryRecord& summary) override {
    if (const auto success = record::whole_of(record::find(summary.classic, "Success")))
      success_ = *success == 1;
  }
  void end(const record::EndRecord&) override {}
  [[nodiscard]] const std::optional<bool>& success() const { return success_; }

 private:
  std::optional<bool> success_;
};

/// Common part of the front-ends hpcc and hpl: an input file, a BLAS, a text that is written while it is measured, and
/// an exit code that tells success.
class HpccFrontEndJob : public FrontEndJob {
 public:
  [[nodiscard]] mpi::ThreadLevel threads() const override;

 protected:
  /// Throws UsageError for words and files that are wrong.
  HpccFrontEndJob(const Invocation& invocation, HpccInput input);

  /// Chooses the BLAS that will compute, if one does, and finds the rates by which --auto chooses NB. Collective.
  void choose(const mpi::Communicator& world, const std::string& program, bool computes_with_blas);
  [[nodiscard]] Place with_blas(const Place& place) const;
  /// Writes the derived input, for the user. Throws Refused.
  void write_input(const std::filesystem::path& file) const;
  /// Opens the file of the text. Throws Refused.
  void open(const std::filesystem::path& file, std::ios::openmode mode);
  /// The stream of the text: that file, opened, or standard output for "-". Throws Refused.
  [[nodiscard]] std::ostream& text_stream(const std::string& file, std::ios::openmode mode);
  /// Adds the text, and a writer that keeps its Success.
  void add_text(std::unique_ptr<formats::Writer> text, Destinations& to);
  [[nodiscard]] bool success() const { return success_ != nullptr && success_->value_or(false); }
  /// Throws Ended with exit code 1 if the run was measured without success.
  void end_by_success(const campaign::RunResult& result) const;

  /// Seconds since the epoch, for the texts.
  /// Throws Refused, with the reason that errno gives.
  [[noreturn]] static void refuse(const std::filesystem::path& file);

  HpccInput input_;
  std::shared_ptr<const hpcc::BlasInUse> blas_;  // nullptr if no test needs one
  std::vector<suites::PanelRate> rates_;
  hpcc::Settings settings_;
  std::ofstream out_;  // on rank 0

 private:
  const std::optional<bool>* success_ = nullptr;  // of one of the destinations' texts
};

/// Rates of tried NB if --auto has to choose it, with the BLAS that will compute (nullptr: the linked one); else
/// empty. Collective.
[[nodiscard]] std::vector<suites::PanelRate> tried_blocks(const Values& values, const HpccInput& input,
                                                          const mpi::Communicator& world,
                                                          const std::shared_ptr<const hpcc::BlasInUse>& blas);

/// The front-end hpcc: the tests of an input file in the order of the suite, hpccoutf.txt section by section,
/// records only with --out.
class HpccJob final : public HpccFrontEndJob {
 public:
  /// Throws UsageError for words and files that are wrong.
  explicit HpccJob(const Invocation& invocation);

  void arrive(const mpi::Communicator& world) override;
  [[nodiscard]] Prepared prepare(const Place& place) override;
  /// Throws Ended with exit code 1 if the run was measured without success.
  void finished(const campaign::RunResult& result, const Destinations& to) override;

 private:
  void add_texts(Destinations& to) override;

  std::vector<std::string> chosen_;
  std::string output_;
  std::map<std::string, int, std::less<>> points_;  // of the plan, by benchmark
  std::vector<std::string> dropped_;                // sentences
};

/// Plan of the chosen benchmarks, with the settings that the words make at this place. Throws UsageError.
[[nodiscard]] Prepared prepare_hpcc(const Values& values, const HpccInput& input,
                                    const std::vector<std::string>& chosen,
                                    std::span<const suites::PanelRate> rates, const Place& place);

/// The same for the linear solver alone.
[[nodiscard]] Prepared prepare_hpl(const Values& values, const HpccInput& input,
                                   std::span<const suites::PanelRate> rates, const Place& place);

[[nodiscard]] std::span<const Group> hpl_front_options();

/// The front-end hpl: the linear solver alone by HPL.dat, its text on the device of lines 3 and 4, records
/// only with --out.
class HplJob final : public HpccFrontEndJob {
 public:
  /// Throws UsageError for words and files that are wrong.
  explicit HplJob(const Invocation& invocation);

  void arrive(const mpi::Communicator& world) override;
  [[nodiscard]] Prepared prepare(const Place& place) override;
  /// Throws Ended with exit code 1 if the run was measured without success.
  void finished(const campaign::RunResult& result, const Destinations& to) override;

 private:
  void add_texts(Destinations& to) override;

  [[nodiscard]] std::string file() const;
  [[nodiscard]] std::ostream& opened();

  std::string file_;  // of the text; empty: a stream of the process
};

}  // namespace steelyard::cli
