// SPDX-License-Identifier: Apache-2.0
#include "machine/privacy.hpp"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <sys/socket.h>

#include <array>
#include <fstream>

#include "environment_variable.hpp"
#include "machine/environment.hpp"
#include "machine/findings.hpp"
#include "record/json.hpp"

namespace {

using namespace steelyard::machine;
using testing::HasSubstr;
using testing::Not;

TEST(addresses, are_replaced_in_every_notation) {
  EXPECT_EQ(without_addresses("tcp://10.0.0.1,172.17.0.2:4321"), "tcp://<address>,<address>:4321");
  EXPECT_EQ(without_addresses("192.168.0.0/16"), "<address>/16");
  EXPECT_EQ(without_addresses("aa:bb:cc:dd:ee:0f"), "<address>");
  EXPECT_EQ(without_addresses("aa-BB-cc-dd-ee-0f x"), "<address> x");
  EXPECT_EQ(without_addresses("[fe80::1ff:fe23]"), "[<address>]");
  EXPECT_EQ(without_addresses("2001:db8:1:2:3:4:5:6"), "<address>");
  EXPECT_EQ(without_addresses("guid 0002:c903:00a1:b2c3."), "guid <address>.");
  EXPECT_EQ(without_addresses("0f3c1e2d-aaaa-bbbb-cccc-001122334455"), "<address>");
  EXPECT_EQ(without_addresses("10.0.0.1:eth0"), "<address>:eth0");
}

TEST(addresses, other_texts_stay) {
  for (const auto* text :
       {"", "self,vader,tcp", "12:34:56", "1.2.3", "4.1.4", "1.2.3.4.5", "0-3,8", "256.1.1.1", "std::string",
        "n10.0.0.1x", "deadbeef", "^openib", "x::y", "..", "::", "a:b"})
    EXPECT_EQ(without_addresses(text), text);
}

TEST(utf8, broken_bytes_become_replacement_characters) {
  EXPECT_EQ(valid_utf8("na\xC3\xAFve \xE2\x82\xAC \xF0\x9F\x98\x80"),
            "na\xC3\xAFve \xE2\x82\xAC \xF0\x9F\x98\x80");
  EXPECT_EQ(valid_utf8("a\xFF\x62"), "a\xEF\xBF\xBD\x62");
  EXPECT_EQ(valid_utf8("\xC3"), "\xEF\xBF\xBD");
  EXPECT_EQ(valid_utf8("\xC0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(valid_utf8("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(private_text, home_and_user_are_replaced_as_whole_words) {
  const EnvironmentVariable home("HOME", "/home/alice/");
  const EnvironmentVariable user("USER", "alice");
  EXPECT_EQ(without_private("/home/alice/x:/scratch/alice"), "~/x:/scratch/<user>");
  EXPECT_EQ(without_private("/home/alice"), "~");
  EXPECT_EQ(without_private("alice@host"), "<user>@host");
  EXPECT_EQ(without_private("malice /home/alicea alice-2"), "malice /home/alicea alice-2");
}

TEST(private_text, a_root_directory_as_home_does_not_swallow_paths) {
  const EnvironmentVariable home("HOME", "/");
  EXPECT_EQ(without_private("/a/b"), "/a/b");
}

TEST(variables, only_listed_prefixes_without_secrets) {
  for (const auto* name : {"OMP_NUM_THREADS", "OMPI_MCA_btl", "PRTE_MCA_hwloc_default_binding_policy",
                           "UCX_TLS", "MPICH_CH4_NETMOD", "SLURM_NTASKS", "SLURM_MEM_PER_CPU", "FI_PROVIDER"})
    EXPECT_TRUE(recorded_variable(name)) << name;
  for (const auto* name :
       {"PATH", "HOME", "USER", "SLURM_JOB_USER", "SSH_CONNECTION", "MY_OMP_X", "UCX_TOKEN", "FI_Secret",
        "OMPI_MCA_KEY", "MKL_PASSWORD", "I_MPI_CREDENTIALS", "OMPI_MCA_orte_hnp_uri",
        "OMPI_MCA_orte_precondition_transports", "OMPI_MCA_initial_wdir", "OMPI_MCA_orte_ess_jobid"})
    EXPECT_FALSE(recorded_variable(name)) << name;
}

/// Addresses of this host in their usual notation.
std::vector<std::string> host_addresses() {
  std::vector<std::string> list;
  ifaddrs* first = nullptr;
  if (::getifaddrs(&first) != 0) return list;
  for (const auto* entry = first; entry != nullptr; entry = entry->ifa_next) {
    std::array<char, NI_MAXHOST> text{};
    if (entry->ifa_addr == nullptr) continue;
    const auto family = entry->ifa_addr->sa_family;
    const socklen_t length = family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
    if ((family == AF_INET || family == AF_INET6) &&
        ::getnameinfo(entry->ifa_addr, length, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST) == 0)
      list.emplace_back(text.data());
  }
  ::freeifaddrs(first);
  std::erase_if(list, [](const auto& a) { return a == "::1" || a.size() < 7; });
  return list;
}

std::vector<std::string> hardware_addresses() {
  std::vector<std::string> list;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/sys/class/net", error)) {
    std::string text;
    std::getline(std::ifstream(entry.path() / "address"), text);
    if (!text.empty() && text != "00:00:00:00:00:00") list.push_back(text);
  }
  return list;
}

/// Everything that this room gives to records, in one text.
std::string everything() {
  const auto here = std::filesystem::current_path();
  std::string text;
  for (const auto& document :
       {describe_machine(), describe_environment_variables(), describe_job(), describe_libraries(),
        describe_directory(here), describe_directory("/home/hostileuser/io"), describe_program()})
    text += document.json().dump() + "\n";
  Situation situation;
  situation.io_directory = here;
  situation.window = std::chrono::milliseconds(0);
  for (const auto& finding : examine(situation)) text += finding.text + finding.cure + "\n";
  return text;
}

TEST(records, hold_no_secret_of_a_hostile_environment) {
  const EnvironmentVariable home("HOME", "/home/hostileuser");
  const EnvironmentVariable user("USER", "hostileuser");
  const EnvironmentVariable login("LOGNAME", "hostileuser");
  const EnvironmentVariable token("OMPI_MCA_some_token", "hunter2token");
  const EnvironmentVariable key("UCX_API_KEY", "hunter2key");
  const EnvironmentVariable secret("FI_secret_x", "hunter2secret");
  const EnvironmentVariable pass("MKL_PASSPHRASE", "hunter2pass");
  const EnvironmentVariable cred("I_MPI_CRED", "hunter2cred");
  const EnvironmentVariable other("MY_PROJECT", "hunter2project");
  const EnvironmentVariable files("OMPI_MCA_mca_base_param_files",
                                  "/home/hostileuser/.openmpi/x:/scratch/hostileuser/y");
  const EnvironmentVariable peers("OMPI_MCA_btl_tcp_if_include", "10.99.98.97/8");
  const EnvironmentVariable contact("OMPI_MCA_orte_hnp_uri", "1.0;tcp://10.99.98.97:99");
  const EnvironmentVariable broken("OMP_DISPLAY_ENV", "\xFF\xFE");
  const EnvironmentVariable job("SLURM_JOB_ID", "4711");
  const EnvironmentVariable owner("SLURM_JOB_USER", "hostileuser");
  const EnvironmentVariable job_name("SLURM_JOB_NAME", "run of hostileuser");
  const auto text = everything();
  for (const auto* forbidden : {"hostileuser", "hunter2", "10.99.98.97"})
    EXPECT_THAT(text, Not(HasSubstr(forbidden)));
  for (const auto& address : host_addresses()) EXPECT_THAT(text, Not(HasSubstr(address)));
  for (const auto& address : hardware_addresses()) EXPECT_THAT(text, Not(HasSubstr(address)));
  EXPECT_THAT(text, HasSubstr("~/.openmpi/x:/scratch/<user>/y")) << "what may be written is";
}

TEST(privacy, names_of_the_user_by_every_batch_system_are_withheld) {
  for (const auto* name : {"SLURM_JOB_USER", "PBS_O_LOGNAME", "LSFUSER", "SGE_O_LOGNAME", "OAR_USER"}) {
    const EnvironmentVariable owner(name, "hostileuser");
    EXPECT_EQ(without_private("/scratch/hostileuser/x"), "/scratch/<user>/x") << name;
  }
}

using steelyard::record::EventRecord;
using steelyard::record::PointRecord;
using steelyard::record::RunRecord;
using testing::ElementsAre;

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
