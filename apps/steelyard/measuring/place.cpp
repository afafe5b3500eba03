// SPDX-License-Identifier: Apache-2.0
#include "measuring/place.hpp"

#include "measuring/computing.hpp"
#include "mpi/communicator.hpp"
#include "options/checks.hpp"
#include "process/errors.hpp"
#include "suites/screen/nodes.hpp"

namespace steelyard::cli {

measure::OffCache off_cache(const Values& values, const measure::OffCache& machine) {
  const auto word = values.word("off-cache");
  if (!word) return {};
  const CacheWords words = parse_cache(*word);
  if (!words.machine) return {words.size.count(), words.line_byte};
  if (!machine.on()) throw UsageError("--off-cache: the size of this machine's cache is unknown; name it");
  return machine;
}

survey::Place survey_place(const Values& values, const Place& place) {
  const auto blas = hpcc::text(blas_wish(values, hpcc::BlasWish::Kind::fastest));
  return {machine::machine_identity(), machine::version_line(""), blas, place.processes, place.nodes,
          compute_threads(values)};
}

Place place_here(const Values& values, int processes, int on_node) {
  Place place = node_place(on_node, compute_threads(values));
  place.processes = processes;
  place.nodes = (processes + on_node - 1) / on_node;
  if (auto known = survey::stored(survey::default_store(), survey_place(values, place)))
    place.survey = std::move(*known);
  return place;
}

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
