// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "record/json.hpp"
#include "survey/rates_store.hpp"

namespace steelyard::survey {
namespace {

Surveyed example() {
  Surveyed surveyed;
  double value = 1.25;
  for (const auto& field : suites::rate_fields) surveyed.rates.*field.value = value *= 1.7;
  surveyed.rates.panels = {{96, 1e10 / 3, 2e9, 5e9}, {128, 2e10, 3e9, 7e9}};
  surveyed.rates.origin = suites::Rates::Origin::measured;
  surveyed.spread = {{"triad_byte_s", 0.125}};
  surveyed.assumed = {"file_open_s"};
  surveyed.seconds = 0.75;
  surveyed.memory_byte = 123456789;
  return surveyed;
}

TEST(assumed_rates, grow_with_the_threads_as_far_as_a_node_has_them) {
  const auto one = assumed_rates(1), some = assumed_rates(8), many = assumed_rates(192);
  EXPECT_EQ(one, suites::assumed_rates());
  EXPECT_EQ(some.triad_byte_s, 8 * one.triad_byte_s);
  EXPECT_EQ(many.triad_alone_byte_s, 32 * one.triad_alone_byte_s);
  EXPECT_EQ(many.product_flop_s, 192 * one.product_flop_s);
  EXPECT_EQ(many.message_s, one.message_s);
  EXPECT_EQ(many.origin, suites::Rates::Origin::assumed);
}

void expect_equal(const Surveyed& a, const Surveyed& b) {
  EXPECT_EQ(a.rates, b.rates);
  EXPECT_EQ(a.spread, b.spread);
  EXPECT_EQ(a.assumed, b.assumed);
  EXPECT_EQ(a.seconds, b.seconds);
  EXPECT_EQ(a.memory_byte, b.memory_byte);
}

class Store : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "steelyard-store-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    directory_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }
  std::filesystem::path directory_;
  Place place_{"host, processor", "steelyard 1", "fastest", 2, 1, 1};
};

TEST(rates_document, holds_every_rate_exactly) {
  const auto text = document_of(example()).json().dump();
  const auto back = surveyed_of(record::Document(record::Json::parse(text)));
  ASSERT_TRUE(back.has_value());
  expect_equal(*back, example());
}

TEST(rates_document, of_something_else_is_none) {
  EXPECT_FALSE(surveyed_of({}).has_value());
  EXPECT_FALSE(surveyed_of(record::Document(record::Json{{"rates", 3}})).has_value());
}

TEST_F(Store, keeps_the_rates_of_a_place) {
  keep(directory_ / "new", place_, example());
  const auto back = stored(directory_ / "new", place_);
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->rates.origin, suites::Rates::Origin::stored);
  EXPECT_EQ(back->rates.triad_byte_s, example().rates.triad_byte_s);
  auto other = place_;
  other.processes = 4;
  EXPECT_FALSE(stored(directory_ / "new", other).has_value());
  other = place_;
  other.nodes = 2;
  EXPECT_FALSE(stored(directory_ / "new", other).has_value()) << "messages between nodes take other times";
}

TEST_F(Store, a_broken_file_is_as_good_as_none) {
  keep(directory_, place_, example());
  for (const auto& file : std::filesystem::directory_iterator(directory_))
    std::ofstream(file.path()) << "{ \"rates\"";
  EXPECT_FALSE(stored(directory_, place_).has_value());
}

TEST_F(Store, what_cannot_be_written_is_no_failure) {
  keep("/dev/null/survey", place_, example());
  EXPECT_FALSE(stored("/dev/null/survey", place_).has_value());
  keep({}, place_, example());
}

TEST(steadied, keeps_no_earlier_rate_that_only_times_follow_from) {
  auto now = example();
  now.rates.buffer_byte_s *= 1.1;
  now.rates.first_exchange_byte_s *= 0.9;
  expect_equal(steadied(example(), now), now);
}

TEST(steadied, keeps_earlier_rates_that_are_near_and_new_ones_that_are_not) {
  auto now = example();
  now.rates.triad_byte_s *= 1.1;
  now.rates.message_s *= 3;
  now.rates.panels[0].update_flop_s *= 0.95;
  const auto steady = steadied(example(), now);
  EXPECT_EQ(steady.rates.triad_byte_s, example().rates.triad_byte_s);
  EXPECT_EQ(steady.rates.message_s, now.rates.message_s);
  EXPECT_EQ(steady.rates.panels, example().rates.panels);
  now.rates.panels[1].update_flop_s *= 2;
  EXPECT_EQ(steadied(example(), now).rates.panels, now.rates.panels);
  expect_equal(steadied(std::nullopt, now), now);
}

}  // namespace
}  // namespace steelyard::survey
