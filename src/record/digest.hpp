// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace steelyard::record {

/// SHA-256 of a text that comes in pieces.
class Sha256 {
 public:
  Sha256();
  void add(std::string_view piece);
  /// "sha256:..." of all pieces so far.
  [[nodiscard]] std::string text() const;

 private:
  std::array<std::uint32_t, 8> state_;
  std::string rest_;  // less than a block
  std::uint64_t length_ = 0;
};

}  // namespace steelyard::record
