// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "mpi/communicator.hpp"
#include "record/json.hpp"
#include "suites/hpcc/blas/in_use.hpp"
#include "suites/hpcc/blas/node_trial.hpp"
#include "words/resolve.hpp"
#include "words/values.hpp"

/// --blas, when the processes have started.
namespace steelyard::cli {

/// The trial as this program makes it.
[[nodiscard]] hpcc::TrialRules blas_trial_rules(int threads);

/// What computes with so many threads a process, chosen and loaded on all processes alike. `earlier`: member
/// `blas` of a run that shall be continued alike, on rank 0. Collective. Throws Ended where the user names a library that
/// cannot compute.
[[nodiscard]] std::shared_ptr<const hpcc::BlasInUse> chosen_blas(const mpi::Communicator& world,
                                                                 const std::string& help_of, int threads,
                                                                 const hpcc::BlasWish& wish,
                                                                 const record::Document& earlier = {});

/// On rank 0, in a line on standard error, unless --quiet is among the values.
void tell_blas(const mpi::Communicator& world, const Invocation& invocation, const hpcc::BlasInUse& blas);

}  // namespace steelyard::cli
