// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "environment_variable.hpp"
#include "machine/privacy.hpp"
#include "record/json.hpp"

namespace {

using namespace steelyard::machine;
using steelyard::record::EventRecord;
using steelyard::record::PointRecord;
using steelyard::record::RunRecord;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

RunRecord example() {
  RunRecord run;
  run.command = {"steelyard", "run", "imb-mpi1/PingPong", "-o", "results", "--io-dir=/scratch/alice/io",
                 "-n",        "4"};
  run.config =
      Json{{"output", "results"}, {"io_dir", "/scratch/alice/io"}, {"budget_s", 60.0}, {"select", "b-eff/*"}};
  run.config_sources = Json{{"name", "default"}};
  run.name = "fast17";
  run.labels = {{"site", "fast17.cluster.org in the cellar"}};
  run.layout = Json{{"hosts", {"fast17.cluster.org", "fast18"}}, {"ranks", {{0, 2}, {1, 2}}}};
  run.machine = Json{{"processor", "EPYC"},
                     {"available_byte", {{"1", {"fast17.cluster.org"}}, {"2", {"fast18"}}}},
                     {"missing", {{"/proc/x", "No such file"}}}};
  run.mpi = Json{{"library", "Open MPI v4.1.4, package: Open MPI root@fast18"},
                 {"settings", {{"btl", "self,vader"}, {"param_files", "/opt/site/x.conf"}}}};
  run.io = Json{{"path", "/scratch/alice/io"}, {"type", "nfs4"}, {"source", "fs1.example.org:/export"}};
  run.job = Json{{"scheduler", "slurm"}, {"id", "4711"},       {"name", "weigh"},
                 {"account", "phys"},    {"partition", "big"}, {"node_list", "fast[17-18]"}};
  run.environment = Json{{"OMP_NUM_THREADS", "4"}, {"UCX_MODULE_DIR", "/opt/ucx"}, {"FI_X", "me@there"}};
  run.noise = Json{{"worst_host", "fast18"}};
  return run;
}

std::string all_of(const RunRecord& run) {
  std::string text = run.name;
  for (const auto& word : run.command) text += " " + word;
  for (const auto& [label, value] : run.labels) text += " " + value;
  for (const auto* document : {&run.config, &run.layout, &run.machine, &run.mpi, &run.io, &run.job,
                               &run.environment, &run.noise, &run.libraries, &run.resumes})
    text += document->json().dump();
  return text;
}

TEST(anonymise, no_host_path_or_job_name_is_left) {
  auto run = example();
  anonymise(run);
  for (const auto* forbidden : {"fast17", "fast18", "cluster.org", "alice", "scratch", "/opt", "4711",
                                "weigh", "phys", "big", "fast[17", "fs1", "me@there", "results"})
    EXPECT_THAT(all_of(run), Not(HasSubstr(forbidden)));
}

TEST(anonymise, hosts_are_numbered_in_the_order_of_the_layout) {
  auto run = example();
  anonymise(run);
  EXPECT_EQ(run.layout.json()["hosts"], Json({"node0", "node1"}));
  EXPECT_EQ(run.layout.json()["ranks"], Json({{0, 2}, {1, 2}}));
  EXPECT_EQ(run.machine.json()["available_byte"]["2"][0], "node1");
  EXPECT_EQ(run.noise.json()["worst_host"], "node1");
}

TEST(anonymise, what_is_asked_for_stays_readable) {
  auto run = example();
  anonymise(run);
  EXPECT_THAT(run.command, ElementsAre("steelyard", "run", "imb-mpi1/PingPong", "-o", "<path>",
                                       "--io-dir=<io-dir>", "-n", "4"));
  EXPECT_EQ(run.config.json()["select"], "b-eff/*");
  EXPECT_EQ(run.config.json()["io_dir"], "<io-dir>");
  EXPECT_EQ(run.environment.json()["OMP_NUM_THREADS"], "4");
  EXPECT_EQ(run.environment.json()["UCX_MODULE_DIR"], "<withheld>");
  EXPECT_EQ(run.mpi.json()["settings"]["btl"], "self,vader");
  EXPECT_EQ(run.machine.json()["missing"]["/proc/x"], "No such file");
  EXPECT_EQ(run.io.json()["type"], "nfs4");
  EXPECT_EQ(run.job.json(), (Json{{"scheduler", "slurm"}}));
}

TEST(anonymise, a_name_of_the_user_s_own_choice_stays) {
  auto run = example();
  EXPECT_EQ((anonymise(run), run.name), "");
  run = example();
  run.config_sources = Json{{"name", "command line"}};
  run.name = "our new machine, fast17";
  EXPECT_EQ((anonymise(run), run.name), "our new machine, node0");
}

TEST(anonymise, an_empty_record_is_no_trouble) {
  RunRecord run;
  anonymise(run);
  EXPECT_TRUE(run.job.json().is_null());
}

TEST(anonymous, later_records_get_the_same_names) {
  const Anonymous names(example());
  EventRecord event;
  event.text = "rank 3 on fast18 cannot write /scratch/alice/io/f.dat: No space";
  event.data = Json{{"host", "fast17.cluster.org"}, {"count", 3}};
  names.apply(event);
  EXPECT_EQ(event.text, "rank 3 on node1 cannot write <path>: No space");
  EXPECT_EQ(event.data.json(), (Json{{"host", "node0"}, {"count", 3}}));
  PointRecord point;
  point.slowest_host = "fast18";
  point.reason.emplace();
  point.reason->text = "open ./x failed";
  point.reason->host = "fast17";
  names.apply(point);
  EXPECT_EQ(point.slowest_host, "node1");
  EXPECT_EQ(point.reason->host, "node0");
  EXPECT_EQ(point.reason->text, "open <path> failed");
}

TEST(anonymous, longer_host_names_are_not_mistaken) {
  const Anonymous names(example());
  EXPECT_EQ(names.text("fast188 fast18-ib fast18.ib fast18"), "fast188 fast18-ib node1.ib node1");
}

TEST(anonymous, rates_and_selections_are_no_paths) {
  const Anonymous names(example());
  EXPECT_EQ(names.text("1 byte/s of imb-mpi1/PingPong, 3 / 4"), "1 byte/s of imb-mpi1/PingPong, 3 / 4");
}

TEST(withhold_private, home_user_and_addresses_go_even_without_asking) {
  const EnvironmentVariable home("HOME", "/home/alice");
  const EnvironmentVariable user("USER", "alice");
  auto run = example();
  run.command.push_back("/home/alice/x");
  run.config.json()["server"] = "10.1.2.3";
  withhold_private(run);
  EXPECT_EQ(run.command.back(), "~/x");
  EXPECT_EQ(run.config.json()["io_dir"], "/scratch/<user>/io");
  EXPECT_EQ(run.config.json()["server"], "<address>");
  EXPECT_EQ(run.layout.json()["hosts"][0], "fast17.cluster.org") << "hosts stay unless --anonymous";
}

}  // namespace
