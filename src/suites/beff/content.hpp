// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "measure/workload.hpp"

/// Contents of messages and their checks.
namespace steelyard::beff {

/// Message, as its contents identify it: who sent it to whom, in which slot of the pattern, at which length
/// (number k and bytes).
struct Message {
  int sender = 0, receiver = 0, slot = 0, k = 0;
  std::int64_t bytes = 0;
};

/// Errors that one rank found, over all loops of a point.
class Mismatches {
 public:
  void add(const Message& message, std::int64_t byte, std::byte found, std::byte expected);
  [[nodiscard]] const measure::CheckResult& result() const { return result_; }

 private:
  measure::CheckResult result_;
};

/// Stamps by the rule of the benchmark: the first and the last byte of each message depend on slot and
/// length, and are compared on arrival, inside the timed loop.
struct Stamps {
  static void write(std::byte* at, const Message& message) noexcept {
    at[0] = first(message);
    at[message.bytes - 1] = last(message);
  }
  static void prepare(std::byte*, const Message&) noexcept {}
  static void compare(const std::byte* at, const Message& message, Mismatches& wrong) noexcept {
    if (at[0] != first(message)) wrong.add(message, 0, at[0], first(message));
    if (at[message.bytes - 1] != last(message))
      wrong.add(message, message.bytes - 1, at[message.bytes - 1], last(message));
  }

 private:
  static std::byte first(const Message& m) noexcept { return static_cast<std::byte>(m.slot * m.k + 1); }
  static std::byte last(const Message& m) noexcept {
    return static_cast<std::byte>(2 * (m.slot * m.k + 1) - 1);
  }
};

/// Whole contents: every byte depends on sender, receiver, slot and offset; the receive side is poisoned
/// before. Never timed.
struct WholeContent {
  static void write(std::byte* at, const Message& message) noexcept;
  static void prepare(std::byte* at, const Message& message) noexcept;
  static void compare(const std::byte* at, const Message& message, Mismatches& wrong) noexcept;
};

}  // namespace steelyard::beff
