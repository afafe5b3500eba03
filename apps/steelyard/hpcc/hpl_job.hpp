// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "hpcc/front_words.hpp"
#include "measuring/measuring.hpp"

namespace steelyard::cli {

[[nodiscard]] std::span<const Group> hpl_front_options();

/// The front-end hpl: the linear solver alone by HPL.dat, its text on the device of lines 3 and 4, records
/// only with
/// --out.
class HplJob final : public Job {
 public:
  /// Throws UsageError for words and files that are wrong.
  explicit HplJob(const Invocation& invocation);

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
  [[nodiscard]] std::string file() const;
  [[nodiscard]] std::ostream& opened();

  const Invocation& invocation_;
  HpccInput input_;
  std::vector<hpcc::BlockRate> rates_;
  hpcc::Settings settings_;
  std::ofstream out_;                             // on rank 0, unless a stream of the process is used
  const std::optional<bool>* success_ = nullptr;  // of one of the destinations' texts
};

}  // namespace steelyard::cli
