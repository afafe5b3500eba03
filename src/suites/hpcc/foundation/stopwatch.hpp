// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

namespace steelyard::hpcc {

/// Time since it was made, for trials that choose between ways: what is measured is timed by the engine.
class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace steelyard::hpcc
