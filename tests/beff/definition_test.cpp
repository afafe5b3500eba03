// SPDX-License-Identifier: Apache-2.0
// The tables of the definition, and the properties that hold for every number of processes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>

#include "suites/beff/patterns.hpp"
#include "suites/beff/settings.hpp"

using namespace steelyard;
using namespace steelyard::beff;
using testing::ElementsAre;

namespace {

std::vector<std::int64_t> upper_lengths(std::int64_t mebibytes) {
  std::vector<std::int64_t> values;
  const auto lengths = message_lengths(longest_message(mebibytes));
  for (std::size_t k = 13; k < lengths.size(); ++k) values.push_back(lengths[k].count());
  return values;
}

std::vector<std::string> ring_names(int p) {
  std::vector<std::string> names;
  for (const int size : standard_ring_sizes(p)) names.push_back(ring_name(ring_sizes(p, size)));
  return names;
}

const Pattern* find(const PatternTable& table, const std::string& name) {
  for (const auto& pattern : table.patterns())
    if (pattern.name == name) return &pattern;
  return nullptr;
}

std::string text(const std::vector<int>& extents) {
  std::string result;
  for (const int e : extents) result += (result.empty() ? "" : "*") + std::to_string(e);
  return result;
}

}  // namespace

TEST(message_lengths, follow_the_table_of_memory_sizes) {
  EXPECT_THAT(upper_lengths(16), ElementsAre(6317, 9742, 15024, 23170, 35734, 55109, 84990, 131072));
  EXPECT_THAT(upper_lengths(128), ElementsAre(8192, 16384, 32768, 65536, 131072, 262144, 524288, 1048576));
  EXPECT_THAT(upper_lengths(256), ElementsAre(8933, 19484, 42495, 92682, 202141, 440872, 961548, 2097152));
  EXPECT_THAT(upper_lengths(512), ElementsAre(9742, 23170, 55109, 131072, 311744, 741455, 1763488, 4194304));
  EXPECT_THAT(upper_lengths(1024),
              ElementsAre(10624, 27554, 71468, 185364, 480774, 1246974, 3234251, 8388608));
  EXPECT_THAT(upper_lengths(2048),
              ElementsAre(11585, 32768, 92682, 262144, 741455, 2097152, 5931642, 16777216));
  EXPECT_THAT(upper_lengths(4096),
              ElementsAre(12634, 38968, 120194, 370728, 1143480, 3526975, 10878679, 33554432));
  EXPECT_THAT(upper_lengths(12288),
              ElementsAre(14494, 51285, 181469, 642119, 2272110, 8039765, 28448361, 100663296));
  EXPECT_THAT(upper_lengths(16384),
              ElementsAre(15024, 55109, 202141, 741455, 2719670, 9975792, 36591368, 134217728));
  EXPECT_EQ(longest_message(1 << 30), Bytes{134217728});
  EXPECT_EQ(buffer_size(Bytes{134217728}), Bytes{805306464});
  EXPECT_THROW(static_cast<void>(longest_message(0)), std::domain_error);
  EXPECT_THROW(static_cast<void>(message_lengths(Bytes{4096})), std::domain_error);
  EXPECT_THROW(static_cast<void>(message_lengths(shortest_longest - Bytes{1})), std::domain_error);
}

TEST(message_lengths, all_differ_from_the_shortest_longest_on) {
  for (std::int64_t longest = shortest_longest.count(); longest <= 8192; ++longest) {
    const auto lengths = message_lengths(Bytes{longest});
    EXPECT_EQ(std::set(lengths.begin(), lengths.end()).size(), lengths.size()) << longest;
    EXPECT_EQ(lengths.back(), Bytes{longest});
  }
}

TEST(rings, have_the_names_of_the_table) {
  const std::map<int, std::vector<std::string>> table = {
      {2, std::vector<std::string>(6, "ring-1*2fix")},
      {3, std::vector<std::string>(6, "ring-1*3fix")},
      {4, {"ring-2*2fix", "ring-1*4fix", "ring-1*4fix", "ring-1*4fix", "ring-1*4fix", "ring-1*4fix"}},
      {5, {"ring-2*2&+1", "ring-1*5fix", "ring-1*5fix", "ring-1*5fix", "ring-1*5fix", "ring-1*5fix"}},
      {6, {"ring-3*2fix", "ring-1*6fix", "ring-1*6fix", "ring-1*6fix", "ring-1*6fix", "ring-1*6fix"}},
      {7, {"ring-3*2&+1", "ring-2*4&-1", "ring-1*7fix", "ring-1*7fix", "ring-1*7fix", "ring-1*7fix"}},
      {8, {"ring-4*2fix", "ring-2*4fix", "ring-1*8fix", "ring-1*8fix", "ring-1*8fix", "ring-1*8fix"}},
      {12, {"ring-6*2fix", "ring-3*4fix", "ring-1*12fix", "ring-1*12fix", "ring-1*12fix", "ring-1*12fix"}},
      {16, {"ring-8*2fix", "ring-4*4fix", "ring-2*8fix", "ring-1*16fix", "ring-1*16fix", "ring-1*16fix"}},
      {24, {"ring-12*2fix", "ring-6*4fix", "ring-3*8fix", "ring-1*24fix", "ring-1*24fix", "ring-1*24fix"}},
      {28, {"ring-14*2fix", "ring-7*4fix", "ring-3*10&-1", "ring-2*14fix", "ring-1*28fix", "ring-1*28fix"}},
      {29, {"ring-14*2&+1", "ring-7*4&+1", "ring-4*8&-1", "ring-2*14&+1", "ring-1*29fix", "ring-1*29fix"}},
      {32, {"ring-16*2fix", "ring-8*4fix", "ring-4*8fix", "ring-2*16fix", "ring-1*32fix", "ring-1*32fix"}},
      {48, {"ring-24*2fix", "ring-12*4fix", "ring-6*8fix", "ring-3*16fix", "ring-1*48fix", "ring-1*48fix"}},
      {64, {"ring-32*2fix", "ring-16*4fix", "ring-8*8fix", "ring-4*16fix", "ring-2*32fix", "ring-1*64fix"}},
  };
  for (const auto& [p, names] : table) EXPECT_EQ(ring_names(p), names) << "P = " << p;
  EXPECT_THAT(ring_sizes(28, 8), ElementsAre(10, 9, 9));
  EXPECT_THAT(ring_sizes(7, 4), ElementsAre(4, 3));
  EXPECT_THAT(ring_sizes(7, 2), ElementsAre(2, 2, 3));
}

TEST(rings, cover_every_process_number_with_the_promised_sizes) {
  for (int p = 2; p <= 5000; ++p) {
    const auto standard = standard_ring_sizes(p);
    for (const int size : standard) {
      const auto sizes = ring_sizes(p, size);
      ASSERT_EQ(std::accumulate(sizes.begin(), sizes.end(), 0), p) << p << ' ' << size;
    }
    std::map<int, int> twos, fours, eights;
    for (const int s : ring_sizes(p, standard[0])) ++twos[s];
    ASSERT_TRUE(twos[3] <= 1 && twos[2] + twos[3] == static_cast<int>(ring_sizes(p, standard[0]).size()))
        << p;
    for (const int s : ring_sizes(p, standard[1])) ++fours[s];
    if (p > 7) {
      ASSERT_TRUE(fours[3] <= 1 && fours[5] <= 2 && !fours.contains(2) && fours.rbegin()->first <= 5) << p;
    }
    for (const int s : ring_sizes(p, standard[2])) ++eights[s];
    if (p >= 29) {
      ASSERT_TRUE(eights[7] <= 3 && eights[9] <= 4) << p;
      ASSERT_TRUE(eights.begin()->first >= 7 && eights.rbegin()->first <= 9) << p;
    }
  }
}

TEST(polygons, are_those_of_the_test_vectors) {
  RandomSource one(1);
  EXPECT_EQ(one.next(), 10451216379200822465U);
  EXPECT_EQ(one.next(), 13757245211066428519U);
  EXPECT_EQ(one.next(), 17911839290282890590U);
  RandomSource other(1234567);
  EXPECT_EQ(other.next(), 6457827717110365317U);
  EXPECT_EQ(other.next(), 3203168211198807973U);
  const PatternTable four(4), five(5), eight(8), sixteen(16);
  EXPECT_THAT(four.polygon(0), ElementsAre(2, 0, 3, 1));
  EXPECT_THAT(four.polygon(2), ElementsAre(3, 2, 0, 1));
  EXPECT_THAT(five.polygon(1), ElementsAre(2, 4, 3, 0, 1));
  EXPECT_THAT(eight.polygon(2), ElementsAre(6, 5, 7, 2, 1, 3, 4, 0));
  EXPECT_THAT(sixteen.polygon(0), ElementsAre(2, 11, 10, 6, 7, 13, 14, 0, 12, 5, 15, 9, 3, 8, 4, 1));
  EXPECT_THAT(worst_cycle(5), ElementsAre(0, 4, 1, 3, 2));
}

TEST(grids, follow_the_table_of_extents) {
  const std::map<int, std::pair<std::string, std::string>> table = {
      {2, {"2*1", "2*1*1"}},  {3, {"3*1", "3*1*1"}},  {4, {"2*2", "2*2*1"}},  {5, {"2*2", "2*2*1"}},
      {6, {"3*2", "3*2*1"}},  {7, {"3*2", "3*2*1"}},  {8, {"4*2", "2*2*2"}},  {9, {"3*3", "2*2*2"}},
      {12, {"4*3", "3*2*2"}}, {13, {"4*3", "3*2*2"}}, {14, {"7*2", "3*2*2"}}, {16, {"4*4", "4*2*2"}},
      {24, {"6*4", "4*3*2"}}, {28, {"7*4", "7*2*2"}}, {29, {"7*4", "7*2*2"}}, {32, {"8*4", "4*4*2"}},
      {48, {"8*6", "4*4*3"}}, {64, {"8*8", "4*4*4"}}};
  for (const auto& [p, extents] : table) {
    EXPECT_EQ(text(grid_extents(p, 2)), extents.first) << p;
    EXPECT_EQ(text(grid_extents(p, 3)), extents.second) << p;
  }
}

TEST(patterns, have_the_messages_of_the_table) {
  const std::map<int, std::int64_t> first_ring = {{2, 2},   {3, 6},   {4, 4},   {5, 8},   {6, 6},
                                                  {7, 10},  {8, 8},   {12, 12}, {16, 16}, {24, 24},
                                                  {28, 28}, {29, 32}, {32, 32}, {48, 48}, {64, 64}};
  for (const auto& [p, messages] : first_ring)
    EXPECT_EQ(PatternTable(p).patterns()[0].messages, messages) << p;
  const PatternTable eight(8);
  for (const auto& [name, messages] : std::map<std::string, std::int64_t>{{"acyclic-2dim-all", 20},
                                                                          {"acyclic-3dim-all", 24},
                                                                          {"cyclic-2dim-x", 16},
                                                                          {"cyclic-2dim-y", 8},
                                                                          {"cyclic-2dim-all", 24},
                                                                          {"cyclic-3dim-x", 8},
                                                                          {"cyclic-3dim-z", 8},
                                                                          {"cyclic-3dim-all", 24}})
    EXPECT_EQ(find(eight, name)->messages, messages) << name;
  EXPECT_EQ(PatternTable(2).patterns().size(), 46U);
  EXPECT_EQ(eight.patterns().size(), 49U);
  EXPECT_EQ(eight.patterns()[37].name, "best  bi-section");
  EXPECT_EQ(eight.patterns()[39].name, "one PingPong Pair");
}

TEST(patterns, every_destination_waits_in_the_same_slot) {
  for (int p = 2; p <= 64; ++p) {
    const PatternTable table(p);
    for (std::size_t n = 0; n < table.patterns().size(); ++n) {
      const auto& pattern = table.patterns()[n];
      std::vector<std::vector<Slot>> slots;
      for (int q = 0; q < p; ++q) slots.push_back(table.slots(n, q));
      std::int64_t messages = 0;
      std::size_t most = 0;
      int used = 0;
      for (int q = 0; q < p; ++q) {
        const auto& mine = slots[static_cast<std::size_t>(q)];
        most = std::max(most, mine.size());
        used += mine.empty() ? 0 : 1;
        std::set<int> receivers;
        for (std::size_t i = 0; i < mine.size(); ++i) {
          if (!mine[i].to) continue;
          ++messages;
          ASSERT_TRUE(receivers.insert(*mine[i].to).second) << pattern.name << ' ' << p;
          const auto& theirs = slots[static_cast<std::size_t>(*mine[i].to)];
          ASSERT_GT(theirs.size(), i) << pattern.name << ' ' << p;
          ASSERT_EQ(theirs[i].from, q) << pattern.name << ' ' << p;
        }
      }
      ASSERT_EQ(messages, pattern.messages) << pattern.name << ' ' << p;
      ASSERT_EQ(static_cast<int>(most), pattern.slots) << pattern.name << ' ' << p;
      ASSERT_EQ(used, pattern.used) << pattern.name << ' ' << p;
    }
  }
}
