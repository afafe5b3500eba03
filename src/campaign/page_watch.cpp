// SPDX-License-Identifier: Apache-2.0
#include "campaign/page_watch.hpp"

#include <algorithm>
#include <chrono>

namespace steelyard::campaign {

PageWatch::PageWatch(const machine::Roots& roots)
    : roots_(roots), domain_(machine::one_domain_of_several(roots)) {}

void PageWatch::look(double elapsed_s) {
  constexpr double part_of_time = 0.002;
  if (!domain_ || spent_s_ > part_of_time * elapsed_s) return;
  const auto start = std::chrono::steady_clock::now();
  const auto places = machine::page_places(*domain_, roots_);
  if (places.byte > 0)
    share_ = std::max(share_, static_cast<double>(places.remote_byte) / static_cast<double>(places.byte));
  spent_s_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void PageWatch::tell(const mpi::Communicator& world, Disturbances& met) const {
  met.remote_share = world.max(share_);
  met.remote_processes = world.sum(std::int64_t{share_ > tolerated_remote_share ? 1 : 0});
}

}  // namespace steelyard::campaign
