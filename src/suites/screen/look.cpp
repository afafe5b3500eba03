// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cmath>
#include <exception>

#include "suites/screen/kernels.hpp"

namespace steelyard::screen {

bool is_of_one_process(Test test) {
  return test == Test::chase || test == Test::disk;
}

Look looked_at(NodeKernel& kernel) noexcept {
  using Clock = std::chrono::steady_clock;
  Look look;
  try {
    const auto start = Clock::now();
    kernel.run();
    look.value = kernel.value(std::chrono::duration<double>(Clock::now() - start).count());
    look.check = kernel.verify();
  } catch (const std::exception&) {
    look.value = 0;
    look.failure = std::current_exception();
  }
  if (!std::isfinite(look.value)) look.value = 0;
  return look;
}

}  // namespace steelyard::screen
