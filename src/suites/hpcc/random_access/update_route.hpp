// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>

/// How an update reaches its owner among many processes: in round k it moves 2^k ranks on if its distance has
/// that bit. Any number of processes. Pure.
namespace steelyard::hpcc {

/// Up to so many processes every one speaks to every other; with more, updates are routed.
inline constexpr int most_direct_processes = 16;

class UpdateRoute {
 public:
  UpdateRoute(int rank, int processes) : rank_(rank), processes_(processes) {}

  [[nodiscard]] int rounds() const noexcept {
    return static_cast<int>(std::bit_width(static_cast<unsigned>(processes_ - 1)));
  }
  /// Ranks from here to the owner, upwards and round; 0 if it is this process.
  [[nodiscard]] int distance(int owner) const noexcept {
    return owner >= rank_ ? owner - rank_ : owner - rank_ + processes_;
  }
  /// The next round in which a value of this distance moves; not for 0.
  [[nodiscard]] static int round_of(int distance) noexcept {
    return std::countr_zero(static_cast<unsigned>(distance));
  }
  [[nodiscard]] int next(int round) const noexcept { return (rank_ + (1 << round)) % processes_; }
  [[nodiscard]] int previous(int round) const noexcept {
    return (rank_ + processes_ - (1 << round)) % processes_;
  }

 private:
  int rank_, processes_;
};

}  // namespace steelyard::hpcc
