// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "measure/workload.hpp"
#include "suites/imb/io/point_file.hpp"

/// Results checking of IMB-IO (IMB 3.1 User's Guide, 7.2, made exact).
namespace steelyard::imb {

/// Size of the pieces in which files are filled and looked through.
inline constexpr std::int64_t piece_byte = std::int64_t{1} << 20;

/// Length of block `number` of a rank if the stream goes on with it at this position; 0 if it does not.
using LengthAt = std::function<std::int64_t(std::int64_t position, std::size_t rank, std::size_t number)>;
/// Position up to which a stream of so many bytes can be explained as made of all blocks of all ranks, those of
/// each rank in their order and of each as many as `counts` says; `bytes` if it can be as a whole. A block may be
/// empty.
[[nodiscard]] std::int64_t explained(std::int64_t bytes, std::span<const std::size_t> counts,
                                     const LengthAt& length_at);

/// Function that runs one repetition on a file that the check has opened.
using Repetition = std::function<int(PointFile& file, std::uint64_t repetition)>;

/// Runs up to `repetitions` operations untimed. Collective over all groups. Writing ones go to a file of
/// their own with data that depend on rank, position and repetition; after completion and close every byte of
/// it is read through a second handle, the length included. Reading ones read what the file holds into a
/// poisoned buffer. Where the order of blocks is free (P_*_Shared), the file must be made of exactly these
/// blocks. `guards`: bytes changed around the buffer. Afterwards the buffer holds its initial contents.
/// Throws measure::SharedFailure on all ranks.
[[nodiscard]] measure::CheckResult check_file(const FilePoint& point, std::uint64_t repetitions,
                                              const Repetition& run,
                                              const std::function<std::int64_t()>& guards);

}  // namespace steelyard::imb
