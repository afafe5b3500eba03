// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace steelyard::suites {

/// How far a block is whose results come only at its end.
struct Stage {
  double share = 0;   // of its time, 0 .. 1
  std::string words;  // "repetition 2 of 3, 4096 byte"
};

}  // namespace steelyard::suites
