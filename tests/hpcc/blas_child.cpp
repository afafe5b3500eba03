// SPDX-License-Identifier: Apache-2.0
// The child of the trial of BLAS libraries, for tests.
#include "suites/hpcc/blas/child.hpp"

int main(int count, char** words) {
  const std::vector<std::string> all(words + 1, words + count);
  return steelyard::hpcc::answer_as_child(all);
}
