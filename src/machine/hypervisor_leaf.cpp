// SPDX-License-Identifier: Apache-2.0
#include "machine/hypervisor_leaf.hpp"

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>

#include <array>
#include <cstring>
#endif

namespace steelyard::machine {

#if defined(__x86_64__) || defined(__i386__)

std::string hypervisor_leaf() {
  constexpr unsigned leaf = 0x40000000U;
  unsigned highest = 0;
  std::array<unsigned, 3> letters{};
  __cpuid(leaf, highest, letters[0], letters[1], letters[2]);
  std::array<char, sizeof letters + 1> text{};
  std::memcpy(text.data(), letters.data(), sizeof letters);
  return text.data();
}

#else

std::string hypervisor_leaf() {
  return {};
}

#endif

}  // namespace steelyard::machine
