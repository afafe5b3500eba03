// SPDX-License-Identifier: Apache-2.0
#include "stats/states.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace steelyard::stats {
namespace {

using testing::Each;
using testing::ElementsAre;

class jitter {
 public:
  double operator()(double centre) { return centre * factor_(random_); }

 private:
  std::mt19937_64 random_{5};
  std::uniform_real_distribution<double> factor_{0.99, 1.01};
};

void append(std::vector<Probe>& probes, int visits, double c2c, double chain, double wide, jitter& near) {
  for (int i = 0; i < visits; ++i) probes.push_back({near(c2c), near(chain), near(wide)});
}

int count(const std::vector<int>& classes, int which) {
  return static_cast<int>(std::count(classes.begin(), classes.end(), which));
}

TEST(classify, one_regime_is_one_class) {
  std::vector<Probe> probes;
  jitter near;
  append(probes, 40, 43e-9, 5e-6, 1e-6, near);
  EXPECT_THAT(classify(probes), Each(0));
}

TEST(classify, two_regimes_in_turns_are_told_apart) {
  std::vector<Probe> probes;
  jitter near;
  for (int turn = 0; turn < 4; ++turn) {
    append(probes, 3, 105e-9, 5e-6, 1e-6, near);
    append(probes, 7, 43e-9, 5e-6, 1e-6, near);
  }
  const std::vector<int> classes = classify(probes);
  for (std::size_t i = 0; i < classes.size(); ++i) EXPECT_EQ(classes[i], i % 10 < 3 ? 1 : 0) << i;
}

TEST(classify, three_regimes_are_numbered_by_falling_size) {
  std::vector<Probe> probes;
  jitter near;
  append(probes, 10, 43e-9, 5e-6, 1e-6, near);
  append(probes, 30, 105e-9, 5e-6, 1e-6, near);
  append(probes, 20, 495e-9, 5e-6, 1e-6, near);
  const std::vector<int> classes = classify(probes);
  EXPECT_EQ(classes[0], 2);
  EXPECT_EQ(classes[10], 0);
  EXPECT_EQ(classes[40], 1);
  EXPECT_EQ(count(classes, 0), 30);
  EXPECT_EQ(count(classes, 1), 20);
}

TEST(classify, each_sense_has_its_own_factor) {
  const auto two = [](Probe a, Probe b) { return classify(std::vector<Probe>{a, a, b, b}); };
  EXPECT_THAT(two({1.0, 1.0, 1.0}, {1.39, 1.0, 1.0}), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(two({1.0, 1.0, 1.0}, {1.41, 1.0, 1.0}), ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(two({1.0, 1.0, 1.0}, {1.0, 1.07, 1.0}), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(two({1.0, 1.0, 1.0}, {1.0, 1.09, 1.0}), ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(two({1.0, 1.0, 1.0}, {1.0, 1.0, 1.14}), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(two({1.0, 1.0, 1.0}, {1.0, 1.0, 1.16}), ElementsAre(0, 0, 1, 1));
}

TEST(classify, slow_drift_is_no_cut) {
  std::vector<Probe> probes;
  for (int i = 0; i < 50; ++i) probes.push_back({43e-9 * (1 + 0.05 * i), {}, {}});
  EXPECT_THAT(classify(probes), Each(0));
}

TEST(classify, isolated_value_joins_the_nearest_class) {
  std::vector<Probe> probes;
  jitter near;
  append(probes, 30, 43e-9, 5e-6, 1e-6, near);
  append(probes, 20, 495e-9, 5e-6, 1e-6, near);
  append(probes, 1, 300e-9, 5e-6, 1e-6, near);
  const std::vector<int> classes = classify(probes);
  EXPECT_EQ(classes.back(), 1);
  EXPECT_EQ(count(classes, 0), 30);
  EXPECT_EQ(count(classes, 1), 21);
}

TEST(classify, three_percent_are_enough_for_a_class) {
  std::vector<Probe> probes;
  jitter near;
  append(probes, 97, 43e-9, 5e-6, 1e-6, near);
  append(probes, 3, 495e-9, 5e-6, 1e-6, near);
  EXPECT_EQ(count(classify(probes), 1), 3);
  probes.pop_back();
  EXPECT_EQ(count(classify(probes), 1), 0);
}

TEST(classify, at_most_four_classes) {
  std::vector<Probe> probes;
  jitter near;
  for (const double c2c : {40e-9, 80e-9, 160e-9, 320e-9, 640e-9, 1000e-9}) {
    append(probes, 10, c2c, 5e-6, 1e-6, near);
  }
  const std::vector<int> classes = classify(probes);
  EXPECT_EQ(*std::max_element(classes.begin(), classes.end()), 3);
  EXPECT_EQ(*std::min_element(classes.begin(), classes.end()), 0);
}

TEST(classify, absent_senses_do_not_separate) {
  std::vector<Probe> probes;
  jitter near;
  for (int i = 0; i < 20; ++i) probes.push_back({std::nullopt, near(i < 12 ? 5e-6 : 6e-6), std::nullopt});
  const std::vector<int> classes = classify(probes);
  EXPECT_EQ(count(classes, 0), 12);
  EXPECT_EQ(count(classes, 1), 8);
  EXPECT_THAT(classify(std::vector<Probe>(5)), Each(0));
}

TEST(classify, visit_without_probe_is_no_state) {
  // A long trial counts as a visit, and nobody has looked at the machine before it.
  EXPECT_THAT(classify(std::vector<Probe>{{}, {100e-9, 5e-6, 1e-6}}), Each(0));
  const Probe near{100e-9, 5e-6, 1e-6}, far{495e-9, 5e-6, 1e-6};
  EXPECT_THAT(classify(std::vector<Probe>{{}, near, far, far}), ElementsAre(0, 1, 0, 0));
}

TEST(classify, visit_that_lacks_a_reading_is_of_the_class_that_agrees_in_the_others) {
  const Probe whole{100e-9, 5e-6, 1e-6}, no_lines{std::nullopt, 5e-6, 1e-6};
  const Probe slow{100e-9, 6e-6, 1e-6}, slow_no_lines{std::nullopt, 6e-6, 1e-6};
  EXPECT_THAT(classify(std::vector<Probe>{whole, no_lines, whole, no_lines, {}}), Each(0));
  EXPECT_THAT(classify(std::vector<Probe>{whole, whole, whole, slow, slow_no_lines}),
              ElementsAre(0, 0, 0, 1, 1));
  EXPECT_THAT(classify(std::vector<Probe>{whole, whole, slow_no_lines}), ElementsAre(0, 0, 1));
}

TEST(classify, no_probe_no_class) {
  EXPECT_TRUE(classify({}).empty());
}

}  // namespace
}  // namespace steelyard::stats
