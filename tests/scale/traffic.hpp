// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

/// Messages that cross the simulated network, those inside collective operations included. Counted by the
/// platform in the simulator's own process; process r of a run is on host r.
namespace steelyard::scale {

struct Traffic {
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
};

/// One message from host to host.
void count_message(int from, int to);
/// Of one host so far.
[[nodiscard]] Traffic traffic_of(int host);
/// Of all hosts so far.
[[nodiscard]] std::uint64_t all_messages();

}  // namespace steelyard::scale
