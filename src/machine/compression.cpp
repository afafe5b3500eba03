// SPDX-License-Identifier: Apache-2.0
#include "machine/compression.hpp"

#include <cstddef>
#include <cstdint>

namespace steelyard::machine {

std::string base64(std::string_view bytes) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto octet = [&](std::size_t k) {
      return i + k < bytes.size() ? static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i + k])) : 0U;
    };
    const std::uint32_t group = octet(0) << 16 | octet(1) << 8 | octet(2);
    text += letters[group >> 18 & 63U];
    text += letters[group >> 12 & 63U];
    text += i + 1 < bytes.size() ? letters[group >> 6 & 63U] : '=';
    text += i + 2 < bytes.size() ? letters[group & 63U] : '=';
  }
  return text;
}

}  // namespace steelyard::machine
