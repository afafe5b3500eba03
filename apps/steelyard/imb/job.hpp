// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "measuring/measuring.hpp"

namespace steelyard::cli {

/// A seed front-end of the imb suites: IMB's schedule, IMB's text on standard output, records only with
/// --out.
class ImbJob final : public Job {
 public:
  explicit ImbJob(const Invocation& invocation) : invocation_(invocation) {}

  [[nodiscard]] const Invocation& invocation() const override { return invocation_; }
  [[nodiscard]] mpi::ThreadLevel threads() const override;
  [[nodiscard]] FileWishes files() const override;
  [[nodiscard]] Prepared prepare(const Place& place) override;
  [[nodiscard]] campaign::RunOptions options(const Prepared& prepared) override;
  [[nodiscard]] Destinations destinations(const std::optional<campaign::ResumeState>& resume,
                                          campaign::RunOptions& options) override;

 private:
  const Invocation& invocation_;
  bool show_tail_ = false;
  bool check_ = false;
};

}  // namespace steelyard::cli
