// SPDX-License-Identifier: Apache-2.0
// Times of transfers beside a computation, whose truth is known: a transfer that blocks hides nothing, one
// that needs no processor is hidden whole.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/imb/interposed_costs.hpp"
#include "tests/imb/io/file_session_bench.hpp"
#include "tests/imb/session_bench.hpp"

namespace steelyard::imb {
namespace {

using record::PointRecord;
using test::classic;
using test::Transfer;

constexpr double transfer_s = 2e-3;
constexpr std::size_t rows = 5;
constexpr int looks = 15;

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values.at(values.size() / 2);
}

template <class Value>
double median_of(const std::vector<PointRecord>& records, Value value) {
  std::vector<double> values;
  for (const auto& record : records) values.push_back(value(record));
  return median(values);
}

double overlap(const std::vector<PointRecord>& records) {
  return median_of(records, [](const PointRecord& record) { return classic(record, "overlap_percent"); });
}

double overlap_on_root(const std::vector<PointRecord>& records) {
  return mpi::Communicator::world().is_root() ? overlap(records) : 0;
}

constexpr double nearly_all = 90;  // percent

/// The largest overlap of several looks: what others take of the processor meanwhile hides nothing.
template <class Measure>
double most_overlap(Measure measure) {
  double most = 0;
  for (int look = 0; look < looks && most <= nearly_all; ++look)
    most = std::max(most, mpi::Communicator::world().broadcast(overlap_on_root(measure())));
  return most;
}

/// Nothing takes less time beside something else than alone: median of t_ovrl over the longer of both.
double least_possible(const std::vector<PointRecord>& records) {
  return median_of(records, [](const PointRecord& record) {
    return classic(record, "t_ovrl_s") / std::max(classic(record, "t_pure_s"), classic(record, "t_cpu_s"));
  });
}

/// A processor that changes its speed meanwhile makes it less; code that differs does so each time.
constexpr double all_but_noise = 0.97;

std::vector<PointRecord> written(Transfer kind, bool balanced) {
  auto settings = test::small_settings();
  settings.check = false;
  settings.balance_overlap = balanced;
  settings.sizes.listed = std::vector<Bytes>(rows, Bytes{4096});
  const test::Directory directory;
  test::Blocks blocks(directory, settings);
  test::make_transfers(kind, transfer_s);
  auto records = blocks.measure("S_IWrite_Indv");
  test::make_transfers(Transfer::free, 0);
  return records;
}

TEST(overlap_of_files, computing_beside_a_transfer_takes_as_long_as_alone) {
  for (const bool balanced : {true, false})
    for (const auto kind : {Transfer::free, Transfer::blocking}) {
      double best = 0;
      for (int look = 0; look < looks && best < all_but_noise; ++look) {
        const auto records = written(kind, balanced);
        EXPECT_EQ(records.size(), rows);
        best = std::max(best, least_possible(records));
      }
      EXPECT_GE(best, all_but_noise) << balanced;
    }
}

TEST(overlap_of_files, is_nothing_where_the_transfer_blocks_and_all_where_it_costs_nothing) {
  const auto blocking = written(Transfer::blocking, true);
  EXPECT_GT(most_overlap([] { return written(Transfer::free, true); }), nearly_all);
  if (!mpi::Communicator::world().is_root()) return;
  EXPECT_LT(overlap(blocking), 10);
}

/// Iallreduce on all processes, by IMB's rule or another.
std::vector<PointRecord> reduced(Transfer kind, Version version,
                                 const measure::Schedule* schedule = nullptr) {
  auto settings = defaults(nbc(), version);
  settings.sizes.listed = std::vector<Bytes>(rows, Bytes{8});
  settings.iterations.per_sample = 6;
  settings.warm_up = false;
  const auto suite = measurable(nbc(), settings);
  const std::vector<std::string> names{"Iallreduce"};
  const auto blocks = suite->plan(names, mpi::Communicator::world().size());
  test::Instruments instruments;
  test::make_transfers(kind, transfer_s);
  auto records = test::measure_block(*suite, blocks.back(), schedule, instruments);
  test::make_transfers(Transfer::free, 0);
  return records;
}

TEST(overlap_of_collectives, is_what_the_transfer_leaves_under_every_rule) {
  const auto campaign = measure::fixed_schedule(6, 1);
  for (const auto version : {Version::v31, Version::v2021})
    for (const bool by_suite : {true, false}) {
      const auto* schedule = by_suite ? nullptr : campaign.get();
      const auto free = reduced(Transfer::free, version, schedule);
      EXPECT_GT(most_overlap([&] { return reduced(Transfer::free, version, schedule); }), nearly_all);
      const auto blocking = reduced(Transfer::blocking, version, schedule);
      const auto late = reduced(Transfer::late, version, schedule);
      if (!mpi::Communicator::world().is_root()) continue;
      ASSERT_EQ(free.size(), rows);
      EXPECT_LT(overlap(blocking), 10);
      EXPECT_LT(overlap(late), 10);
      for (const auto* records : {&free, &blocking, &late}) EXPECT_GE(least_possible(*records), 0.97);
    }
}

TEST(overlap_of_collectives, records_tell_the_times_of_all_ranks_and_both_shares) {
  const auto records = reduced(Transfer::free, Version::v31);
  if (!mpi::Communicator::world().is_root()) return;
  const auto ranks = static_cast<std::size_t>(mpi::Communicator::world().size());
  for (const auto& record : records) {
    for (const auto* name :
         {"t_ovrl_of_ranks_s", "t_pure_of_ranks_s", "t_cpu_of_ranks_s", "t_block_of_ranks_s"})
      EXPECT_EQ(std::get<std::vector<double>>(*record::find(record.classic, name)).size(), ranks) << name;
    EXPECT_GE(classic(record, "t_pure_s"), transfer_s);
    EXPECT_EQ(record.primary, "time_s");
    const auto share = std::ranges::find(record.metrics, "overlap_share_of_communication",
                                         &std::pair<std::string, record::Metric>::first);
    ASSERT_NE(share, record.metrics.end());
    EXPECT_LE(std::get<double>(share->second), 1);
  }
}

}  // namespace
}  // namespace steelyard::imb
