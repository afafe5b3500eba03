// SPDX-License-Identifier: Apache-2.0
// Ways of the values of MPIRandomAccess: every process to every other, routed in rounds, buckets as the reference has
// them, in turn on one table. Arguments: words of a process as a power of 2 (default 18), rounds (default 5).
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "mpi/error.hpp"
#include "stats/order.hpp"
#include "suites/hpcc/random_access/distributed_updates.hpp"

using namespace steelyard;

namespace {

struct Way {
  std::string name;
  std::unique_ptr<hpcc::UpdateExchange> exchange;
  std::vector<double> rates = {}, over_direct = {};  // updates a second of all processes
};

/// Seconds of the slowest process.
double timed(const mpi::Communicator& comm, const hpcc::UpdateTask& task, hpcc::UpdateExchange& exchange) {
  comm.barrier();
  const double start = MPI_Wtime();
  mpi::check(exchange.run(task), "updates");
  return comm.max(MPI_Wtime() - start);
}

void tell(const Way& way) {
  std::printf("%-10s %10.6f GUP/s  %10.6f %10.6f   over direct %6.3f (%.3f to %.3f)\n", way.name.c_str(),
              1e-9 * stats::median(way.rates), 1e-9 * std::ranges::min(way.rates),
              1e-9 * std::ranges::max(way.rates), stats::median(way.over_direct),
              std::ranges::min(way.over_direct), std::ranges::max(way.over_direct));
}

void compare(const mpi::Communicator& world, int bits, int rounds) {
  const hpcc::TableParts parts(bits, world.size());
  const std::int64_t words = parts.length(world.rank());
  machine::HugeArray<std::uint64_t> table(words);
  std::ranges::fill(table.span(), 0);
  const hpcc::UpdateTask task{table.data(), parts, world.rank(), 4 * words};
  const auto updates = static_cast<double>(world.sum(task.updates));
  std::vector<Way> ways;
  ways.push_back({"direct", hpcc::batched_exchange(world, hpcc::Generator::polynomial)});
  ways.push_back({"routed", hpcc::routed_exchange(world, hpcc::Generator::polynomial)});
  ways.push_back({"buckets", hpcc::bucket_exchange(world, hpcc::Generator::polynomial)});
  for (int round = 0; round <= rounds; ++round) {
    for (std::size_t i = 0; i < ways.size(); ++i) {
      Way& way = ways[(i + static_cast<std::size_t>(round)) % ways.size()];
      way.rates.push_back(updates / timed(world, task, *way.exchange));
    }
    if (round == 0)  // all memory is touched, all connections are open
      for (Way& way : ways) way.rates.clear();
    else
      for (Way& way : ways) way.over_direct.push_back(way.rates.back() / ways.front().rates.back());
  }
  if (!world.is_root()) return;
  std::printf("%d processes, table of 2^%d words, %d rounds: median, least, most\n", world.size(), bits,
              rounds);
  std::ranges::for_each(ways, tell);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    const auto world = mpi::Communicator::world();
    const int own = argc > 1 ? std::atoi(argv[1]) : 18, rounds = argc > 2 ? std::atoi(argv[2]) : 5;
    int bits = own;
    while ((1 << (bits - own)) < world.size()) ++bits;
    compare(world, bits, std::max(1, rounds));
  }
  MPI_Finalize();
  return 0;
}
