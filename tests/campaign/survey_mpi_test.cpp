// SPDX-License-Identifier: Apache-2.0
// What is said of nodes and names of hosts, with calls of MPI that answer as those of other machines.
#include <gmock/gmock.h>
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <sstream>

#include "campaign/instruments.hpp"
#include "campaign/recorder.hpp"
#include "campaign/survey.hpp"
#include "record/file.hpp"
#include "record/json.hpp"

namespace {

bool every_rank_is_a_node = false, every_rank_has_a_name = false;

}  // namespace

// These stand before those of the library.
extern "C" int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm* split) {
  if (!every_rank_is_a_node) return PMPI_Comm_split_type(comm, type, key, info, split);
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  return PMPI_Comm_split(comm, rank, key, split);
}
extern "C" int MPI_Get_processor_name(char* name, int* length) {
  if (!every_rank_has_a_name) return PMPI_Get_processor_name(name, length);
  int rank = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  *length = std::snprintf(name, MPI_MAX_PROCESSOR_NAME, "host%d", rank);
  return MPI_SUCCESS;
}

namespace steelyard::campaign {
namespace {

/// The event on rank 0 that tells of nodes and names; nullopt if there is none, and on other ranks.
std::optional<record::EventRecord> told(bool nodes, bool names) {
  every_rank_is_a_node = nodes;
  every_rank_has_a_name = names;
  const auto found = survey(mpi::Communicator::world(), {}, false, Depth::names_only);
  every_rank_is_a_node = every_rank_has_a_name = false;
  const auto event = std::ranges::find(found.events, "host_names", &record::EventRecord::code);
  return event == found.events.end() ? std::nullopt : std::optional(*event);
}

TEST(host_names, as_many_as_nodes_are_no_event) {
  EXPECT_FALSE(told(false, false));
  EXPECT_FALSE(told(true, true));
}

TEST(host_names, that_nodes_share_or_processes_of_a_node_have_are_a_warning) {
  const auto world = mpi::Communicator::world();
  if (world.size() == 1) GTEST_SKIP() << "one process has one name";
  const auto shared = told(true, false), several = told(false, true);
  if (!world.is_root()) return;
  ASSERT_TRUE(shared && several);
  EXPECT_EQ(shared->severity, record::Severity::warning);
  EXPECT_EQ(shared->data.json()["nodes"], world.size());
  EXPECT_EQ(shared->data.json()["names"], 1);
  EXPECT_THAT(shared->text, ::testing::HasSubstr("1 host name"));
  EXPECT_EQ(several->data.json()["nodes"], 1);
  EXPECT_EQ(several->data.json()["names"], world.size());
}

/// A node whose hypervisor and quota have taken so much.
machine::Files node_with(int stolen_steps, int throttled) {
  return {{"/proc/cpuinfo", "processor : 0\n"},
          {"/proc/stat", "cpu0 50 0 0 " + std::to_string(100 - stolen_steps) + " 0 0 0 " +
                             std::to_string(stolen_steps) + " 0 0\n"},
          {"/proc/self/cgroup", "0::/\n"},
          {"/proc/self/mountinfo", "1 0 0:1 / /sys/fs/cgroup rw - cgroup2 none rw\n"},
          {"/sys/fs/cgroup/cpu.stat", "nr_throttled " + std::to_string(throttled) + "\nthrottled_usec " +
                                          std::to_string(throttled * 1000) + "\n"}};
}

TEST(node_watch, tells_all_ranks_what_the_kernel_counted_meanwhile) {
  const auto world = mpi::Communicator::world();
  auto before = node_with(0, 3);
  auto after = node_with(20, 8);
  after["/proc/stat"] = "cpu0 100 0 0 130 0 0 0 20 0 0\n";
  const NodeWatch watch(world, {.files = &before});
  const Disturbances met = watch.met(world, {.files = &after});
  EXPECT_NEAR(met.steal_share, 0.2 - 0.01, 1e-9) << "20 of 100 steps, less one";
  EXPECT_EQ(met.throttled_periods, 5);
  EXPECT_NEAR(met.throttled_s, 5e-3, 1e-12);
}

TEST(recorder, tells_of_a_layout_that_is_too_long_for_the_record) {
  std::vector<NodeRanks> nodes;
  for (int rank = 0; rank < 100'000; ++rank)
    nodes.push_back({"lion" + std::to_string(rank), {{rank, 1}}, "core"});
  std::ostringstream out;
  record::Writer writer(out, "20261120T083000Z-7f3a91c2", 1, 0);
  Outputs outputs;
  outputs.file = &writer;
  Recorder recorder(outputs, false);
  record::RunRecord head;
  head.processes = head.nodes = 100'000;
  head.layout = Layout(std::move(nodes)).document();
  recorder.run(head);
  EXPECT_FALSE(recorder.failed());
  EXPECT_THAT(out.str(), ::testing::HasSubstr("layout_left_out"));
  EXPECT_THAT(out.str(), ::testing::HasSubstr("100000 processes on 100000 nodes"));
}

}  // namespace
}  // namespace steelyard::campaign
