// SPDX-License-Identifier: Apache-2.0
#include "measuring/world_place.hpp"

#include "machine/environment.hpp"
#include "suites/screen/nodes.hpp"

namespace steelyard::cli {

Place world_place(const mpi::Communicator& world, int threads, const machine::Roots& roots) {
  const auto node = world.split_shared();
  const int sharing = node.size();
  // The largest of all nodes: a table is to be larger than every cache, and buffers are to pass every one by.
  const machine::Cache cache = machine::last_level_cache(roots);
  const hpcc::CacheShare share = cache_share(cache, sharing, threads);
  const std::int64_t memory = machine::node_memory(roots);
  const std::int64_t of_nodes = world.sum(node.is_root() ? memory : 0);
  Place place{world.size(),
              world.min(memory_share(machine::usable_memory(roots), sharing)),
              {world.max(cache.size_byte), world.max(cache.apart_byte)},
              world.min(memory / sharing),
              {world.max(share.alone_byte), world.max(share.together_byte)},
              screen::domains_of(world, node, machine::own_domain(roots)).most,
              static_cast<int>(world.max(std::int64_t{machine::allowed_domains(roots)})),
              static_cast<int>(world.sum(std::int64_t{node.is_root() ? 1 : 0}))};
  if (place.node_share_byte > 0) place.nodes_memory_byte = of_nodes;
  return place;
}

}  // namespace steelyard::cli
