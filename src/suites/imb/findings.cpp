// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/findings.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

namespace steelyard::imb {
namespace {

std::string hex(std::byte value) {
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), "0x%02x", std::to_integer<unsigned>(value));
  return text.data();
}

}  // namespace

Surroundings::Surroundings(const Area& area)
    : before_(area.base - guard_byte), after_(area.base + area.layout.slots.bytes) {
  std::memcpy(kept_.data(), before_, guard_byte);
  std::memcpy(kept_.data() + guard_byte, after_, guard_byte);
}

Surroundings::~Surroundings() {
  std::memcpy(before_, kept_.data(), guard_byte);
  std::memcpy(after_, kept_.data() + guard_byte, guard_byte);
}

void Findings::add(const Difference& difference) {
  ++result_.errors;
  result_.worst = std::max(result_.worst, difference.size);
  if (!result_.first.empty()) return;
  result_.first = "rank " + std::to_string(rank_) + ", repetition " + std::to_string(repetition_) + ", " +
                  std::string(difference.side) + " byte " + std::to_string(difference.at) + ": found " +
                  hex(difference.found) + ", expected " + hex(difference.expected);
}

}  // namespace steelyard::imb
