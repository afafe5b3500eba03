// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "measure/workload.hpp"
#include "suites/imb/io/point_file.hpp"

namespace steelyard::imb {

/// Opens the file of a point, on all ranks of all groups at the same time, with the operation of its
/// benchmark. `guards` returns the number of bytes changed around the buffer since the last call. Throws
/// measure::SharedFailure on all ranks.
[[nodiscard]] std::unique_ptr<measure::Workload> open_file_workload(
    const FilePoint& point, const std::function<std::int64_t()>& guards);

/// Workload of MPI_File_open, one byte written by every process, MPI_File_close.
/// Source: IMB 3.1 User's Guide, 4.2.4.10.
[[nodiscard]] std::unique_ptr<measure::Workload> open_close_workload(const FilePoint& point);

/// Workload of `bundle` operations and their completion as one operation: for every schedule but IMB's own,
/// so that what is completed together is timed together.
[[nodiscard]] std::unique_ptr<measure::Workload> bundled(std::unique_ptr<measure::Workload> workload,
                                                         std::uint64_t bundle);

}  // namespace steelyard::imb
