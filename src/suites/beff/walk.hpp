// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace steelyard::beff {

/// The cyclic walk through the send and the receive buffer. It runs on over iterations, patterns, methods,
/// lengths and repetitions, so that consecutive messages use different memory.
class Walk {
 public:
  Walk(std::span<std::byte> send, std::span<std::byte> receive) : send_(send), receive_(receive) {}

  /// Position of the next message of `padded` bytes.
  std::int64_t next(std::int64_t padded) noexcept {
    if (base_ + padded > static_cast<std::int64_t>(send_.size())) base_ = 0;
    const std::int64_t at = base_;
    base_ += padded;
    return at;
  }
  [[nodiscard]] std::byte* send(std::int64_t at) const noexcept { return send_.data() + at; }
  [[nodiscard]] std::byte* receive(std::int64_t at) const noexcept { return receive_.data() + at; }

 private:
  std::span<std::byte> send_, receive_;
  std::int64_t base_ = 0;
};

/// Bytes that one message of `length` takes in the buffers: a multiple of 8.
[[nodiscard]] constexpr std::int64_t padded(std::int64_t length) {
  return (length + 7) / 8 * 8;
}

}  // namespace steelyard::beff
