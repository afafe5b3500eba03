// SPDX-License-Identifier: Apache-2.0
// IMB-P2P before anything is measured: random numbers, pairs, rings, grids, repetitions, plan.
#include <gmock/gmock.h>

#include <numeric>

#include "suites/imb/p2p/sequence.hpp"
#include "suites/imb/part_definition.hpp"
#include "suites/imb/schedule.hpp"
#include "suites/imb/sides.hpp"

namespace steelyard::imb {
namespace {

using testing::ElementsAre;

const Settings p2p_settings = defaults(p2p(), Version::v31);

std::vector<suites::BlockPlan> p2p_plan(const Settings& settings, const std::vector<std::string>& names,
                                        int world) {
  return definition(p2p(), settings)->plan(names, world);
}

TEST(p2p_sequence, begins_as_that_of_the_reference) {
  RandomSequence sequence;
  std::vector<std::uint32_t> values(8);
  for (auto& value : values) value = sequence.next();
  EXPECT_THAT(values, ElementsAre(1184965489U, 1778132755U, 2078363206U, 1878360418U, 4214996071U,
                                  2422788310U, 1173663627U, 3292416775U));
}

TEST(p2p_sequence, another_seed_gives_another_one) {
  EXPECT_NE(RandomSequence(1).next(), RandomSequence(2).next());
}

struct Pairs12 {
  int processes;
  std::vector<RankPair> pairs;
  std::uint64_t drawn;
};

TEST(p2p_pairs, are_those_of_the_reference) {
  const std::vector<Pairs12> known{
      {2,
       {{1, 0}, {0, 1}, {0, 1}, {1, 0}, {0, 1}, {1, 0}, {0, 1}, {0, 1}, {1, 0}, {1, 0}, {1, 0}, {0, 1}},
       34},
      {3,
       {{1, 0}, {1, 2}, {0, 1}, {0, 2}, {2, 0}, {2, 0}, {0, 1}, {1, 0}, {2, 1}, {0, 1}, {1, 2}, {1, 0}},
       29},
      {4,
       {{1, 3}, {2, 3}, {2, 3}, {3, 0}, {0, 1}, {3, 0}, {0, 2}, {0, 2}, {0, 2}, {2, 3}, {2, 1}, {3, 2}},
       25},
      {5,
       {{4, 0}, {1, 3}, {1, 0}, {2, 0}, {2, 1}, {4, 2}, {2, 0}, {2, 4}, {3, 1}, {0, 4}, {1, 4}, {4, 2}},
       28},
      {8,
       {{1, 3}, {6, 2}, {7, 6}, {3, 7}, {4, 1}, {7, 0}, {4, 2}, {4, 2}, {4, 2}, {6, 7}, {6, 1}, {7, 6}},
       25}};
  for (const auto& [processes, pairs, drawn] : known) {
    RandomSequence sequence;
    for (const RankPair& pair : pairs) EXPECT_EQ(draw_pair(sequence, processes), pair) << processes;
    EXPECT_EQ(sequence.drawn(), drawn) << processes;
  }
}

TEST(p2p_rings, are_those_of_the_reference_and_stay_from_repetition_to_repetition) {
  using Rings = std::vector<std::vector<int>>;
  const std::vector<Rings> known{
      {{1, 0}, {0, 1}, {0, 1}, {1, 0}, {0, 1}},
      {{1, 2, 0}, {2, 0, 1}, {2, 0, 1}, {1, 0, 2}, {0, 1, 2}},
      {{1, 3, 0, 2}, {2, 0, 1, 3}, {0, 1, 2, 3}, {3, 0, 2, 1}, {0, 2, 1, 3}},
      {{1, 0, 4, 3, 2}, {0, 2, 3, 1, 4}, {1, 3, 0, 4, 2}, {2, 4, 3, 1, 0}, {2, 3, 0, 4, 1}}};
  for (const Rings& rings : known) {
    RandomSequence sequence;
    std::vector<int> ring(rings.front().size());
    std::iota(ring.begin(), ring.end(), 0);
    for (const auto& wanted : rings) {
      shuffle_ring(sequence, ring);
      EXPECT_EQ(ring, wanted);
    }
  }
  auto places = rings_ahead(3, 4, 0);
  EXPECT_EQ(places.of(0).front().before, 1);
  EXPECT_EQ(places.of(0).front().behind, 0);
  EXPECT_EQ(places.of(1).front().before, 1);
  EXPECT_EQ(places.of(1).front().behind, 2);
}

TEST(p2p_loads, are_those_of_the_reference) {
  EXPECT_THAT(loads(4, 1000, 0).first, ElementsAre(1026, 1015, 967, 992));
  EXPECT_THAT(loads(4, 1000, 0).second, ElementsAre(987, 1000, 1047, 966));
  EXPECT_THAT(loads(4, 10, 0).first, ElementsAre(10, 8, 12, 10));
  EXPECT_THAT(loads(4, 10, 0).second, ElementsAre(11, 8, 11, 10));
  EXPECT_THAT(loads(2, 1000, 0).first, ElementsAre(993, 1007));
  EXPECT_THAT(loads(2, 1000, 0).second, ElementsAre(1007, 993));
}

TEST(p2p_loads, count_what_the_processes_draw) {
  for (const int processes : {2, 3, 5}) {
    const auto all = loads(processes, 20, 7);
    for (int rank = 0; rank < processes; ++rank) {
      auto own = draws_ahead(rank, processes, 7);
      std::int64_t sent = 0, received = 0;
      for (std::uint64_t i = 0; i < 20; ++i)
        for (const Draw& draw : own.of(i)) ++(draw.first ? sent : received);
      EXPECT_EQ(sent, all.first[static_cast<std::size_t>(rank)]);
      EXPECT_EQ(received, all.second[static_cast<std::size_t>(rank)]);
    }
  }
}

std::vector<RingPlace> places(Ahead<RingPlace>& rings, std::uint64_t first, std::uint64_t count) {
  std::vector<RingPlace> found;
  for (std::uint64_t i = first; i < first + count; ++i) found.push_back(rings.of(i).front());
  return found;
}

TEST(p2p_draws, are_the_same_in_one_piece_or_in_several_and_never_begin_again) {
  constexpr std::uint64_t many = 300000;  // more numbers than one piece keeps
  auto whole = rings_ahead(1, 3, 0), pieces = rings_ahead(1, 3, 0);
  whole.foresee(0, many);
  const auto all = places(whole, 0, many);
  for (std::uint64_t at = 0; at < many; at += 1000) {
    pieces.foresee(at, 1000);
    const auto some = places(pieces, at, 1000);
    EXPECT_TRUE(std::equal(some.begin(), some.end(), all.begin() + static_cast<std::ptrdiff_t>(at)));
  }
  const auto half = all.begin() + (1 << 18) / 3;
  EXPECT_FALSE(std::equal(all.begin(), all.begin() + 10000, half)) << "begins again";
  EXPECT_EQ(places(pieces, 0, 50), (std::vector<RingPlace>(all.begin(), all.begin() + 50)))
      << "from the start";
}

TEST(p2p_draws, begin_at_a_place_of_their_own_where_a_later_visit_does) {
  auto first = rings_ahead(0, 5, 0), later = rings_ahead(0, 5, 0), again = rings_ahead(0, 5, 0);
  EXPECT_NE(places(first, 0, 100), places(later, 700, 100));
  EXPECT_EQ(places(again, 700, 100), places(later, 700, 100));
}

TEST(p2p_sequence, is_skipped_as_if_it_had_been_drawn) {
  for (const std::uint64_t numbers : {0U, 1U, 2U, 3U, 17U, 1000U}) {
    RandomSequence drawn(5), skipped(5);
    for (std::uint64_t i = 0; i < numbers; ++i) static_cast<void>(drawn.next());
    skipped.skip(numbers);
    EXPECT_EQ(skipped.next(), drawn.next()) << numbers;
    EXPECT_EQ(skipped.drawn(), drawn.drawn());
  }
}

std::string grid_text(int dimensions, int processes) {
  const auto found = grid(dimensions, processes);
  return found ? text(*found, dimensions) : "";
}

TEST(p2p_grids, are_those_of_the_reference_in_two_dimensions) {
  const std::map<int, std::string> known{{4, "2x2"},  {6, "3x2"},  {8, "2x4"},  {9, "3x3"},  {10, "2x5"},
                                         {12, "4x3"}, {14, "2x7"}, {15, "3x5"}, {16, "4x4"}, {18, "3x6"},
                                         {20, "5x4"}, {24, "4x6"}, {30, "6x5"}, {32, "4x8"}};
  for (const auto& [processes, wanted] : known) EXPECT_EQ(grid_text(2, processes), wanted) << processes;
  for (const int processes : {1, 2, 3, 5, 7, 11, 13, 97}) EXPECT_EQ(grid_text(2, processes), "") << processes;
}

TEST(p2p_grids, are_those_of_the_reference_in_three_dimensions) {
  const std::map<int, std::string> known{{8, "2x2x2"},  {12, "2x3x2"}, {16, "2x2x4"}, {18, "2x3x3"},
                                         {20, "2x2x5"}, {24, "2x4x3"}, {27, "3x3x3"}, {28, "2x2x7"},
                                         {30, "2x3x5"}, {32, "2x4x4"}, {36, "3x4x3"}, {48, "3x4x4"},
                                         {64, "4x4x4"}, {128, "4x4x8"}};
  for (const auto& [processes, wanted] : known) EXPECT_EQ(grid_text(3, processes), wanted) << processes;
  for (const int processes : {1, 2, 4, 6, 7, 10, 26}) EXPECT_EQ(grid_text(3, processes), "") << processes;
}

TEST(p2p_grids, exist_where_the_search_of_the_reference_misses_them) {
  for (const int processes : {78, 102, 104, 108, 114, 116, 124, 138}) {
    const auto found = grid(3, processes);
    ASSERT_TRUE(found) << processes;
    EXPECT_EQ(found->x * found->y * found->z, processes);
    EXPECT_GE(std::min({found->x, found->y, found->z}), 2);
  }
}

TEST(p2p_grids, have_these_neighbours) {
  const auto four = [](int processes, int rank) {
    const auto all = neighbours(*grid(2, processes), rank);
    return std::vector(all.begin(), all.begin() + 4);
  };
  EXPECT_THAT(four(6, 0), ElementsAre(1, 1, 4, 2));
  EXPECT_THAT(four(6, 1), ElementsAre(0, 0, 5, 3));
  EXPECT_THAT(four(6, 2), ElementsAre(3, 3, 0, 4));
  EXPECT_THAT(four(6, 3), ElementsAre(2, 2, 1, 5));
  EXPECT_THAT(four(6, 4), ElementsAre(5, 5, 2, 0));
  EXPECT_THAT(four(6, 5), ElementsAre(4, 4, 3, 1));
  EXPECT_THAT(four(8, 0), ElementsAre(3, 1, 4, 4));
  EXPECT_THAT(four(8, 1), ElementsAre(0, 2, 5, 5));
}

TEST(p2p_repetitions, follow_the_table) {
  const auto& pingpong = *find(p2p(), "PingPong");
  struct Row {
    std::int64_t size;
    std::uint64_t repetitions, warm_up;
  };
  const auto expect = [&](const Settings& settings, const std::vector<Row>& rows) {
    for (const auto& [size, repetitions, before] : rows) {
      EXPECT_EQ(planned_repetitions(settings, pingpong, Bytes{size}, 2), repetitions) << size;
      EXPECT_EQ(warm_up(settings, repetitions), before) << size;
    }
  };
  expect(p2p_settings, {{0, 100000, 10000},
                        {1, 100000, 10000},
                        {8192, 100000, 10000},
                        {8389, 99995, 9999},
                        {16384, 51200, 5120},
                        {65536, 12800, 1280},
                        {1 << 20, 800, 80},
                        {4 << 20, 200, 20},
                        {1 << 30, 1, 0}});
  auto few = p2p_settings;
  few.iterations.per_sample = 20;
  few.iterations.volume = mebi;
  expect(few, {{65536, 16, 1}, {131072, 8, 1}, {699051, 1, 0}, {4 << 20, 1, 0}});
}

TEST(p2p_buffers, hold_a_message_of_each_direction) {
  const auto need = [&](std::string_view name) {
    return sides(p2p_settings, *find(p2p(), name), Bytes{1000}, 8, 1).memory_byte();
  };
  EXPECT_EQ(need("PingPong"), 2000);
  EXPECT_EQ(need("Corandom"), 2000);
  EXPECT_EQ(need("Stencil2D"), 8000);
  EXPECT_EQ(need("Stencil3D"), 12000);
  EXPECT_EQ(need("SendRecv_Replace"), 1000);
}

TEST(p2p_plan, takes_all_processes_once) {
  for (const int world : {2, 3, 4, 5, 8})
    for (const auto& block : p2p_plan(p2p_settings, default_set(p2p(), Version::v31), world)) {
      EXPECT_EQ(block.processes, world) << block.benchmark;
      const bool pairs = block.benchmark == "PingPong" || block.benchmark == "PingPing";
      const bool runs = block.benchmark == "Stencil2D"   ? world == 4 || world == 8
                        : block.benchmark == "Stencil3D" ? world == 8
                        : pairs                          ? world % 2 == 0
                                                         : true;
      EXPECT_EQ(block.points.front().measurable(), runs) << block.benchmark << " " << world;
      if (runs) {
        EXPECT_EQ(block.points.size(), 24U);
      } else {
        EXPECT_EQ(block.points.front().skip, record::ReasonCode::processes);
      }
    }
  for (const auto& block : p2p_plan(p2p_settings, default_set(p2p(), Version::v31), 1))
    EXPECT_FALSE(block.points.front().measurable()) << block.benchmark;
}

TEST(p2p_plan, has_a_series_where_one_is_asked_for) {
  auto settings = p2p_settings;
  settings.npmin = 2;
  std::vector<int> numbers;
  for (const auto& block : p2p_plan(settings, {"PingPong"}, 6)) numbers.push_back(block.processes);
  EXPECT_THAT(numbers, ElementsAre(2, 4, 6));
}

TEST(p2p_plan, tells_pairs_grids_and_what_is_not_usual) {
  const auto params = [&](const Settings& settings, const std::string& name) {
    return p2p_plan(settings, {name}, 8).front().points.back().params;
  };
  EXPECT_EQ(params(p2p_settings, "PingPong").at("pairs"), record::Value{std::int64_t{4}});
  EXPECT_EQ(params(p2p_settings, "Stencil2D").at("grid"), record::Value{std::string("2x4")});
  EXPECT_EQ(params(p2p_settings, "Stencil3D").at("grid"), record::Value{std::string("2x2x2")});
  EXPECT_FALSE(params(p2p_settings, "Unirandom").contains("seed"));
  auto other = p2p_settings;
  other.seed = 5;
  other.writes = false;
  EXPECT_EQ(params(other, "Unirandom").at("seed"), record::Value{std::int64_t{5}});
  EXPECT_EQ(params(other, "PingPong").at("msgwr"), record::Value{std::string("off")});
  EXPECT_FALSE(params(other, "PingPong").contains("seed"));
}

TEST(p2p_configuration, names_the_words_that_were_said) {
  const auto remarks = [](const Settings& settings) {
    return std::get<std::string>(*record::find(definition(p2p(), settings)->configuration(), "remarks"));
  };
  auto settings = p2p_settings;
  EXPECT_EQ(remarks(settings), "");
  settings.iterations.per_sample = 20;
  settings.pause = Seconds{0.001};
  EXPECT_EQ(remarks(settings), "-iter 20,800 instead of 100000,800\n-pause 1000 instead of 0");
  settings.pause = Seconds{1.5e-6};
  EXPECT_NE(remarks(settings).find("-pause 1.5 instead"), std::string::npos);
}

TEST(p2p_plan, has_one_barrier_before_the_clock) {
  EXPECT_EQ(p2p_settings.barriers, 1);
}

// Rates follow from the largest time, divided as the time that is told.
TEST(p2p_values, are_those_of_the_reference) {
  struct Case {
    std::string_view name;
    int processes;
    std::int64_t size;
    double told_us, megabytes, messages;  // megabytes < 0: not given
  };
  const std::vector<Case> cases{{"PingPong", 2, 1024, 0.35, 2925.71, 2857143},
                                {"PingPing", 2, 1024, 0.70, 2925.71, 2857143},
                                {"Birandom", 2, 1024, 0.35, 5851.43, 5714286},
                                {"Stencil2D", 4, 8, 2.50, 12.80, 1600000}};
  for (const auto& [name, processes, size, told_us, megabytes, messages] : cases) {
    const auto& definition = *find(p2p(), name);
    const Seconds told{told_us * 1e-6};
    EXPECT_NEAR((Bytes{counted_byte(definition, Bytes{size}, processes, 1)} / told).value() / 1e6, megabytes,
                0.005)
        << name;
    EXPECT_NEAR(static_cast<double>(counted_messages(definition, processes, 1)) / told.value(), messages, 0.5)
        << name;
  }
  EXPECT_EQ(counted_messages(*find(p2p(), "Stencil3D"), 8, 1), 8);
}

}  // namespace
}  // namespace steelyard::imb
