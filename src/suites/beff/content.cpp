// SPDX-License-Identifier: Apache-2.0
#include "suites/beff/content.hpp"

#include <string>

#include "suites/beff/patterns.hpp"

namespace steelyard::beff {
namespace {

/// One byte per offset; neighbouring offsets, slots, senders and receivers give unrelated bytes.
class Bytes64 {
 public:
  explicit Bytes64(const Message& m)
      : source_((static_cast<std::uint64_t>(m.sender) << 40) ^
                (static_cast<std::uint64_t>(m.receiver) << 16) ^ static_cast<std::uint64_t>(m.slot)) {}
  std::byte next() noexcept {
    if (left_ == 0) {
      word_ = source_.next();
      left_ = 8;
    }
    const auto value = static_cast<std::byte>(word_ & 0xFFU);
    word_ >>= 8;
    --left_;
    return value;
  }

 private:
  RandomSource source_;
  std::uint64_t word_ = 0;
  int left_ = 0;
};

}  // namespace

void Mismatches::add(const Message& message, std::int64_t byte, std::byte found, std::byte expected) {
  if (result_.errors++ == 0)
    result_.first = "rank " + std::to_string(message.receiver) + ", from rank " +
                    std::to_string(message.sender) + ", slot " + std::to_string(message.slot) + ", byte " +
                    std::to_string(byte) + ": found " + std::to_string(std::to_integer<int>(found)) +
                    ", expected " + std::to_string(std::to_integer<int>(expected));
  result_.worst = 1;
}

void WholeContent::write(std::byte* at, const Message& message) noexcept {
  Bytes64 bytes(message);
  for (std::int64_t i = 0; i < message.bytes; ++i) at[i] = bytes.next();
}

void WholeContent::prepare(std::byte* at, const Message& message) noexcept {
  Bytes64 bytes(message);
  for (std::int64_t i = 0; i < message.bytes; ++i) at[i] = ~bytes.next();
}

void WholeContent::compare(const std::byte* at, const Message& message, Mismatches& wrong) noexcept {
  Bytes64 bytes(message);
  for (std::int64_t i = 0; i < message.bytes; ++i) {
    const std::byte expected = bytes.next();
    if (at[i] != expected) wrong.add(message, i, at[i], expected);
  }
}

}  // namespace steelyard::beff
