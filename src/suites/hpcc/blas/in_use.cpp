// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/blas/in_use.hpp"

#include "suites/hpcc/blas/blas.hpp"
#include "suites/hpcc/definition.hpp"

namespace steelyard::hpcc {

Settings as_built(Settings settings) {
  const bool loaded = settings.blas_in_use && !settings.blas_in_use->library.is_linked();
  settings.blas = blas::available() || loaded;
  return settings;
}

}  // namespace steelyard::hpcc
