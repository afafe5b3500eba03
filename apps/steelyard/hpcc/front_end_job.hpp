// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hpcc/front_words.hpp"
#include "measuring/front_end.hpp"

namespace steelyard::cli {

/// What the front-ends hpcc and hpl have in common: an input file, a BLAS, a text that is written while it is
/// measured, and an exit code that tells success.
class HpccFrontEndJob : public FrontEndJob {
 public:
  [[nodiscard]] mpi::ThreadLevel threads() const override;

 protected:
  /// Throws UsageError for words and files that are wrong.
  HpccFrontEndJob(const Invocation& invocation, HpccInput input);

  /// The BLAS that will compute, if one does, and the rates by which --auto chooses NB. Collective.
  void choose(const mpi::Communicator& world, const std::string& program, bool computes_with_blas);
  [[nodiscard]] Place with_blas(const Place& place) const;
  /// The derived input, for the user. Throws Refused.
  void write_input(const std::filesystem::path& file) const;
  /// The file of the text. Throws Refused.
  void open(const std::filesystem::path& file, std::ios::openmode mode);
  /// The text and what it says of success.
  void add_text(std::unique_ptr<formats::Writer> text, Destinations& to);
  [[nodiscard]] bool success() const { return success_ != nullptr && success_->value_or(false); }
  /// Ends with exit code 1 what was measured without success. Throws Ended.
  void end_by_success(const campaign::RunResult& result) const;

  /// Seconds since the epoch, for the texts.
  [[nodiscard]] static std::int64_t unix_now();
  /// Throws Refused, with the reason that errno gives.
  [[noreturn]] static void refuse(const std::filesystem::path& file);

  HpccInput input_;
  std::shared_ptr<const hpcc::BlasInUse> blas_;  // nothing where no test needs one
  std::vector<suites::PanelRate> rates_;
  hpcc::Settings settings_;
  std::ofstream out_;  // on rank 0

 private:
  const std::optional<bool>* success_ = nullptr;  // of one of the destinations' texts
};

/// Tries NB where --auto has to choose it, with the BLAS that will compute; nullptr: the linked one.
/// Collective.
[[nodiscard]] std::vector<suites::PanelRate> tried_blocks(const Values& values, const HpccInput& input,
                                                          const mpi::Communicator& world,
                                                          const std::shared_ptr<const hpcc::BlasInUse>& blas);

}  // namespace steelyard::cli
