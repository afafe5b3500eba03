// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include "suites/imb/point.hpp"

namespace steelyard::imb {

/// The sections of repetition after repetition on both sides of a transfer: an address of one's own memory
/// and a displacement in the memory of the other, which is laid out alike.
class Sections {
 public:
  Sections(const Area& own, const Area& exposed)
      : own_(own.cursor()), exposed_(exposed.cursor()), base_(exposed.base) {}
  [[nodiscard]] std::byte* next_own() noexcept { return own_.next(); }
  [[nodiscard]] MPI_Aint next_displacement() noexcept { return exposed_.next() - base_; }
  void seek(std::uint64_t i) noexcept {
    own_.seek(i);
    exposed_.seek(i);
  }

 private:
  measure::SlotCursor own_, exposed_;
  std::byte* base_;
};

}  // namespace steelyard::imb
