// SPDX-License-Identifier: Apache-2.0
#include "machine/compression.hpp"

namespace steelyard::machine {

std::optional<std::string> packed(std::string_view) {
  return std::nullopt;
}
std::optional<std::string> unpacked(std::string_view) {
  return std::nullopt;
}

}  // namespace steelyard::machine
