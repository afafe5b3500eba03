// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "mpi/communicator.hpp"
#include "options/option_table.hpp"
#include "options/resolve.hpp"
#include "options/values.hpp"
#include "record/json.hpp"
#include "suites/hpcc/blas/in_use.hpp"
#include "suites/hpcc/blas/node_trial.hpp"
#include "suites/hpcc/settings.hpp"

/// Choice of the BLAS by --blas and --blas-trial.
namespace steelyard::cli {

inline constexpr Option threads_option("threads", Kind::count, "threads per process of the compute kernels",
                                       FallbackText{"OMP_NUM_THREADS or 1"}, Within{1, 1024});

/// Threads per process of the compute kernels: --threads, else the first number of OMP_NUM_THREADS where the
/// program can use threads, else 1.
[[nodiscard]] int compute_threads(const Values& values);

/// The first number of OMP_NUM_THREADS, else 1.
[[nodiscard]] int threads_of_environment();

/// Threads per process that send messages in a `run`: those of --threads or OMP_NUM_THREADS if a word of SELECT names
/// imb-mt, else 1. More than one asks for MPI_THREAD_MULTIPLE, which changes the times of all suites.
[[nodiscard]] int messaging_threads(const Values& values);

/// Throws UsageError if --threads asks for what this program cannot do.
void check_threads(const Values& values);

/// "fastest", "as-linked", or a library's file and behind a colon the kernel that it shall take. Throws
/// units::ParseError.
[[nodiscard]] hpcc::BlasWish parse_blas(std::string_view word);
/// The BLAS that --blas and --blas-trial ask for; without them `otherwise`, in a base run as-linked. Throws UsageError
/// if they contradict each other.
[[nodiscard]] hpcc::BlasWish blas_wish(const Values& values, hpcc::BlasWish::Kind otherwise);

/// BLAS that computes with so many threads a process, chosen and loaded on all processes alike. `earlier`: member
/// `blas` of a run that is continued with the same BLAS, on rank 0. Collective. Throws Ended if the user names a
/// library that cannot compute.
[[nodiscard]] std::shared_ptr<const hpcc::BlasInUse> chosen_blas(const mpi::Communicator& world,
                                                                 const std::string& help_of, int threads,
                                                                 const hpcc::BlasWish& wish,
                                                                 const record::Document& earlier = {});

/// Names the BLAS on rank 0, in a line on the stream of talk(), unless --quiet is among the values.
void tell_blas(const mpi::Communicator& world, const Invocation& invocation, const hpcc::BlasInUse& blas);

}  // namespace steelyard::cli
