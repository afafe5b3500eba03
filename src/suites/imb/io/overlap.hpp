// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "record/records.hpp"
#include "suites/imb/settings.hpp"

/// The rules of IMB-IO's non-blocking rows, and what they add to a record. Pure.
namespace steelyard::imb {

/// Order of the matrix of the computation: 100, in later releases 10.
[[nodiscard]] int matrix_order(Version version);

/// How long the computation beside one transfer shall take. The reference's 0.1 s (later releases 0.01 s)
/// make a row last seconds; unless -iter or -iter_policy off ask for that, a row computes for at most 0.06 s,
/// in at least 3 repetitions.
[[nodiscard]] Seconds computation_target(const Settings& settings);
/// Most repetitions of a non-blocking row under that rule; nothing where it does not bound them.
[[nodiscard]] std::optional<std::uint64_t> most_overlapped(const Settings& settings);

/// Receive sections that a non-blocking read needs: as many as reads may be under way at the same time.
[[nodiscard]] std::int64_t sections(const Settings& settings, const Definition& definition,
                                    std::uint64_t planned);

/// Adds t_pure, t_CPU and overlap to metrics and to classic values. t_ovrl is what the record has measured.
void put_overlap_values(double pure_s, double compute_s, record::PointRecord& record);

/// Adds the share of the file that lay in memory before it was read, and the flag cached_read where that was
/// more than a hundredth.
void put_residence(double share, record::PointRecord& record);

}  // namespace steelyard::imb
