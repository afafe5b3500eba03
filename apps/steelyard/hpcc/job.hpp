// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "hpcc/front_end_job.hpp"

namespace steelyard::cli {

/// The front-end hpcc: the tests of an input file in the order of the suite, hpccoutf.txt section by section,
/// records only with --out.
class HpccJob final : public HpccFrontEndJob {
 public:
  /// Throws UsageError for words and files that are wrong.
  explicit HpccJob(const Invocation& invocation);

  void arrive(const mpi::Communicator& world) override;
  [[nodiscard]] Prepared prepare(const Place& place) override;
  /// Ends with exit code 1 what was measured without success.
  void finished(const campaign::RunResult& result, const Destinations& to) override;

 private:
  void add_texts(Destinations& to) override;

  std::vector<std::string> chosen_;
  std::string output_;
  std::map<std::string, int, std::less<>> points_;  // of the plan, by benchmark
};

/// The settings that the words make at this place, and the plan of the chosen benchmarks. Throws UsageError.
[[nodiscard]] Prepared prepare_hpcc(const Values& values, const HpccInput& input,
                                    const std::vector<std::string>& chosen,
                                    std::span<const suites::PanelRate> rates, const Place& place);

/// The same for the linear solver alone.
[[nodiscard]] Prepared prepare_hpl(const Values& values, const HpccInput& input,
                                   std::span<const suites::PanelRate> rates, const Place& place);

}  // namespace steelyard::cli
