// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/hpl/blas.hpp"

namespace steelyard::hpcc::blas {

Functions linked_functions() {
  return {};
}

}  // namespace steelyard::hpcc::blas
