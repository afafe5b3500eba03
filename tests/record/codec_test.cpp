// SPDX-License-Identifier: Apache-2.0
#include "record/codec.hpp"

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>

namespace steelyard::record {
namespace {

struct Figures {
  int number = 0;
  std::int64_t byte = 0;
  double seconds = 0, calls = 0;
  std::optional<double> open_s;
  std::optional<std::int64_t> rounds;
  std::string file;
  bool overlong = false;
  std::vector<double> repeats_s;
};

constexpr Codec figures(held("number", &Figures::number), held("byte", &Figures::byte),
                        held("seconds", &Figures::seconds), counted("calls", &Figures::calls),
                        held("open_s", &Figures::open_s), held("rounds", &Figures::rounds),
                        held("file", &Figures::file), held("overlong", &Figures::overlong),
                        held("repeats_s", &Figures::repeats_s));

PointRecord written(const Figures& from) {
  PointRecord point;
  point.key = "suite/benchmark";
  figures.write(from, point.classic);
  return point;
}

std::string refusal(const PointRecord& point) {
  try {
    Figures to;
    figures.read(point, to);
    return "read";
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

TEST(codec, what_was_written_is_read_back) {
  const Figures from{3, 1LL << 40, 0.25, 17, 0.5, 6, "a file", true, {1, 2}};
  Figures to;
  figures.read(written(from), to);
  EXPECT_EQ(to.number, from.number);
  EXPECT_EQ(to.byte, from.byte);
  EXPECT_EQ(to.seconds, from.seconds);
  EXPECT_EQ(to.calls, from.calls);
  EXPECT_EQ(to.open_s, from.open_s);
  EXPECT_EQ(to.rounds, from.rounds);
  EXPECT_EQ(to.file, from.file);
  EXPECT_EQ(to.overlong, from.overlong);
  EXPECT_EQ(to.repeats_s, from.repeats_s);
}

TEST(codec, counts_are_whole_numbers_and_what_is_absent_is_not_written) {
  Figures from;
  from.calls = 17;
  const auto point = written(from);
  ASSERT_EQ(point.classic.size(), 4U);
  EXPECT_EQ(*find(point.classic, "calls"), Value(std::int64_t{17}));
  EXPECT_EQ(*find(point.classic, "seconds"), Value(0.0));
  Figures to;
  figures.read(point, to);
  EXPECT_FALSE(to.open_s || to.rounds || to.overlong);
  EXPECT_TRUE(to.file.empty() && to.repeats_s.empty());
}

TEST(codec, parameters_are_read_where_no_classic_value_has_the_name) {
  auto point = written({});
  std::erase_if(point.classic, [](const auto& one) { return one.first == "number"; });
  point.params["number"] = std::int64_t{9};
  Figures to;
  figures.read(point, to);
  EXPECT_EQ(to.number, 9);
}

TEST(codec, numbers_that_are_missing_or_not_what_they_should_be_are_refused) {
  const auto with = [](std::string_view name, Value value) {
    auto point = written({});
    for (auto& [one, held] : point.classic)
      if (one == name) held = value;
    if (name == "rounds") point.classic.emplace_back(name, value);
    return refusal(point);
  };
  EXPECT_EQ(with("number", 2.0), "read");
  EXPECT_EQ(with("number", "two"), "suite/benchmark: number is missing");
  EXPECT_EQ(with("number", 2.5), "suite/benchmark: number is no whole number");
  EXPECT_EQ(with("number", std::int64_t{1} << 40), "suite/benchmark: number is too large");
  EXPECT_EQ(with("byte", 1e300), "suite/benchmark: byte is no whole number");
  EXPECT_EQ(with("rounds", 0.5), "suite/benchmark: rounds is no whole number");
  EXPECT_EQ(with("seconds", nullptr), "suite/benchmark: seconds is missing");
}

struct Phase {
  double time_s = 0;
  int calls = 0;
};
constexpr Codec phases(held("phase_s", &Phase::time_s), held("phase_calls", &Phase::calls));

TEST(codec, lists_have_an_element_for_each_struct) {
  const std::array<Phase, 3> from = {{{1.5, 2}, {2.5, 4}, {0, 0}}};
  PointRecord point;
  point.key = "suite/benchmark";
  phases.write_lists(std::span(from), point.classic);
  EXPECT_EQ(*find(point.classic, "phase_calls"), Value(std::vector<double>{2, 4, 0}));
  std::array<Phase, 3> to;
  phases.read_lists(point, to);
  EXPECT_EQ(to[1].time_s, 2.5);
  EXPECT_EQ(to[1].calls, 4);
  std::array<Phase, 2> fewer;
  EXPECT_THROW(phases.read_lists(point, fewer), std::invalid_argument);
}

}  // namespace
}  // namespace steelyard::record
