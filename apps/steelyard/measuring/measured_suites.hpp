// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "measuring/prepared.hpp"

/// The suites as they are measured: a suite's row is in its folder, the list of all at the end of this header.
namespace steelyard::cli {

struct MeasuredSuite {
  std::string_view name;
  /// With the settings of `run`: what the words say, fitted into the suite's share of the campaign. Throws
  /// UsageError.
  std::unique_ptr<suites::Suite> (*of_run)(const Values& values, const CampaignShare& share,
                                           const Place& place);
  /// Seconds that those benchmarks can use; nothing: whatever there is. Throws UsageError.
  std::optional<suites::TimeRange> (*range)(const Values& values, const CampaignShare& share,
                                            const Place& place);
  /// At sizes that tell whether the data are right and nothing else.
  std::unique_ptr<suites::Suite> (*tiny)(int processes);
  bool prescribes_sizes = false;  // --sizes needs --not-official
};

extern const MeasuredSuite measured_imb_mpi1, measured_imb_ext, measured_imb_io, measured_imb_nbc,
    measured_imb_mpi4, measured_imb_rma, measured_imb_p2p, measured_imb_mt, measured_mpi4;
extern const MeasuredSuite measured_beff, measured_beffio, measured_hpcc, measured_ftio, measured_screen;

/// In the order in which suites are listed.
[[nodiscard]] inline std::span<const MeasuredSuite* const> measured_suites() {
  static constexpr const MeasuredSuite* all[] = {
      &measured_imb_mpi1, &measured_imb_ext, &measured_imb_io, &measured_imb_nbc, &measured_imb_mpi4,
      &measured_imb_rma,  &measured_imb_p2p, &measured_imb_mt, &measured_mpi4,    &measured_beff,
      &measured_beffio,   &measured_hpcc,    &measured_ftio,   &measured_screen};
  return all;
}

}  // namespace steelyard::cli
