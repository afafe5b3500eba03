// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "machine/environment.hpp"

/// Clock cycles of the processor that this process used.
namespace steelyard::machine {

/// Counts from its making on, in the program and, where that is permitted, in the kernel for it. Without
/// privileges the kernel may refuse: then there is no value.
class CycleCounter {
 public:
  CycleCounter();
  CycleCounter(const CycleCounter&) = delete;
  CycleCounter& operator=(const CycleCounter&) = delete;
  ~CycleCounter();
  /// Scaled up where the counter was shared with others for a part of the time.
  [[nodiscard]] std::optional<double> cycles() const;

 private:
  int descriptor_ = -1;
};

/// Frequency that the processor is sold with, in Hz, where the kernel tells it.
[[nodiscard]] std::optional<double> nominal_frequency(const Roots& roots = {});

}  // namespace steelyard::machine
