// SPDX-License-Identifier: Apache-2.0
#include "launch/room.hpp"

#include <algorithm>

#include "machine/job.hpp"
#include "machine/text.hpp"

namespace steelyard::cli {

Room room_for_processes(int cores, const Variables& read) {
  auto found = machine::nodes_of_default_hosts(read);
  if (const auto groups = machine::whole(read("SLURM_HET_SIZE").value_or(""));
      groups && *groups > 1 && read("SLURM_JOB_ID") && !found)
    return {.slots = {}, .cores = cores, .groups = static_cast<int>(*groups)};
  if (!found) found = machine::nodes_of_job(read);
  if (found && found->nodes > 1) return {found->slots, found->cores, found->nodes};
  return {std::min(found && found->slots ? *found->slots : cores, cores), cores};
}

int processes_of_a_node(int processes, const Room& room) {
  const auto of_node = [&](int all) { return (all + room.nodes - 1) / room.nodes; };
  return std::min(processes, std::max(of_node(processes), room.slots ? of_node(*room.slots) : 1));
}

}  // namespace steelyard::cli
