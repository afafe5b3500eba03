// SPDX-License-Identifier: Apache-2.0
// The routing of RandomAccess played for more processes than a test can start.
#include "suites/hpcc/random_access/update_route.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <tuple>
#include <vector>

using namespace steelyard::hpcc;

namespace {

using Word = std::uint64_t;

/// All processes, round by round.
template <class Stream>
class Play {
 public:
  Play(int bits, int processes) : parts_(bits, processes), table_(static_cast<std::size_t>(parts_.words())) {
    for (int rank = 0; rank < processes; ++rank) {
      relays_.push_back(
          std::make_unique<UpdateRelay<Stream>>(parts_, rank, table_.data() + parts_.start(rank)));
      left_.push_back(4 * parts_.length(rank));
    }
  }

  void run() {
    for (bool more = true; more; ++sweeps_) {
      for (std::size_t rank = 0; rank < relays_.size(); ++rank) {
        relays_[rank]->generate(left_[rank]);
        EXPECT_LE(relays_[rank]->own(), static_cast<std::int64_t>(most_ahead));
      }
      for (int round = 0; round < relays_.front()->route().rounds(); ++round) exchange(round);
      more =
          std::ranges::any_of(left_, [](auto left) { return left > 0; }) ||
          std::ranges::any_of(relays_, [](const auto& relay) { return relay->own() + relay->foreign() > 0; });
      ASSERT_LT(sweeps_, 100'000) << "values wait for ever";
    }
    for (const auto& relay : relays_) relay->apply();
  }
  [[nodiscard]] const std::vector<Word>& table() const { return table_; }
  [[nodiscard]] std::int64_t most_received() const { return most_received_; }

 private:
  void exchange(int round) {
    std::vector<std::vector<Word>> messages(relays_.size());
    for (const auto& relay : relays_) {
      const auto to = static_cast<std::size_t>(relay->route().next(round));
      auto credits = relays_[to]->credits();
      messages[to].resize(relay->message_words());
      messages[to].resize(relay->collect(round, credits, messages[to].data()).words);
    }
    for (std::size_t rank = 0; rank < relays_.size(); ++rank) {
      const auto& message = messages[rank];
      most_received_ =
          std::max(most_received_, relays_[rank]->foreign() + static_cast<std::int64_t>(message.size()));
      relays_[rank]->take(message);
      relays_[rank]->apply();
    }
  }

  TableParts parts_;
  std::vector<Word> table_;
  std::vector<std::unique_ptr<UpdateRelay<Stream>>> relays_;
  std::vector<std::int64_t> left_;
  std::int64_t most_received_ = 0, sweeps_ = 0;
};

class RoutingOf : public testing::TestWithParam<int> {};

template <class Stream>
void expect_sound(int bits, int processes) {
  Play<Stream> play(bits, processes);
  play.run();
  EXPECT_LE(play.most_received(), static_cast<std::int64_t>(most_ahead));
  std::vector<Word> expected(play.table().size());
  Word x = 1;
  for (std::size_t i = 0; i < 4 * expected.size(); ++i) {
    x = Stream::next(x);
    expected[Stream::index(x, bits)] ^= x;
  }
  EXPECT_EQ(play.table(), expected);
}

}  // namespace

TEST_P(RoutingOf, every_update_is_applied_once_and_no_process_holds_more_than_the_rule_allows) {
  expect_sound<Polynomial>(13, GetParam());
  expect_sound<Congruential>(13, GetParam());
}

// The first values of the polynomial sequence on 32 processes all go the same ways.
INSTANTIATE_TEST_SUITE_P(processes, RoutingOf, testing::Values(2, 3, 17, 32, 100));

TEST(update_route, hops_lead_to_the_owner) {
  for (const int processes : {2, 3, 5, 17, 64})
    for (int owner = 0; owner < processes; ++owner)
      for (int rank = 0; rank < processes; ++rank) {
        int at = rank, hops = 0, last = -1;
        for (int left; (left = UpdateRoute(at, processes).distance(owner)) != 0; ++hops) {
          const int round = UpdateRoute::round_of(left);
          ASSERT_GT(round, last);
          last = round;
          const int next = UpdateRoute(at, processes).next(round);
          ASSERT_EQ(UpdateRoute(next, processes).previous(round), at);
          at = next;
        }
        ASSERT_LE(hops, UpdateRoute(0, processes).rounds());
      }
}
