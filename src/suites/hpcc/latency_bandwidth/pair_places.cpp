// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/latency_bandwidth/pair_places.hpp"

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "mpi/error.hpp"
#include "stats/order.hpp"

namespace steelyard::hpcc {
namespace {

constexpr double never = std::numeric_limits<double>::max();

std::size_t at(int index) {
  return static_cast<std::size_t>(index);
}

/// Counts of pairs, summed over ranks.
using Counts = std::array<std::int64_t, 5>;

class Spread {
 public:
  Spread(const mpi::Communicator& world, std::span<const PairTime> own, const std::vector<int>& place_of)
      : world_(world), own_(own), place_of_(place_of) {}

  PairSpread find() {
    const int places = *std::ranges::max_element(place_of_) + 1;
    const auto best = fastest_of_places(places, &PairTime::best_s);
    auto measured = best;
    std::erase(measured, never);
    if (measured.empty()) return {};
    found_.places = static_cast<int>(measured.size());
    found_.typical_s = stats::median(measured);
    auto worst = fastest_of_places(places, &PairTime::worst_s);
    std::erase(worst, never);
    found_.typical_worst_s = stats::median(worst);
    find_slowest_place(best);
    find_slowest_pair();
    count();
    return found_;
  }

 private:
  [[nodiscard]] int place(int rank) const { return place_of_[at(rank)]; }
  [[nodiscard]] bool leaves_its_place(const PairTime& pair) const {
    return place(pair.client) != place(pair.server);
  }

  /// Least time of the pairs of each place; `never` if it has none.
  [[nodiscard]] std::vector<double> fastest_of_places(int places, double PairTime::*time) const {
    std::vector<double> mine(at(places), never), all(at(places));
    for (const PairTime& pair : own_) {
      if (!leaves_its_place(pair)) continue;
      for (const int rank : {pair.client, pair.server})
        mine[at(place(rank))] = std::min(mine[at(place(rank))], pair.*time);
    }
    mpi::check(MPI_Allreduce(mine.data(), all.data(), places, MPI_DOUBLE, MPI_MIN, world_.get()),
               "MPI_Allreduce");
    return all;
  }

  void find_slowest_place(std::vector<double> best) {
    for (double& time : best) time = time == never ? 0 : time;
    const auto slowest = std::ranges::max_element(best);
    slowest_place_ = static_cast<int>(slowest - best.begin());
    found_.place_s = *slowest;
    found_.place_rank = static_cast<int>(std::ranges::find(place_of_, slowest_place_) - place_of_.begin());
  }

  void find_slowest_pair() {
    const PairTime* mine = nullptr;
    for (const PairTime& pair : own_)
      if (leaves_its_place(pair) && (mine == nullptr || pair.best_s > mine->best_s)) mine = &pair;
    struct {
      double time;
      int rank;
    } here{mine == nullptr ? 0 : mine->best_s, world_.rank()}, slowest{};
    mpi::check(MPI_Allreduce(&here, &slowest, 1, MPI_DOUBLE_INT, MPI_MAXLOC, world_.get()), "MPI_Allreduce");
    std::array<int, 2> pair{};
    if (world_.rank() == slowest.rank && mine != nullptr) pair = {mine->client, mine->server};
    world_.broadcast(std::span<int>(pair), slowest.rank);
    found_.slowest_s = slowest.time;
    found_.client = pair[0];
    found_.server = pair[1];
  }

  void count() {
    const double middle = std::sqrt(found_.slowest_s * found_.typical_s);
    const int one = place(found_.client), other = place(found_.server);
    Counts mine{}, all{};
    for (const PairTime& pair : own_) {
      if (!leaves_its_place(pair)) continue;
      const int a = place(pair.client), b = place(pair.server);
      const bool slow = pair.best_s > middle, between = (a == one && b == other) || (a == other && b == one),
                 with = a == slowest_place_ || b == slowest_place_;
      const std::array<bool, 5> counts{slow, between, slow && between, with, slow && with};
      for (std::size_t i = 0; i < counts.size(); ++i) mine[i] += counts[i] ? 1 : 0;
    }
    mpi::check(MPI_Allreduce(mine.data(), all.data(), static_cast<int>(mine.size()), MPI_INT64_T, MPI_SUM,
                             world_.get()),
               "MPI_Allreduce");
    found_.slow = all[0];
    found_.between = all[1];
    found_.slow_between = all[2];
    found_.with_place = all[3];
    found_.slow_with_place = all[4];
  }

  const mpi::Communicator& world_;
  std::span<const PairTime> own_;
  const std::vector<int>& place_of_;
  int slowest_place_ = 0;
  PairSpread found_;
};

}  // namespace

std::vector<int> places_of_ranks(const mpi::Communicator& world) {
  const auto host = world.split_shared();
  const int first = host.broadcast(world.rank());
  std::vector<int> firsts(at(world.size()));
  mpi::check(MPI_Allgather(&first, 1, MPI_INT, firsts.data(), 1, MPI_INT, world.get()), "MPI_Allgather");
  std::vector<int> hosts = firsts;
  std::ranges::sort(hosts);
  hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
  if (hosts.size() == 1)
    std::iota(firsts.begin(), firsts.end(), 0);
  else
    for (int& one : firsts) one = static_cast<int>(std::ranges::lower_bound(hosts, one) - hosts.begin());
  return firsts;
}

PairSpread spread_over_places(const mpi::Communicator& world, std::span<const PairTime> own,
                              const std::vector<int>& place_of) {
  return Spread(world, own, place_of).find();
}

}  // namespace steelyard::hpcc
