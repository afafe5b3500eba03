// SPDX-License-Identifier: Apache-2.0
#include "suites/screen/nodes.hpp"

#include <mpi.h>

#include <array>

#include "mpi/error.hpp"

namespace steelyard::screen {
namespace {

/// FNV-1a: the same on all nodes, whatever their libraries.
std::uint64_t number_of(std::string_view words) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char letter : words) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3U;
  return hash;
}

using record::Json;

Json known(double value) {
  return value > 0 ? Json(value) : Json();
}

}  // namespace

Nodes::Nodes(const mpi::Communicator& team, std::optional<int> ranks_of_each, const std::string& processor,
             const std::string& host)
    : team_(&team),
      node_(ranks_of_each ? team.split(team.rank() / *ranks_of_each, team.rank()) : team.split_shared()),
      leaders_(team.split(node_.is_root() ? 0 : -1, team.rank())) {
  if (leads()) {
    own_ = leaders_.rank();
    count_ = leaders_.size();
    const int rank = team.rank();
    const std::uint64_t kind = number_of(processor);
    const std::size_t nodes = leaders_.is_root() ? static_cast<std::size_t>(count_) : 0;
    first_ranks_.resize(nodes);
    kinds_.resize(nodes);
    mpi::check(MPI_Gather(&rank, 1, MPI_INT, first_ranks_.data(), 1, MPI_INT, 0, leaders_.get()),
               "MPI_Gather");
    hosts_ = leaders_.gather(host);
    mpi::check(MPI_Gather(&kind, 1, MPI_UINT64_T, kinds_.data(), 1, MPI_UINT64_T, 0, leaders_.get()),
               "MPI_Gather");
  }
  own_ = node_.broadcast(own_);
  count_ = node_.broadcast(count_);
}

Domains domains_of(const mpi::Communicator& team, const mpi::Communicator& node, std::optional<int> number) {
  const bool known = !node.any(!number);
  const auto together = node.split(known ? *number : 0, node.rank());
  const auto first = node.split(together.is_root() ? 0 : -1, known ? *number : 0);
  Domains found;
  if (together.is_root()) found = {first.rank(), -1, first.size()};
  found.own = together.broadcast(found.own);
  found.most = static_cast<int>(team.max(std::int64_t{together.broadcast(found.most)}));
  found.number = known ? *number : -1;
  return found;
}

std::vector<NodeSample> gathered(const Nodes& nodes, const OwnSample& own, bool tells, int domain) {
  constexpr int members = 5;
  const bool lacks = nodes.node().any(tells && !(own.value > 0));
  const std::array<double, members> told{tells && !lacks ? own.value : 0.0, own.wrong, 1.0, tells ? 1.0 : 0.0,
                                         tells ? double(domain) : 0.0};
  std::array<double, members> sum{};
  mpi::check(MPI_Reduce(told.data(), sum.data(), members, MPI_DOUBLE, MPI_SUM, 0, nodes.node().get()),
             "MPI_Reduce");
  if (!nodes.leads()) return {};
  std::vector<std::array<double, members>> all(
      nodes.leaders().is_root() ? static_cast<std::size_t>(nodes.count()) : 0);
  mpi::check(
      MPI_Gather(sum.data(), members, MPI_DOUBLE, all.data(), members, MPI_DOUBLE, 0, nodes.leaders().get()),
      "MPI_Gather");
  std::vector<NodeSample> samples;
  for (const auto& [value, wrong, processes, tellers, numbers] : all)
    samples.push_back({value, wrong, processes, static_cast<int>(tellers),
                       tellers > 0 ? static_cast<int>(numbers / tellers) : -1});
  return samples;
}

std::vector<PairSample> gathered(const mpi::Communicator& leaders, const std::vector<PairSample>& own) {
  // Counted in samples: all pairs of 10^4 nodes are 2 GB.
  mpi::DatatypeHandle sample;
  mpi::check(MPI_Type_contiguous(static_cast<int>(sizeof(PairSample)), MPI_BYTE, sample.put()),
             "MPI_Type_contiguous");
  mpi::check(MPI_Type_commit(sample.put()), "MPI_Type_commit");
  const int count = static_cast<int>(own.size());
  std::vector<int> counts(leaders.is_root() ? static_cast<std::size_t>(leaders.size()) : 0);
  mpi::check(MPI_Gather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, leaders.get()), "MPI_Gather");
  std::vector<int> places;
  int end = 0;
  for (const int of_one : counts) {
    places.push_back(end);
    end += of_one;
  }
  std::vector<PairSample> all(static_cast<std::size_t>(end));
  mpi::check(MPI_Gatherv(own.data(), count, sample.get(), all.data(), counts.data(), places.data(),
                         sample.get(), 0, leaders.get()),
             "MPI_Gatherv");
  return all;
}

void put_node(Columns& table, const TestSpec& spec, std::size_t node, std::size_t visit,
              const NodeSample& sample) {
  table.put("host", static_cast<std::int64_t>(node))
      .put("benchmark", std::string(spec.benchmark))
      .put("visit", static_cast<std::int64_t>(visit + 1))
      .put("value", known(sample.value))
      .put("verified", sample.wrong == 0)
      .put("processes", static_cast<std::int64_t>(sample.processes))
      .put("domain", sample.domain < 0 ? Json() : Json(std::int64_t{sample.domain}));
}

void put_pair(Columns& table, const PairSample& sample, const std::vector<int>& leader_of) {
  table.put("from_rank", std::int64_t{leader_of[static_cast<std::size_t>(sample.a)]})
      .put("to_rank", std::int64_t{leader_of[static_cast<std::size_t>(sample.b)]})
      .put("latency_s", known(sample.latency_s))
      .put("bandwidth_byte_s", known(sample.byte_s))
      .put("visit", std::int64_t{sample.visit})
      .put("round", std::int64_t{sample.round})
      .put("verified", sample.wrong == 0);
}

Columns node_columns() {
  return Columns{"host", "benchmark", "visit", "value", "verified", "processes", "domain"};
}
Columns pair_columns() {
  return Columns{"from_rank", "to_rank", "latency_s", "bandwidth_byte_s", "visit", "round", "verified"};
}

}  // namespace steelyard::screen
