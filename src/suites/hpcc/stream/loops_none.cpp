// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/stream/loops.hpp"

namespace steelyard::hpcc {

const StreamLoops* streaming_loops() {
  return nullptr;
}

}  // namespace steelyard::hpcc
