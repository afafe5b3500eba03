// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "mpi/communicator.hpp"
#include "record/json.hpp"
#include "suites/hpcc/blas/in_use.hpp"
#include "suites/hpcc/blas/node_trial.hpp"

namespace steelyard::hpcc {

/// Chooses the BLAS by the wish and loads it. One process of each node tries the candidates, every one in a
/// child; a candidate counts only if it can compute on all nodes. `earlier`: on the root, the member `blas`
/// of a run that shall be continued alike; the library that it used is used again without a trial of
/// others, if it is still there. Collective; takes about half a second. `failure` of the findings says what
/// could not be done; then the linked library computes. Throws std::invalid_argument on all processes if a
/// named library cannot compute.
[[nodiscard]] std::shared_ptr<const BlasInUse> choose_blas(const mpi::Communicator& world,
                                                           const BlasWish& wish, const TrialRules& rules,
                                                           const record::Document& earlier = {});

}  // namespace steelyard::hpcc
