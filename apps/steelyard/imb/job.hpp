// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "measuring/front_end.hpp"

namespace steelyard::cli {

/// A seed front-end of the imb suites: IMB's schedule, IMB's text on standard output, records only with
/// --out.
class ImbJob final : public FrontEndJob {
 public:
  explicit ImbJob(const Invocation& invocation) : FrontEndJob(invocation) {}

  [[nodiscard]] mpi::ThreadLevel threads() const override;
  [[nodiscard]] FileWishes files() const override;
  [[nodiscard]] Prepared prepare(const Place& place) override;
  [[nodiscard]] campaign::RunOptions options(const Prepared& prepared) override;

 private:
  void add_texts(Destinations& to) override;

  bool show_tail_ = false;
  bool check_ = false;
};

}  // namespace steelyard::cli
