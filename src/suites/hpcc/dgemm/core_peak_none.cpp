// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/dgemm/core_peak.hpp"

namespace steelyard::hpcc {

MultiplyAdds widest_multiply_adds() {
  return plain_multiply_adds();
}

}  // namespace steelyard::hpcc
