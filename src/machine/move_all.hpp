// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace steelyard::machine {

/// Moves all bytes by one call like pread or pwrite, and by more only where the system moved less than it was asked for or
/// a signal came between. Returns the number of the error; 0: none. A file that ends before is an error of its device.
template <class Call, class Byte>
int move_all(Call call, Byte* memory, std::int64_t bytes, std::int64_t offset) {
  while (bytes > 0) {
    const ssize_t moved = call(memory, static_cast<std::size_t>(bytes), static_cast<off_t>(offset));
    if (moved < 0 && errno == EINTR) continue;
    if (moved <= 0) return moved < 0 ? errno : EIO;
    memory += moved;
    offset += moved;
    bytes -= moved;
  }
  return 0;
}

}  // namespace steelyard::machine
