// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/blas/blas.hpp"
#include "suites/hpcc/definition.hpp"

namespace steelyard::hpcc {

Settings as_built(Settings settings) {
  settings.blas = blas::available();
  return settings;
}

}  // namespace steelyard::hpcc
