// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <ostream>
#include <span>
#include <string>

#include "hpcc/front_end_job.hpp"

namespace steelyard::cli {

[[nodiscard]] std::span<const Group> hpl_front_options();

/// The front-end hpl: the linear solver alone by HPL.dat, its text on the device of lines 3 and 4, records
/// only with --out.
class HplJob final : public HpccFrontEndJob {
 public:
  /// Throws UsageError for words and files that are wrong.
  explicit HplJob(const Invocation& invocation);

  void arrive(const mpi::Communicator& world) override;
  [[nodiscard]] Prepared prepare(const Place& place) override;
  /// Ends with exit code 1 what was measured without success.
  void finished(const campaign::RunResult& result, const Destinations& to) override;

 private:
  void add_texts(Destinations& to) override;

  [[nodiscard]] std::string file() const;
  [[nodiscard]] std::ostream& opened();
};

}  // namespace steelyard::cli
