// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "suites/hpcc/blas/node_trial.hpp"

/// The library of that name among the fake ones.
inline std::string fake_blas(const std::string& name) {
  return std::string(STEELYARD_TEST_FAKE_BLAS) + "/libfake_" + name + ".so";
}

/// The trial with the child of the tests.
inline steelyard::hpcc::TrialRules trial_rules() {
  return {.child = {STEELYARD_TEST_BLAS_CHILD}, .limit_s = 10, .begin_s = 20};
}
