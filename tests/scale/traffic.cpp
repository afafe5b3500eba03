// SPDX-License-Identifier: Apache-2.0
#include "tests/scale/traffic.hpp"

#include <vector>

namespace steelyard::scale {
namespace {

// Of the simulator, not of a process: this library is loaded once, programs once per process.
std::vector<Traffic>& hosts() {
  static std::vector<Traffic> all;
  return all;
}

Traffic& host(int number) {
  const auto index = static_cast<std::size_t>(number);
  if (index >= hosts().size()) hosts().resize(index + 1);
  return hosts()[index];
}

}  // namespace

void count_message(int from, int to) {
  ++host(from).sent;
  ++host(to).received;
}

Traffic traffic_of(int number) {
  return host(number);
}

std::uint64_t all_messages() {
  std::uint64_t sum = 0;
  for (const Traffic& one : hosts()) sum += one.sent;
  return sum;
}

}  // namespace steelyard::scale
