// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace steelyard::fuzz {

/// The most memory that the program held by `new` at once since this object was made, beyond what it held then. One at a
/// time.
class HeapWatch {
 public:
  HeapWatch() noexcept;
  [[nodiscard]] std::int64_t most_byte() const noexcept;

 private:
  std::int64_t before_;
};

}  // namespace steelyard::fuzz
