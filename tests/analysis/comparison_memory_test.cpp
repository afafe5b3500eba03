// SPDX-License-Identifier: Apache-2.0
// Memory that comparing very many points takes.
#include <gtest/gtest.h>

#include "analysis/comparison/observations.hpp"
#include "tests/counted_memory.hpp"

namespace steelyard::comparison {
namespace {

record::PointRecord point(std::int64_t number) {
  record::PointRecord record;
  record.suite = "imb-mpi1";
  record.benchmark = "Allreduce";
  record.processes = 2;
  record.params = {{"message_byte", number}, {"type", "MPI_BYTE"}};
  record.key = record::make_key(record.suite, record.benchmark, 2, 1, 1, record.params);
  record.primary = "time_s";
  record.schedule.emplace();
  record.schedule->rule = "adaptive";
  record::Statistics time;
  time.median = 1e-6;
  time.ci = {0.99e-6, 1.01e-6};
  time.visit_medians = {1e-6, 1e-6, 1e-6, 1e-6, 1e-6, 1e-6};
  record.metrics = {{"time_s", time}, {"bandwidth_byte_s", time}};
  record.classic = {{"t_min_s", 1e-6}, {"t_max_s", 1e-6}, {"t_avg_s", 1e-6}};
  return record;
}

TEST(observations, take_a_small_part_of_the_memory_of_their_records) {
  constexpr std::int64_t points = 20000, most_byte = 1025;  // of a point of both sides, its row included
  steelyard::test::begin_counting_memory();
  Observations taken({});
  for (const auto side : {Observations::Side::base, Observations::Side::now}) {
    taken.begin(side, {});
    for (std::int64_t i = 0; i < points; ++i) taken.add(point(i));
  }
  const Comparison compared = compare(std::move(taken));
  EXPECT_EQ(compared.points.size(), static_cast<std::size_t>(points));
  EXPECT_LT(steelyard::test::most_memory_byte() / points, most_byte);
}

}  // namespace
}  // namespace steelyard::comparison
