// SPDX-License-Identifier: Apache-2.0
// The routing of RandomAccess played for more processes than a test can start.
#include "suites/hpcc/update_route.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "suites/hpcc/update_stream.hpp"

using namespace steelyard::hpcc;

namespace {

/// Values at every process, by rank.
using Held = std::vector<std::vector<std::uint64_t>>;

template <class Stream>
class Play {
 public:
  Play(int bits, int processes) : parts_(bits, processes), held_(static_cast<std::size_t>(processes)) {
    for (int rank = 0; rank < processes; ++rank) value_.push_back(Stream::at(4 * parts_.start(rank)));
  }

  /// One batch per process; the most foreign values that one process held at once.
  std::size_t sweep(std::int64_t batch) {
    for (std::size_t rank = 0; rank < held_.size(); ++rank)
      for (std::int64_t i = 0; i < batch; ++i) {
        value_[rank] = Stream::next(value_[rank]);
        if (owner(value_[rank]) != static_cast<int>(rank)) held_[rank].push_back(value_[rank]);
      }
    std::size_t most = 0;
    for (int round = 0; round < route(0).rounds(); ++round) most = std::max(most, exchange(round));
    return most;
  }
  [[nodiscard]] bool all_delivered() const {
    return std::ranges::all_of(held_, [](const auto& values) { return values.empty(); });
  }

 private:
  [[nodiscard]] UpdateRoute route(int rank) const { return {rank, parts_.processes()}; }
  [[nodiscard]] int owner(std::uint64_t x) const {
    return parts_.owner(static_cast<std::int64_t>(Stream::index(x, parts_.bits())));
  }

  /// Upper bound: what stays is counted with what arrives, own values with foreign ones.
  std::size_t exchange(int round) {
    Held next(held_.size());
    std::vector<std::size_t> arrived(held_.size());
    for (std::size_t rank = 0; rank < held_.size(); ++rank) {
      const auto here = route(static_cast<int>(rank));
      for (const auto x : held_[rank]) {
        const bool moves = UpdateRoute::moves(here.distance(owner(x)), round);
        const auto to = static_cast<std::size_t>(moves ? here.next(round) : static_cast<int>(rank));
        arrived[to] += moves ? 1 : 0;
        EXPECT_TRUE(!moves || route(here.next(round)).previous(round) == static_cast<int>(rank));
        if (owner(x) != static_cast<int>(to)) next[to].push_back(x);
      }
    }
    std::size_t most = 0;
    for (std::size_t rank = 0; rank < held_.size(); ++rank)
      most = std::max({most, arrived[rank], next[rank].size()});
    held_ = std::move(next);
    return most;
  }

  TableParts parts_;
  Held held_;
  std::vector<std::uint64_t> value_;
};

class RoutingOf : public testing::TestWithParam<std::tuple<Generator, int>> {};

template <class Stream>
void play(int processes) {
  Play<Stream> play(20, processes);
  for (int sweep = 0; sweep < 4; ++sweep) {
    EXPECT_LE(play.sweep(most_ahead / 2), most_ahead);
    ASSERT_TRUE(play.all_delivered());
  }
}

}  // namespace

TEST_P(RoutingOf, every_value_reaches_its_owner_and_no_process_holds_more_than_the_rule_allows) {
  const auto [generator, processes] = GetParam();
  if (generator == Generator::polynomial)
    play<Polynomial>(processes);
  else
    play<Congruential>(processes);
}

INSTANTIATE_TEST_SUITE_P(generators_and_processes, RoutingOf,
                         testing::Combine(testing::Values(Generator::polynomial, Generator::congruential),
                                          testing::Values(2, 3, 7, 17, 32, 63, 100)));
