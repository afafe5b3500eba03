// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "record/records.hpp"

/// Whether what a run wrote and read may never have reached a disk. Pure.
namespace steelyard::analysis {

/// Why the files of b_eff_io among `points` may have lain in memory while they were measured, without a full stop:
/// "the files of b_eff_io (1.77 GiB) can lie in memory (22.6 GiB)". Of the partition that gives the value of the
/// system. Empty if they went beyond the memory, were dropped from it, or one of both sizes is unknown.
[[nodiscard]] std::string beffio_in_memory(const record::RunRecord& head,
                                           std::span<const record::PointRecord> points);
/// The same of the largest matrix of FTIO, which gives its value.
[[nodiscard]] std::string ftio_in_memory(const record::RunRecord& head,
                                         std::span<const record::PointRecord> points);

}  // namespace steelyard::analysis
