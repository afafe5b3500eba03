// SPDX-License-Identifier: Apache-2.0
// IMB-NBC before anything is measured, and what is computed of its times.
#include <gmock/gmock.h>

#include <algorithm>
#include <utility>

#include "suites/imb/computation.hpp"
#include "suites/imb/part_definition.hpp"
#include "suites/imb/schedule.hpp"
#include "suites/imb/sides.hpp"

namespace steelyard::imb {
namespace {

using testing::ElementsAre;

TEST(nbc_catalogue, has_thirteen_collectives_twice_of_which_one_is_default) {
  ASSERT_EQ(nbc().benchmarks.size(), 26U);
  EXPECT_EQ(nbc().benchmarks[0].name, "Ibcast");
  EXPECT_EQ(nbc().benchmarks[25].name, "Ibarrier_pure");
  for (const auto version : {Version::v31, Version::v2021})
    EXPECT_THAT(
        default_set(nbc(), version),
        ElementsAre("Ibcast", "Iallgather", "Iallgatherv", "Igather", "Igatherv", "Iscatter", "Iscatterv",
                    "Ialltoall", "Ialltoallv", "Ireduce", "Ireduce_scatter", "Iallreduce", "Ibarrier"));
}

TEST(nbc_catalogue, tables_are_those_of_overlaps_and_of_collectives) {
  EXPECT_EQ(table_of(*find(nbc(), "iallreduce"), {}), Table::e);
  EXPECT_EQ(table_of(*find(nbc(), "Iallreduce_pure"), {}), Table::c);
  EXPECT_EQ(table_of(*find(nbc(), "Ibarrier"), 0), Table::f);
  EXPECT_EQ(table_of(*find(nbc(), "Ibarrier_pure"), {}), Table::d);
}

TEST(nbc_settings, later_rules_put_a_barrier_between_calls) {
  EXPECT_FALSE(defaults(nbc(), Version::v31).sync);
  EXPECT_TRUE(defaults(nbc(), Version::v2021).sync);
  EXPECT_FALSE(defaults(nbc(), Version::v2021).root_shift);
}

TEST(nbc_sides, ireduce_scatter_sends_a_piece_to_every_rank_under_all_rules) {
  for (const auto version : {Version::v31, Version::v2021}) {
    const auto need = buffer_need(*find(nbc(), "Ireduce_scatter"), version, Bytes{1024}, 2, 1);
    EXPECT_EQ(need.send, 2048);
    EXPECT_EQ(need.receive, 1024);
  }
  EXPECT_EQ(buffer_need(*find(nbc(), "Ibarrier"), Version::v31, Bytes{0}, 2, 1).send, 0);
}

TEST(nbc_repetitions, of_multiple_np_are_whole_rounds_of_roots) {
  auto settings = defaults(nbc(), Version::v2021);
  settings.policy = IterationPolicy::multiple_np;
  const auto count = [&](std::int64_t size, int processes) {
    return planned_repetitions(settings, *find(nbc(), "Ibcast"), Bytes{size}, processes);
  };
  EXPECT_EQ(count(4, 4), 1000U);
  EXPECT_EQ(count(65536, 4), 940U);
  EXPECT_EQ(count(4194304, 4), 200U);
  EXPECT_EQ(count(1048576, 3), 570U);
}

// A second is what one repetition alone and one beside the computation may cost.
TEST(nbc_repetitions, time_limit_holds_for_both_loops) {
  auto settings = defaults(nbc(), Version::v2021);
  settings.time_limit = Seconds{1};
  const std::vector<Bytes> sizes{Bytes{8}};
  const auto operations = [&](double alone_s) {
    const auto schedules = imb_schedules(settings, *find(nbc(), "Iallreduce"), sizes, 2);
    const std::vector<measure::TrialResult> trials{{1, 0.01, alone_s}, {10, 0.1, 10 * alone_s}};
    measure::History history;
    history.trials = trials;
    const auto decision = schedules[0]->next(history);
    const auto* visit = std::get_if<measure::Visit>(&decision);
    return visit == nullptr ? 0 : visit->ops_per_batch;
  };
  EXPECT_EQ(operations(0), 101U);
  EXPECT_EQ(operations(0.005), 67U);
  EXPECT_EQ(operations(0.01), 51U);
}

TEST(nbc_plan, keys_tell_progress_calls_and_a_reduction_is_one_operation) {
  auto settings = defaults(nbc(), Version::v31);
  settings.progress_calls = 4;
  settings.sizes.listed = std::vector<Bytes>{Bytes{8}, Bytes{std::int64_t{1} << 34}};
  const std::vector<std::string> names{"Iallreduce", "Iallreduce_pure"};
  const auto blocks = definition(nbc(), settings)->plan(names, 2);
  EXPECT_EQ(blocks[0].points[0].key,
            "imb-nbc/Iallreduce;message_byte=8;op=MPI_SUM;processes=2;progress_calls=4;type=MPI_FLOAT");
  EXPECT_EQ(blocks[1].points[0].key,
            "imb-nbc/Iallreduce_pure;message_byte=8;op=MPI_SUM;processes=2;type=MPI_FLOAT");
  for (const auto& block : blocks) EXPECT_EQ(block.points[1].skip, record::ReasonCode::unsupported);
}

TEST(mpi4_catalogue, has_the_same_thirteen_as_persistent_requests) {
  ASSERT_EQ(find_part("imb-mpi4"), &mpi4());
  ASSERT_EQ(mpi4().benchmarks.size(), nbc().benchmarks.size());
  EXPECT_EQ(mpi4().benchmarks[0].name, "Bcast_persist");
  EXPECT_EQ(mpi4().benchmarks[23].name, "Allreduce_persist_pure");
  for (std::size_t i = 0; i < mpi4().benchmarks.size(); ++i) {
    EXPECT_EQ(mpi4().benchmarks[i].comparison, Comparison::collective);
    EXPECT_EQ(nbc().benchmarks[i].comparison, Comparison::none);
    EXPECT_EQ(mpi4().benchmarks[i].table, nbc().benchmarks[i].table);
  }
  EXPECT_EQ(default_set(mpi4(), Version::v31).size(), 13U);
}

TEST(mpi4_plan, tells_for_every_point_why_a_library_cannot) {
  auto settings = defaults(mpi4(), Version::v31);
  const std::string reason = "this MPI library has no persistent collectives";
  settings.obstacles[Family::persistent_collectives] = [reason] { return reason; };
  const std::vector<std::string> names{"Gather_persist"};
  for (const auto& block : definition(mpi4(), settings)->plan(names, 4))
    for (const auto& point : block.points) {
      EXPECT_EQ(point.skip, record::ReasonCode::unsupported);
      EXPECT_EQ(point.skip_text, reason);
    }
}

struct OverlapRow {
  double pure, cpu, overlapped, of_shorter, of_longer, of_transfer;
};

TEST(overlap, is_a_share_of_the_shorter_the_longer_or_the_transfer) {
  for (const auto& row : std::vector<OverlapRow>{{100, 100, 100, 100, 100, 100},
                                                 {100, 100, 150, 50, 50, 50},
                                                 {100, 100, 200, 0, 0, 0},
                                                 {100, 100, 300, 0, 0, 0},
                                                 {100, 50, 120, 60, 30, 30},
                                                 {100, 50, 100, 100, 50, 50},
                                                 {100, 80, 130, 62.5, 50, 50},
                                                 {10, 40, 45, 50, 12.5, 50},
                                                 {2, 10000, 10001, 50, 0.01, 50},
                                                 {0, 0, 0, 0, 0, 0}}) {
    EXPECT_NEAR(overlap_percent(row.pure, row.cpu, row.overlapped), row.of_shorter, 1e-9);
    EXPECT_NEAR(overlap_percent(row.pure, row.cpu, row.overlapped, OverlapOf::longer), row.of_longer, 1e-9);
    EXPECT_NEAR(overlap_percent(row.pure, row.cpu, row.overlapped, OverlapOf::transfer), row.of_transfer,
                1e-9);
  }
}

TEST(computation, block_has_the_products_that_fit_and_at_least_one) {
  MatrixVector kernel(10);
  ComputedBlock known;
  known.rate_flop_s = 1432890 * 200.0;  // 286.58 MFLOP/s
  const Now still = [] { return 0.0; };
  EXPECT_EQ(rescale(kernel, known, Seconds{0.01}, still).products, 14328U);
  EXPECT_EQ(rescale(kernel, known, Seconds{0}, still).products, 1U);
  EXPECT_EQ(rescale(kernel, known, Seconds{0.3e-6}, still).products, 1U);
}

/// A clock between whose readings the given times lie, the last one again and again.
class Scripted {
 public:
  explicit Scripted(std::vector<double> intervals_s) : intervals_s_(std::move(intervals_s)) {}
  double operator()() {
    if (std::exchange(begins_, !begins_)) return now_s_;
    now_s_ += intervals_s_[std::min(at_++, intervals_s_.size() - 1)];
    return now_s_;
  }

 private:
  std::vector<double> intervals_s_;
  std::size_t at_ = 0;
  bool begins_ = true;
  double now_s_ = 0;
};

TEST(computation, block_that_misses_its_target_is_made_anew_by_the_rate_that_it_showed) {
  MatrixVector kernel(10);
  ComputedBlock known;
  known.rate_flop_s = 100 * 200.0;  // half of the rate that the processor has
  const auto block = rescale(kernel, known, Seconds{1}, Scripted({0.5, 0.7, 0.9, 1.2, 1.0, 1.1}));
  EXPECT_EQ(block.products, 200U);
  EXPECT_DOUBLE_EQ(block.seconds, 1);
  EXPECT_DOUBLE_EQ(block.rate_flop_s, 2 * known.rate_flop_s);
}

TEST(computation, time_of_a_block_is_that_of_two_runs_alike_or_the_least_of_three) {
  MatrixVector kernel(10);
  ComputedBlock known;
  known.rate_flop_s = 100 * 200.0;
  EXPECT_DOUBLE_EQ(rescale(kernel, known, Seconds{1}, Scripted({1.005, 1, 0.98})).seconds, 1);
  EXPECT_DOUBLE_EQ(rescale(kernel, known, Seconds{1}, Scripted({1.2, 1.1, 0.98})).seconds, 0.98);
  EXPECT_DOUBLE_EQ(rescale(kernel, known, Seconds{1}, Scripted({0.98, 1.1, 1.1})).seconds, 0.98);
}

TEST(computation, rate_is_that_of_undisturbed_slices) {
  MatrixVector kernel(10);
  std::vector<double> seconds(25, 0.01);  // 10000 products each
  for (const std::size_t slow : std::vector<std::size_t>{0, 3, 4, 11, 24}) seconds[slow] = 0.5;
  EXPECT_NEAR(calibrate(kernel, Seconds{0.01}, Scripted(seconds)).rate_flop_s, 10000 * 200 / 0.01, 1);
}

TEST(overlap_times, last_sample_or_the_median_over_operations) {
  OverlapTimes times;
  EXPECT_EQ(times.last().pure_s, 0);
  times.begin(1, 9, 9, 1);
  times.add(1, 9, 9);
  for (const double pure : {2.0, 3.0, 4.0}) {
    times.begin(10, pure, pure, 1);
    times.add(5, 5 * 2 * pure, 5 * pure);
    times.add(5, 5 * 2 * pure, 5 * pure);
    times.add(5, 1000, 1000);  // warm-up of the next
  }
  EXPECT_DOUBLE_EQ(times.last().pure_s, 4);
  EXPECT_DOUBLE_EQ(times.last().overlapped_s, 8);
  EXPECT_DOUBLE_EQ(times.median().pure_s, 3);
  EXPECT_DOUBLE_EQ(times.median().overlapped_s, 6);
  EXPECT_DOUBLE_EQ(times.median().computing_s, 3);
}

}  // namespace
}  // namespace steelyard::imb
