// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/balance/balance.hpp"
#include "analysis/comparison/comparison.hpp"
#include "record/file.hpp"

namespace steelyard::report {

/// What a report is made of.
struct ReportInput {
  std::vector<record::Run> runs = {};  // side by side, in the order in which they were named
  std::vector<record::Run> launches =
      {};  // all of the series that the only run belongs to, if there are several
  std::vector<balance::System> foreign = {};    // results of other programs (hpccoutf.txt)
  std::optional<balance::Balance> judged = {};  // of both; absent: nothing was judged
  std::optional<comparison::Comparison> compared = {};
  std::string not_compared = {};  // why there is no comparison although one was asked for
  std::string compared_as = {};   // "BASE and NEW" in words
};

/// Names of runs, all different: the machine's; where it repeats, with the start; where that repeats too,
/// with the id.
[[nodiscard]] std::vector<std::string> run_names(const std::vector<record::Run>& runs);

}  // namespace steelyard::report
