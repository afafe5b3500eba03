// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

#include "analysis/hpcc_frame.hpp"
#include "record/records.hpp"

/// The Summary of HPC Challenge of one run, from its records alone. Pure.
namespace steelyard::analysis {

/// The summary record "hpcc". classic: every key of hpcc_keys() in their order, the initial value where a
/// test was not measured; of several combinations of PTRANS and of the linear solver the fastest gives its
/// keys; after them ours, which begin with Sy_: version, libraries, kind of run, and of every test but
/// LatencyBandwidth the median of its times and their spread, (largest - smallest) / median, and the part of
/// its memory in huge pages. Success is 1 if every point of the plan was measured and verified and residuals
/// had a threshold above 0; that one process exchanges no messages is no failure. values: what a balance
/// analysis needs, in byte/s, flop/s, update/s and s, absent where not measured. Points of other suites are
/// ignored; nothing if there are none of hpcc.
[[nodiscard]] std::optional<record::SummaryRecord> hpcc_summary(std::span<const record::PointRecord> points,
                                                                const HpccFrame& frame = {});

}  // namespace steelyard::analysis
