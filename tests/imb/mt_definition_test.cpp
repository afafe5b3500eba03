// SPDX-License-Identifier: Apache-2.0
// IMB-MT before anything is measured: partners, divisors, volumes, plan.
#include <gmock/gmock.h>

#include "suites/imb/mt/partners.hpp"
#include "suites/imb/part_definition.hpp"
#include "suites/imb/schedule.hpp"
#include "suites/imb/sides.hpp"

namespace steelyard::imb {
namespace {

using testing::ElementsAre;
using testing::Pair;

const Settings mt_settings = defaults(mt(), Version::v31);

struct Partners {
  std::vector<std::pair<int, int>> pairs;
  std::vector<int> idle;
};
Partners partners(int processes, int stride) {
  Partners all;
  for (int rank = 0; rank < processes; ++rank) {
    const auto place = pair_place(rank, processes, stride);
    if (!place) all.idle.push_back(rank);
    if (place && place->lower) all.pairs.emplace_back(rank, place->partner);
    if (place) {
      const auto back = pair_place(place->partner, processes, stride);
      EXPECT_TRUE(back && back->partner == rank && back->lower != place->lower) << processes << " " << stride;
    }
  }
  return all;
}

TEST(mt_partners, are_those_of_the_table) {
  EXPECT_THAT(partners(2, 0).pairs, ElementsAre(Pair(0, 1)));
  EXPECT_THAT(partners(3, 0).pairs, ElementsAre(Pair(0, 1)));
  EXPECT_THAT(partners(3, 0).idle, ElementsAre(2));
  EXPECT_THAT(partners(4, 0).pairs, ElementsAre(Pair(0, 2), Pair(1, 3)));
  EXPECT_THAT(partners(4, 1).pairs, ElementsAre(Pair(0, 1), Pair(2, 3)));
  EXPECT_THAT(partners(5, 0).pairs, ElementsAre(Pair(0, 2), Pair(1, 3)));
  EXPECT_THAT(partners(5, 0).idle, ElementsAre(4));
  EXPECT_THAT(partners(6, 0).pairs, ElementsAre(Pair(0, 3), Pair(1, 4), Pair(2, 5)));
  EXPECT_THAT(partners(6, 2).pairs, ElementsAre(Pair(0, 2), Pair(1, 3)));
  EXPECT_THAT(partners(6, 2).idle, ElementsAre(4, 5));
  EXPECT_THAT(partners(7, 2).idle, ElementsAre(4, 5, 6));
  EXPECT_THAT(partners(8, 2).pairs, ElementsAre(Pair(0, 2), Pair(1, 3), Pair(4, 6), Pair(5, 7)));
  EXPECT_THAT(partners(8, 3).pairs, ElementsAre(Pair(0, 3), Pair(1, 4), Pair(2, 5)));
  EXPECT_THAT(partners(8, 3).idle, ElementsAre(6, 7));
  EXPECT_TRUE(partners(8, 5).pairs.empty());
  EXPECT_TRUE(partners(1, 0).pairs.empty());
}

TEST(mt_partners, of_rings_go_on_by_the_stride) {
  std::vector<int> way{0};
  while (way.size() < 5) way.push_back(ring_places(way.back(), 5, 2).to);
  EXPECT_THAT(way, ElementsAre(0, 2, 4, 1, 3));
  for (int rank = 0; rank < 4; ++rank) {
    EXPECT_EQ(ring_places(rank, 4, 2).to, (rank + 2) % 4);
    EXPECT_EQ(ring_places(rank, 4, 2).from, (rank + 2) % 4);
  }
  EXPECT_EQ(ring_places(0, 1, 0).to, 0);
}

// Megabytes per second of a told time in microseconds.
double mt_megabytes(std::string_view name, int threads, std::int64_t size, double told_us,
                    int processes = 2) {
  auto settings = mt_settings;
  settings.threads = threads;
  return static_cast<double>(thread_volume(*find(mt(), name), settings, Bytes{size}, processes).bytes) /
         told_us;
}

TEST(mt_values, are_those_of_the_reference) {
  EXPECT_DOUBLE_EQ(thread_time_divisor(*find(mt(), "PingPongMT"), mt_settings), 2);
  EXPECT_DOUBLE_EQ(thread_time_divisor(*find(mt(), "UniBandMT"), mt_settings), 64);
  EXPECT_DOUBLE_EQ(thread_time_divisor(*find(mt(), "BiBandMT"), mt_settings), 128);
  EXPECT_NEAR(mt_megabytes("UniBandMT", 1, 16, 0.3125), 51.20, 1e-9);
  EXPECT_NEAR(mt_megabytes("BiBandMT", 1, 16, 0.15625), 102.40, 1e-9);
  EXPECT_NEAR(mt_megabytes("UniBandMT", 4, 32, 0.5), 256.00, 1e-9);
  EXPECT_NEAR(mt_megabytes("SendRecvMT", 1, 128, 2), 128.00, 1e-9);
  EXPECT_NEAR(mt_megabytes("ExchangeMT", 1, 128, 2), 256.00, 1e-9);
  auto four = mt_settings;
  four.threads = 4;
  EXPECT_EQ(thread_volume(*find(mt(), "UniBandMT"), four, Bytes{32}, 2).messages, 4);
  EXPECT_EQ(thread_volume(*find(mt(), "UniBandMT"), four, Bytes{32}, 5).messages, 8);
}

TEST(mt_plan, repeats_as_often_as_it_is_told_whatever_the_size) {
  for (const auto& definition : mt().benchmarks)
    for (const std::int64_t size : {4, 1 << 26})
      EXPECT_EQ(planned_repetitions(mt_settings, definition, Bytes{size}, 2), 1000U) << definition.name;
  EXPECT_EQ(warm_up(mt_settings, 1000), 100U);
}

std::string remarks_of(const Part& part, const Settings& settings) {
  return std::get<std::string>(*record::find(definition(part, settings)->configuration(), "remarks"));
}

TEST(mt_configuration, names_the_words_that_were_said) {
  auto settings = mt_settings;
  EXPECT_EQ(remarks_of(mt(), settings), "");
  settings.iterations.per_sample = 20;
  settings.gap = GapBarrier::off;
  EXPECT_EQ(remarks_of(mt(), settings), "-repeat 20 instead of 1000\n-barrier off instead of on");
}

TEST(mt_plan, has_one_barrier_before_the_clock) {
  EXPECT_EQ(mt_settings.barriers, 1);
}

TEST(mt_plan, has_no_time_limit_until_one_is_given) {
  auto settings = mt_settings;
  const auto& definition = *find(mt(), "PingPongMT");
  EXPECT_FALSE(time_limit(settings, definition));
  settings.time_limit = Seconds{3};
  EXPECT_EQ(time_limit(settings, definition)->value(), 3);
}

TEST(mt_plan, fewer_processes_are_measured_where_they_are_asked_for) {
  auto settings = mt_settings;
  const std::string names[] = {"AllReduceMT"};
  EXPECT_EQ(definition(mt(), settings)->plan(names, 5).size(), 1U);
  settings.npmin = 2;
  std::vector<int> numbers;
  for (const auto& block : definition(mt(), settings)->plan(names, 5)) numbers.push_back(block.processes);
  EXPECT_EQ(numbers, (std::vector{2, 4, 5}));
}

TEST(mt_plan, has_a_table_of_all_processes_with_threads_in_its_keys) {
  auto settings = mt_settings;
  settings.threads = 3;
  const auto blocks = definition(mt(), settings)->plan(default_set(mt(), Version::v31), 5);
  ASSERT_EQ(blocks.size(), 10U);
  for (const auto& block : blocks) {
    EXPECT_EQ(block.processes, 5);
    EXPECT_EQ(block.points.size(), block.benchmark == "BarrierMT" ? 1U : 4U) << block.benchmark;
    EXPECT_THAT(block.points.front().key, testing::HasSubstr("3"));
    const bool pairs = find(mt(), block.benchmark)->pairs;
    EXPECT_EQ(block.points.front().params.at("taking_part"), record::Value{std::int64_t{pairs ? 4 : 5}});
  }
  EXPECT_EQ(blocks.front().points.back().params.at("count_byte"), record::Value{std::int64_t{96}});
  EXPECT_EQ(blocks[2].points.back().params.at("count_byte"), record::Value{std::int64_t{192}});
  EXPECT_EQ(blocks.front().points.back().memory_byte, 3 * 64);
  EXPECT_EQ(blocks[4].points.back().memory_byte, 3 * (32 + 64 * 32));
}

TEST(mt_plan, leaves_out_pairs_that_a_stride_forbids) {
  auto settings = mt_settings;
  settings.stride = 5;
  for (const auto& block : definition(mt(), settings)->plan(default_set(mt(), Version::v31), 8)) {
    const bool pairs = find(mt(), block.benchmark)->pairs;
    EXPECT_EQ(block.points.front().skip == record::ReasonCode::processes, pairs) << block.benchmark;
  }
}

}  // namespace
}  // namespace steelyard::imb
