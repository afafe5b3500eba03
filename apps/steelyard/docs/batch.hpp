// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

/// Job scripts to start from.
namespace steelyard::cli {

enum class BatchSystem { slurm, pbs };

/// A job script that measures a campaign over four nodes, ends in order before the time limit and goes on
/// where it was when it is started again: after the limit, after it was requeued, after a node was lost. The
/// launcher in it is that of the MPI library of this build.
[[nodiscard]] std::string batch_script(BatchSystem system);

/// A job script for Slurm that compares the nodes of the job with one another: a task on each, which uses all of its
/// cores. The names of those that are not well end in a file.
[[nodiscard]] std::string screening_script();

}  // namespace steelyard::cli
