// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "machine/build_info.hpp"
#include "machine/environment.hpp"
#include "record/json.hpp"
#include "tree.hpp"

namespace {

using namespace steelyard::machine;
using steelyard::record::Json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Json describe(const std::string& tree) {
  return describe_machine(recorded_tree(tree).roots()).json();
}

TEST(bare_metal, uname_is_the_tree_s) {
  EXPECT_EQ(describe("bare_metal")["uname"],
            Json({{"machine", "x86_64"},
                  {"sysname", "Linux"},
                  {"release", "5.14.0-362.el9.x86_64"},
                  {"version", "#1 SMP PREEMPT_DYNAMIC Wed Nov 8 17:36:32 UTC 2023"}}));
}

TEST(bare_metal, sockets_cores_and_threads_are_counted) {
  const auto machine = describe("bare_metal");
  EXPECT_EQ(machine["processor"], "Intel(R) Xeon(R) Platinum 8480+");
  EXPECT_EQ(machine["processor_family"], 6);
  EXPECT_EQ(machine["processor_model"], 143);
  EXPECT_EQ(machine["processor_stepping"], 8);
  EXPECT_EQ(machine["microcode"], "0x2b000461");
  EXPECT_EQ(machine["sockets"], 2);
  EXPECT_EQ(machine["cores"], 4);
  EXPECT_EQ(machine["threads_per_core"], 2);
  EXPECT_EQ(machine["logical_processors"], 8);
}

TEST(bare_metal, memory_encryption_is_no_vector_extension) {
  EXPECT_EQ(describe("bare_metal")["vector_flags"], Json({"sse2", "avx2", "avx512f", "amx_tile"}));
}

TEST(bare_metal, frequencies_are_in_hertz) {
  const auto machine = describe("bare_metal");
  EXPECT_EQ(machine["governor"], "performance,powersave");
  EXPECT_EQ(machine["frequency"], Json({{"driver", "intel_pstate"},
                                        {"preference", "balance_performance"},
                                        {"boost", true},
                                        {"base_hz", 2.0e9},
                                        {"min_hz", 0.8e9},
                                        {"max_hz", 3.8e9},
                                        {"current_min_hz", 2.0e9},
                                        {"current_max_hz", 3.8e9}}));
}

TEST(bare_metal, each_kind_of_cache_is_listed_once_with_its_number) {
  const auto caches = describe("bare_metal")["caches"];
  ASSERT_EQ(caches.size(), 3);
  EXPECT_EQ(caches[0], Json({{"level", 1},
                             {"kind", "data"},
                             {"size_byte", 49152},
                             {"line_byte", 64},
                             {"ways", 12},
                             {"shared_by", 2},
                             {"count", 4}}));
  EXPECT_EQ(caches[1]["size_byte"], 53760 * 1024);
  EXPECT_EQ(caches[1]["shared_by"], 4);
  EXPECT_EQ(caches[2]["size_byte"], 107520 * 1024);
  EXPECT_EQ(caches[2]["count"], 1);
  EXPECT_TRUE(caches[2]["ways"].is_null());
}

TEST(bare_metal, memory_is_in_bytes) {
  const auto machine = describe("bare_metal");
  EXPECT_EQ(machine["memory_byte"], 65536000LL * 1024);
  EXPECT_EQ(machine["available_byte"], 60000000LL * 1024);
  EXPECT_EQ(machine["swap_byte"], 8388608LL * 1024);
  EXPECT_EQ(machine["swap_used_byte"], 2097152LL * 1024);
  EXPECT_EQ(machine["huge_pages"]["transparent"], "always");
  EXPECT_EQ(machine["huge_pages"]["transparent_defrag"], "madvise");
  EXPECT_EQ(machine["huge_pages"]["transparent_shared"], "never");
  EXPECT_EQ(machine["write_back"]["dirty_expire_centisecs"], 3000);
}

TEST(bare_metal, pools_of_huge_pages_are_listed) {
  const auto pools = describe("bare_metal")["huge_pages"]["pools"];
  EXPECT_EQ(pools, Json::array({Json{{"size_byte", 1 << 30}, {"total", 0}, {"free", 0}},
                                Json{{"size_byte", 2 << 20}, {"total", 16}, {"free", 15}}}));
}

TEST(bare_metal, numa_nodes_have_processors_memory_and_distances) {
  const auto nodes = describe("bare_metal")["numa"];
  ASSERT_EQ(nodes.size(), 2);
  EXPECT_EQ(nodes[1], Json({{"node", 1},
                            {"processors", "2-3,6-7"},
                            {"memory_byte", 32768000LL * 1024},
                            {"free_byte", 19000000LL * 1024},
                            {"distances", {21, 10}}}));
}

TEST(bare_metal, an_absent_limit_is_null) {
  const auto limits = describe("bare_metal")["limits"];
  EXPECT_EQ(limits["stack_byte"], Json({{"soft", 8388608}, {"hard", nullptr}}));
  EXPECT_EQ(limits["locked_byte"], Json({{"soft", 65536}, {"hard", 65536}}));
  EXPECT_EQ(limits["address_space_byte"], Json({{"soft", nullptr}, {"hard", nullptr}}));
}

TEST(bare_metal, only_listed_words_of_the_kernel_s_command_line_are_taken) {
  const auto kernel = describe("bare_metal")["kernel"];
  EXPECT_EQ(kernel["command_line"], Json({{"isolcpus", "2-3"}, {"nohz_full", "2-3"}, {"tsc", "reliable"}}));
  EXPECT_EQ(kernel["preemption"], "preempt_dynamic");
  EXPECT_EQ(kernel["clock_source"], "hpet");
  EXPECT_EQ(kernel["numa_balancing"], 1);
  EXPECT_EQ(kernel["scheduler"], Json({{"sched_rt_runtime_us", 950000}}));
}

TEST(bare_metal, mitigations_are_listed) {
  EXPECT_EQ(describe("bare_metal")["mitigations"],
            Json({{"meltdown", "Not affected"}, {"spectre_v2", "Mitigation: Enhanced IBRS"}}));
}

TEST(bare_metal, interfaces_have_no_addresses_even_in_their_names) {
  const auto interfaces = describe("bare_metal")["network"]["interfaces"];
  ASSERT_EQ(interfaces.size(), 2);
  EXPECT_EQ(interfaces[0], Json({{"name", "enx"},
                                 {"state", "up"},
                                 {"speed_byte_s", 3.125e9},
                                 {"mtu_byte", 9000},
                                 {"driver", "mlx5_core"}}));
  EXPECT_TRUE(interfaces[1]["speed_byte_s"].is_null());
}

TEST(bare_metal, fabric_adapters_have_rate_and_state_of_each_port) {
  const auto adapter = describe("bare_metal")["network"]["infiniband"][0];
  EXPECT_EQ(adapter["firmware"], "28.39.1002");
  EXPECT_EQ(adapter["ports"][0], Json({{"port", 1},
                                       {"state", "active"},
                                       {"physical_state", "linkup"},
                                       {"link", "InfiniBand"},
                                       {"rate", "400 Gb/sec (4X NDR)"},
                                       {"rate_byte_s", 50e9}}));
  EXPECT_EQ(adapter["ports"][1]["state"], "down");
}

TEST(bare_metal, nothing_that_names_this_very_machine_is_taken) {
  const auto text = describe("bare_metal").dump();
  for (const auto* secret : {"aabbccddeeff", "aa:bb:cc", "0002:c903", "fast17", "SERIAL99", "10.20.30.40",
                             "0f3c1e2d", "alice", "user-1000", "session-3"})
    EXPECT_THAT(text, Not(HasSubstr(secret)));
}

TEST(bare_metal, power_counters_say_whether_they_can_be_read) {
  const auto machine = describe("bare_metal");
  EXPECT_EQ(machine["power"]["zones"], Json::array({Json{{"zone", "package-0"}, {"readable", true}},
                                                    Json{{"zone", "dram"}, {"readable", false}}}));
  EXPECT_EQ(machine["power"]["temperatures"],
            Json::array({Json{{"sensor", "x86_pkg_temp"}, {"celsius", 41.5}}}));
  EXPECT_EQ(machine["power"]["throttle_events"], 12);
  EXPECT_EQ(machine["missing"]["/sys/class/powercap/intel-rapl:0:0/energy_uj"], "No such file or directory");
}

TEST(bare_metal, is_no_virtual_machine) {
  const auto machine = describe("bare_metal");
  EXPECT_EQ(machine["virtual_machine"], false);
  EXPECT_EQ(machine["virtualisation"]["system"], "Dell Inc. PowerEdge R760");
  EXPECT_EQ(machine["container"]["control_groups"], "v2");
  EXPECT_TRUE(machine["container"]["quota_cores"].is_null());
}

TEST(bare_metal, time_and_load_are_read) {
  const auto machine = describe("bare_metal");
  EXPECT_EQ(machine["uptime_s"], 86400.5);
  EXPECT_EQ(machine["load"], Json({0.25, 0.5, 0.75}));
}

TEST(virtual_machine, is_recognised_by_flag_and_firmware) {
  const auto machine = describe("virtual_machine");
  EXPECT_EQ(machine["virtual_machine"], true);
  EXPECT_EQ(machine["virtualisation"]["hypervisor"], "kvm");
  EXPECT_EQ(machine["virtualisation"]["hypervisor_flag"], true);
}

TEST(virtual_machine, cores_come_from_cpuinfo_when_sysfs_has_none) {
  const auto machine = describe("virtual_machine");
  EXPECT_EQ(machine["sockets"], 2);
  EXPECT_EQ(machine["cores"], 2);
  EXPECT_EQ(machine["threads_per_core"], 2);
}

TEST(virtual_machine, what_is_not_there_is_null_with_a_reason) {
  const auto machine = describe("virtual_machine");
  for (const auto* member : {"governor", "caches", "numa", "topology", "mitigations"})
    EXPECT_TRUE(machine[member].is_null()) << member;
  EXPECT_TRUE(machine["frequency"]["max_hz"].is_null());
  const auto& missing = machine["missing"];
  EXPECT_EQ(missing["/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"], "No such file or directory");
  EXPECT_EQ(missing["/sys/devices/system/cpu/cpu*/cache"], "No such file or directory");
  EXPECT_EQ(missing["/sys/devices/system/node"], "No such file or directory");
  EXPECT_TRUE(missing.contains("topology"));
}

TEST(container_v2, kind_and_limits_are_told) {
  const auto container = describe("container_v2")["container"];
  EXPECT_EQ(container["kind"], "docker");
  EXPECT_EQ(container["quota_cores"], 1.5);
  EXPECT_EQ(container["memory_limit_byte"], 8000000000);
  EXPECT_EQ(container["throttled_s"], 0.25);
}

TEST(cgroup_v1, kind_and_limits_are_told) {
  const auto container = describe("cgroup_v1")["container"];
  EXPECT_EQ(container["kind"], "docker");
  EXPECT_EQ(container["control_groups"], "v1");
  EXPECT_EQ(container["quota_cores"], 0.5);
  EXPECT_EQ(container["memory_limit_byte"], 2000000000);
  EXPECT_EQ(container["throttled_s"], 1.5);
}

TEST(arm, processor_is_named_by_its_part_number) {
  const auto machine = describe("arm");
  EXPECT_EQ(machine["processor"], "ARM Neoverse-V2");
  EXPECT_EQ(machine["processor_stepping"], "variant 0x0 revision 1");
  EXPECT_EQ(machine["vector_flags"], Json({"asimd", "sve", "sve2", "sme"}));
  EXPECT_TRUE(machine["sockets"].is_null()) << "the kernel writes -1";
  EXPECT_TRUE(machine["missing"].contains("/sys/devices/system/cpu/cpu*/topology/physical_package_id"));
  EXPECT_EQ(machine["cores"], 2);
  EXPECT_EQ(machine["frequency"]["current_max_hz"], 3.4e9);
  EXPECT_EQ(machine["frequency"]["boost"], false);
  EXPECT_TRUE(machine["virtual_machine"].is_null());
  EXPECT_EQ(machine["kernel"]["command_line"], Json({{"mitigations", "off"}}));
}

TEST(arm, guest_is_recognised_by_the_device_tree) {
  const auto kind_with = [](const std::string& files) {
    auto tree = Tree::recorded("arm");
    tree.add(files);
    return describe_machine(tree.roots()).json()["virtualisation"]["hypervisor"];
  };
  EXPECT_EQ(kind_with("@ /proc/device-tree/hypervisor/compatible = linux,kvm\n"), "kvm");
  EXPECT_EQ(kind_with("@ /proc/device-tree/hypervisor/compatible = xen,xen-4.17\n"), "xen");
  EXPECT_EQ(kind_with("@ /proc/device-tree/compatible = linux,dummy-virt\n"), "qemu");
  EXPECT_TRUE(kind_with("@ /proc/device-tree/compatible = fujitsu,a64fx\n").is_null());
}

TEST(mainframe, guest_is_recognised_by_its_control_program) {
  const auto described = [](const std::string& page) {
    const Files files{{"/proc/sysinfo", page}};
    return describe_machine({.files = &files}).json();
  };
  EXPECT_EQ(described("Manufacturer: IBM\nVM00 Control Program: KVM/Linux\n")["virtualisation"]["hypervisor"],
            "kvm");
  EXPECT_EQ(described("VM00 Control Program: z/VM    7.2.0\n")["virtualisation"]["hypervisor"], "zvm");
  EXPECT_EQ(described("VM00 Control Program: z/VM    7.2.0\n")["virtual_machine"], true);
  EXPECT_TRUE(described("LPAR Name: PROD1\n")["virtualisation"]["hypervisor"].is_null());
}

TEST(arm, unknown_parts_are_named_by_their_numbers) {
  auto tree = Tree::recorded("arm");
  tree.add("@ /proc/cpuinfo\nprocessor : 0\nCPU implementer : 0x99\nCPU part : 0x001\n");
  EXPECT_EQ(describe_machine(tree.roots()).json()["processor"], "ARM implementer 0x99 part 0x001");
}

TEST(arm, all_kinds_of_cores_are_named) {
  auto tree = Tree::recorded("arm");
  tree.add(
      "@ /proc/cpuinfo\nprocessor : 0\nCPU implementer : 0x41\nCPU part : 0xd05\n"
      "processor : 1\nCPU implementer : 0x41\nCPU part : 0xd0b\n");
  EXPECT_EQ(describe_machine(tree.roots()).json()["processor"], "ARM Cortex-A55, ARM Cortex-A76");
}

TEST(processor, is_named_by_the_words_of_every_architecture) {
  const auto described = [](const std::string& cpuinfo) {
    const Files files{{"/proc/cpuinfo", cpuinfo}};
    return describe_machine({.files = &files}).json();
  };
  EXPECT_EQ(described("processor\t\t: 0\nModel Name\t\t: Loongson-3C5000\n")["processor"], "Loongson-3C5000");
  const auto mainframe = described(
      "vendor_id : IBM/S390\nfeatures : esan3 vx vxe\nprocessor 0: version = 00,  machine = 3906\n");
  EXPECT_EQ(mainframe["processor"], "IBM/S390 3906");
  EXPECT_EQ(mainframe["logical_processors"], 1);
  EXPECT_EQ(mainframe["vector_flags"], Json({"vx", "vxe"}));
  const auto five = described("processor : 0\nisa : rv64imafdcv_zicsr_zvfh\nuarch : thead,c920\n");
  EXPECT_EQ(five["processor"], "thead,c920");
  EXPECT_EQ(five["vector_flags"], Json({"v", "zvfh"}));
}

TEST(processor, without_topology_has_cores_that_nobody_knows) {
  const Files files{{"/proc/cpuinfo", "processor : 0\nprocessor : 1\n"}};
  const auto machine = describe_machine({.files = &files}).json();
  for (const auto* member : {"sockets", "cores", "threads_per_core"})
    EXPECT_TRUE(machine[member].is_null()) << member;
  EXPECT_EQ(machine["logical_processors"], 2);
}

TEST(caches, those_that_cpuinfo_alone_tells_are_of_an_unknown_number) {
  const Files files{
      {"/proc/cpuinfo",
       "cache0 : level=1 type=Data scope=Private size=128K line_size=256 associativity=8\n"
       "cache1 : level=3 type=Unified scope=Shared size=131072K line_size=256 associativity=32\n"
       "processor 0: version = 00,  machine = 3906\n"},
      {"/sys/devices/system/cpu/cpu0/cache/index0/level", "1"},
      {"/sys/devices/system/cpu/cpu0/cache/index0/type", "Data"},
      {"/sys/devices/system/cpu/cpu0/cache/index0/size", "128K"},
      {"/sys/devices/system/cpu/cpu0/cache/index0/shared_cpu_list", "0"}};
  const auto caches = describe_machine({.files = &files}).json()["caches"];
  ASSERT_EQ(caches.size(), 2U);
  EXPECT_EQ(caches[0]["count"], 1);
  EXPECT_EQ(caches[1]["level"], 3);
  EXPECT_EQ(caches[1]["size_byte"], 131072 * 1024);
  EXPECT_TRUE(caches[1]["count"].is_null());
  EXPECT_TRUE(caches[1]["shared_by"].is_null());
}

TEST(empty_tree, gives_nulls_and_reasons_and_never_throws) {
  const Tree tree("");
  const auto machine = describe_machine(tree.roots()).json();
  for (const auto* member :
       {"processor", "memory_byte", "available_byte", "limits", "load", "uptime_s", "caches"})
    EXPECT_TRUE(machine[member].is_null()) << member;
  EXPECT_EQ(machine["missing"]["/proc/cpuinfo"], "No such file or directory");
  EXPECT_EQ(machine["missing"]["/proc/meminfo"], "No such file or directory");
}

TEST(firmware, names_in_a_foreign_encoding_can_be_written) {
  const Tree tree("@ /sys/class/dmi/id/sys_vendor = B\xFCll\n");
  const auto machine = describe_machine(tree.roots()).json();
  EXPECT_NO_THROW(static_cast<void>(machine.dump()));
  EXPECT_EQ(machine["virtualisation"]["system"], "B\xEF\xBF\xBDll");
}

TEST(empty_tree, unreadable_files_give_their_error) {
  Tree tree("@ /proc/meminfo/is_a_directory = 1\n");
  EXPECT_EQ(describe_machine(tree.roots()).json()["missing"]["/proc/meminfo"], "Is a directory");
}

TEST(program, has_the_members_that_the_schema_wants) {
  const auto program = describe_program().json();
  EXPECT_EQ(program["name"], "steelyard");
  EXPECT_EQ(program["version"], version());
  EXPECT_TRUE(program["commit"].is_string() || program["commit"].is_null());
  EXPECT_TRUE(program["modified"].is_boolean() || program["modified"].is_null());
  EXPECT_TRUE(program["modified"].is_null() ||
              program["commit"].is_string());  // an archive has a commit alone
  EXPECT_TRUE(program["build"]["type"].is_string());
  EXPECT_FALSE(program["build"]["compiler"].get<std::string>().empty());
  for (const auto* library : {"fmt", "CLI11", "nlohmann_json", "toml++"})
    EXPECT_THAT(program["build"]["libraries"][library].get<std::string>(), HasSubstr(".")) << library;
}

TEST(program, version_is_three_numbers) {
  EXPECT_THAT(version(), testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
}

TEST(version_line, names_version_build_compiler_and_mpi) {
  const auto line = version_line("Some MPI v9");
  EXPECT_TRUE(line.starts_with("steelyard " + version() + " ("));
  EXPECT_THAT(line, HasSubstr(", Some MPI v9,"));
  EXPECT_THAT(line, HasSubstr(", " + build_info().compiler + ","));
  EXPECT_TRUE(line.ends_with(")"));
  EXPECT_THAT(version_line(""), Not(HasSubstr("Some MPI")));
}

TEST(libraries, those_in_use_have_versions) {
  const auto libraries = describe_libraries().json();
  EXPECT_THAT(libraries["fmt"].get<std::string>(), HasSubstr("."));
  EXPECT_TRUE(libraries.contains("blas"));
  EXPECT_TRUE(libraries.contains("fft"));
}

}  // namespace
