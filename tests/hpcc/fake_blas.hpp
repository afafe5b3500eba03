// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <sstream>
#include <string>

#include "suites/hpcc/blas/node_trial.hpp"

/// The library of that name among the fake ones.
inline std::string fake_blas(const std::string& name) {
  return std::string(STEELYARD_TEST_FAKE_BLAS) + "/libfake_" + name + ".so";
}

/// Whether this processor is emulated: the kernel then starts no program of it, and a child that cannot be
/// started is seen by its exit code alone.
inline bool emulated() {
  return std::getenv("STEELYARD_TEST_EMULATOR") != nullptr;
}

/// The trial with the child of the tests, behind the emulator where there is one, with time enough for a busy machine.
inline steelyard::hpcc::TrialRules trial_rules() {
  std::istringstream words(emulated() ? std::getenv("STEELYARD_TEST_EMULATOR") : "");
  steelyard::hpcc::ChildProgram child;
  for (std::string word; words >> word;) child.push_back(word);
  child.emplace_back(STEELYARD_TEST_BLAS_CHILD);
  return {.child = child, .limit_s = 100, .begin_s = 60};
}
