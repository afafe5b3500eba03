// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <map>
#include <optional>
#include <string>

#include "hpcc/front_words.hpp"
#include "measuring/measuring.hpp"

namespace steelyard::cli {

/// The front-end hpcc: the tests of an input file in the order of the suite, hpccoutf.txt section by section,
/// records only with --out.
class HpccJob final : public Job {
 public:
  /// Throws UsageError for words and files that are wrong.
  explicit HpccJob(const Invocation& invocation);

  [[nodiscard]] const Invocation& invocation() const override { return invocation_; }
  [[nodiscard]] mpi::ThreadLevel threads() const override;
  void arrive(const mpi::Communicator& world) override;
  [[nodiscard]] Prepared prepare(const Place& place) override;
  [[nodiscard]] campaign::RunOptions options(const Prepared& prepared) override;
  [[nodiscard]] Destinations destinations(const std::optional<campaign::ResumeState>& resume,
                                          campaign::RunOptions& options) override;
  /// Ends with exit code 1 what was measured without success.
  void finished(const campaign::RunResult& result, const Destinations& to) override;

 private:
  void open_output();
  void write_derived_input() const;

  const Invocation& invocation_;
  HpccInput input_;
  std::vector<std::string> chosen_;
  std::string output_;
  std::vector<hpcc::BlockRate> rates_;              // by which --auto chooses NB
  std::map<std::string, int, std::less<>> points_;  // of the plan, by benchmark
  hpcc::Settings settings_;
  std::ofstream out_;                             // on rank 0
  const std::optional<bool>* success_ = nullptr;  // of one of the destinations' texts
};

/// The settings that the words make at this place, and the plan of the chosen benchmarks. Throws UsageError.
[[nodiscard]] Prepared prepare_hpcc(const Values& values, const HpccInput& input,
                                    const std::vector<std::string>& chosen,
                                    std::span<const hpcc::BlockRate> rates, const Place& place);

/// The same for the linear solver alone.
[[nodiscard]] Prepared prepare_hpl(const Values& values, const HpccInput& input,
                                   std::span<const hpcc::BlockRate> rates, const Place& place);

/// Tries NB where --auto has to choose it, with the BLAS that will compute. Collective.
[[nodiscard]] std::vector<hpcc::BlockRate> tried_blocks(const Values& values, const HpccInput& input,
                                                        const mpi::Communicator& world);

}  // namespace steelyard::cli
