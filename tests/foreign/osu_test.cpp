// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "vectors.hpp"

namespace steelyard::foreign::test {
namespace {

TEST(osu, two_processes_need_nobody_to_tell_how_many) {
  const auto run = only_run(osu_latency);
  const auto* point = point_of(run, "osu/latency;message_byte=8;processes=2;type=MPI_CHAR");
  EXPECT_EQ(value(point, "time_s"), 1.12e-6);
  EXPECT_EQ(point->imported.json()["over_ranks"].get<std::string>(), "one");
  EXPECT_TRUE(run.head.imported.json()["assumed"].contains("type"));
}

TEST(osu, a_collective_is_refused_until_somebody_tells_how_many) {
  const auto untold = read_text("mpirun -np 16 ./osu_allreduce\n" + osu_allreduce);
  EXPECT_TRUE(untold.runs.empty());
  ASSERT_EQ(untold.refused.size(), 1U);
  EXPECT_NE(untold.refused[0].what.find("--set processes=N"), std::string::npos);
  EXPECT_NE(untold.refused[0].what.find("mpirun -np 16"), std::string::npos);
  const auto run = only_run(osu_allreduce, told_16());
  const auto* point = point_of(run, "osu/allreduce;message_byte=4;processes=16;type=MPI_FLOAT");
  ASSERT_NE(point, nullptr);
  EXPECT_EQ(value(point, "time_s"), 9e-6);
  EXPECT_EQ(classic(point, "min_latency_s"), 8e-6);
  EXPECT_EQ(classic(point, "max_latency_s"), 1e-5);
  EXPECT_EQ(point->schedule->ops, 1000);
  EXPECT_EQ(point->memory_kind, "device");
  EXPECT_TRUE(std::holds_alternative<double>(point->metrics.front().second))
      << "minima over ranks are no interval";
}

TEST(osu, what_the_whole_time_is_made_of_is_no_heading) {
  const auto run = only_run(
      "# OSU MPI Non-blocking Allgather Latency Test v5.7.1\n# Overall = Coll. Init + Compute + MPI_Test + MPI_Wait\n\n"
      "# Size           Overall(us)       Compute(us)    Pure Comm.(us)        Overlap(%)\n"
      "4                      77.23             56.31              5.69             60.23\n",
      told_16());
  ASSERT_EQ(run.points.size(), 1U);
  EXPECT_EQ(run.points[0].benchmark, "iallgather");
}

TEST(osu, pairs_and_windows_are_read) {
  const auto run = only_run(osu_mbw);
  const auto* point = point_of(run, "osu/mbw_mr;message_byte=8;pairs=4;processes=8;type=MPI_CHAR;window=64");
  ASSERT_NE(point, nullptr);
  EXPECT_EQ(value(point, "bandwidth_byte_s"), 4.096e9);
  EXPECT_EQ(value(point, "message_rate_op_s"), 5.12e8);
}

TEST(osu, where_the_buffers_are_is_in_the_key) {
  const auto bandwidth = [](const std::string& line) {
    return only_run("# OSU MPI-CUDA Bandwidth Test v5.3\n" + line +
                    "# Size      Bandwidth (MB/s)\n1                       1.12\n")
        .points.at(0);
  };
  const std::string device = "DEVICE (D)", host = "HOST (H)";
  const auto between = [&](const std::string& from, const std::string& to) {
    return bandwidth("# Send Buffer on " + from + " and Receive Buffer on " + to + "\n");
  };
  const std::string begin = "osu/bw;", end = "message_byte=1;processes=2;type=MPI_CHAR";
  EXPECT_EQ(between(device, host).key, begin + "buffers=D-H;" + end);
  EXPECT_EQ(between(device, device).key, begin + "buffers=D-D;" + end);
  EXPECT_EQ(between(host, device).key, begin + "buffers=H-D;" + end);
  EXPECT_EQ(between(host, host).key, begin + end);
  EXPECT_EQ(between(device, host).memory_kind, "device");
  EXPECT_EQ(between(host, host).memory_kind, "");
  EXPECT_EQ(between("MANAGED (M)", host).memory_kind, "managed");
  EXPECT_EQ(bandwidth("").memory_kind, "device");
  const auto one_sided = bandwidth("# Rank 0 Memory on HOST (H) and Rank 1 Memory on HOST (H)\n");
  EXPECT_EQ(one_sided.memory_kind, "");
}

TEST(osu, a_loop_over_a_program_gives_launches_of_one_series) {
  const auto reading = read_text(osu_latency + osu_latency + osu_latency);
  ASSERT_EQ(reading.runs.size(), 3U);
  for (const auto& run : reading.runs) {
    EXPECT_EQ(run.points.size(), 3U);
    EXPECT_EQ(run.head.series, reading.runs[0].head.series);
    EXPECT_EQ(run.head.launches, 3);
  }
  EXPECT_NE(reading.runs[0].id, reading.runs[1].id);
}

TEST(osu, another_release_is_another_run) {
  EXPECT_EQ(read_text(osu_latency + osu_mbw).runs.size(), 2U);
  const auto one = only_run(with(osu_latency, "v5.6.2", "v6.1") + osu_mbw);
  EXPECT_EQ(one.points.size(), 4U);
}

TEST(osu, bad_rows_and_checks_are_told) {
  const auto cut = read_text(with(osu_allreduce, "10.00        1000", "10.00"), told_16());
  EXPECT_TRUE(cut.runs.empty());
  ASSERT_EQ(cut.refused.size(), 1U);
  EXPECT_EQ(cut.refused[0].line, 4U);
  const auto comma = only_run(with(osu_latency, "1.12", "1,12"));
  const auto* point = point_of(comma, "osu/latency;message_byte=8;processes=2;type=MPI_CHAR");
  EXPECT_EQ(point->status, record::Status::failed);
  EXPECT_EQ(point->reason->code, record::ReasonCode::unreadable);
  const auto wrong = only_run(
      with(with(osu_allreduce, "Iterations", "Iterations  Validation"), "1000\n", "1000  Fail\n"), told_16());
  EXPECT_EQ(wrong.points[0].verified, false);
  EXPECT_EQ(wrong.head.processes, 16);
}

TEST(osu, titles_of_every_kind_have_their_names) {
  const std::pair<const char*, const char*> titles[] = {
      {"MPI Bandwidth", "bw"},
      {"MPI Bi-Directional Bandwidth", "bibw"},
      {"MPI_Put Latency", "put_latency"},
      {"MPI_Get Bandwidth", "get_bw"},
      {"MPI_Accumulate latency", "acc_latency"},
      {"MPI All-to-All Personalized Exchange Latency", "alltoall"},
      {"MPI Broadcast Latency", "bcast"},
      {"MPI Non-blocking Allgather Latency", "iallgather"},
      {"MPI Neighborhood Allgather Latency", "neighbor_allgather"},
      {"MPI Reduce_scatter Latency", "reduce_scatter"},
      {"NCCL Allreduce Latency", "xccl_allreduce"},
      {"MPI-ROCM Persistent Latency", "latency_persistent"}};
  for (const auto& [title, name] : titles) {
    const auto run = only_run(with(osu_latency, "MPI Latency", title), told_16());
    EXPECT_EQ(run.points.at(0).benchmark, name) << title;
  }
  EXPECT_FALSE(read_text(with(osu_latency, "MPI Latency", "OpenSHMEM Put")).refused.empty());
}

TEST(osu, tails_stand_beside_the_mean) {
  const auto run = only_run(
      "# OSU MPI Latency Test v7.4\n# Size          Avg Latency(us)   P50 Tail Lat(us)   P99 Tail Lat(us)\n8   2.00  1.90  9.00\n");
  const auto& metric = std::get<record::Statistics>(run.points[0].metrics[0].second);
  EXPECT_EQ(metric.headline, "mean");
  EXPECT_EQ(record::value_of(metric), 2e-6);
  EXPECT_EQ(metric.median, 1.9e-6);
  EXPECT_FALSE(metric.ci.has_value());
}

TEST(osu, what_is_told_against_the_text_is_refused) {
  Description told;
  told.params["window"] = std::int64_t{32};
  EXPECT_THROW(static_cast<void>(read_text(osu_mbw, told)), Contradiction);
  const auto bw =
      with(with(osu_latency, "Latency Test", "Bandwidth Test"), "Latency (us)", "Bandwidth (MB/s)");
  EXPECT_NE(point_of(only_run(bw, told), "osu/bw;message_byte=8;processes=2;type=MPI_CHAR;window=32"),
            nullptr);
  told.params.clear();
  told.processes = 8;
  EXPECT_THROW(static_cast<void>(read_text(imb, told)), Contradiction);
}

}  // namespace
}  // namespace steelyard::foreign::test
