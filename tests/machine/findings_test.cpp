// SPDX-License-Identifier: Apache-2.0
#include "machine/findings.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "environment_variable.hpp"
#include "machine/blas.hpp"
#include "tree.hpp"

namespace {

using namespace steelyard::machine;
using testing::HasSubstr;

/// Without watching other load.
Situation still() {
  Situation situation;
  situation.window = std::chrono::milliseconds(0);
  return situation;
}

const Finding* find(const std::vector<Finding>& findings, std::string_view code) {
  const auto found = std::ranges::find(findings, code, &Finding::code);
  return found == findings.end() ? nullptr : &*found;
}

std::vector<Finding> examine_tree(const std::string& name, const Situation& situation = still()) {
  return examine(situation, recorded_tree(name).roots());
}

/// Whether a finding of that code is told of a recorded tree.
bool told(const std::string& tree, std::string_view code, const Situation& situation = still()) {
  return find(examine_tree(tree, situation), code) != nullptr;
}

NodeLoad load_of(double busy_share, double steal_share) {
  NodeLoad load;
  load.busy_s = busy_share;
  load.busy_share = busy_share;
  load.steal_share = steal_share;
  load.resolution = 0.01;
  return load;
}

Affinity bound_to(std::vector<int> processors) {
  return {.processors = processors, .cores = processors};
}

TEST(findings, every_one_has_a_section_and_a_sentence) {
  for (const auto* tree : {"bare_metal", "virtual_machine", "container_v2", "cgroup_v1", "arm"})
    for (const auto& finding : examine_tree(tree)) {
      EXPECT_FALSE(finding.section.empty());
      EXPECT_TRUE(finding.text.ends_with(".")) << finding.text;
      EXPECT_EQ(finding.level == Level::ok, finding.code.empty()) << finding.text;
      EXPECT_TRUE(finding.code.empty() || steelyard::record::is_event_code(finding.code)) << finding.code;
    }
}

TEST(findings, warnings_and_problems_have_a_cure) {
  for (const auto* tree : {"bare_metal", "virtual_machine", "container_v2", "cgroup_v1", "arm"})
    for (const auto& finding : examine_tree(tree))
      EXPECT_TRUE(finding.level < Level::warning || !finding.cure.empty()) << finding.text;
}

TEST(findings, an_empty_tree_does_not_throw) {
  EXPECT_FALSE(examine(still(), Tree("").roots()).empty());
}

TEST(findings, processors_that_nothing_tells_of_are_not_oversubscribed) {
  const auto findings = examine(still(), Tree("").roots());
  EXPECT_EQ(find(findings, "oversubscribed"), nullptr);
  const auto model = std::ranges::find(findings, "processors", &Finding::section);
  ASSERT_NE(model, findings.end());
  EXPECT_EQ(model->text, "Unknown processor: number of processors unknown.");
}

TEST(findings, an_unknown_topology_is_said_to_be_unknown) {
  const Files files{
      {"/proc/cpuinfo", "processor : 0\nCPU implementer : 0x41\nCPU part : 0xd0c\nprocessor : 1\n"}};
  const auto findings = examine(still(), {.files = &files});
  const auto model = std::ranges::find(findings, "processors", &Finding::section);
  ASSERT_NE(model, findings.end());
  EXPECT_EQ(model->text,
            "ARM Neoverse-N1: 2 logical processors of an unknown number of cores; 2 of them usable here.");
}

TEST(findings, levels_have_words) {
  EXPECT_EQ(text(Level::ok), "ok");
  EXPECT_EQ(text(Level::note), "note");
  EXPECT_EQ(text(Level::warning), "warning");
  EXPECT_EQ(text(Level::problem), "problem");
}

TEST(oversubscribed, when_threads_exceed_cores_and_not_before) {
  auto situation = still();
  situation.processes_on_node = 4;
  EXPECT_FALSE(told("bare_metal", "oversubscribed", situation));
  situation.processes_on_node = 5;
  EXPECT_TRUE(told("bare_metal", "oversubscribed", situation));
  situation.processes_on_node = 2;
  situation.threads = 3;
  const auto findings = examine_tree("bare_metal", situation);
  ASSERT_NE(find(findings, "oversubscribed"), nullptr);
  EXPECT_EQ(find(findings, "oversubscribed")->level, Level::warning);
  EXPECT_THAT(find(findings, "oversubscribed")->cure, HasSubstr("at most 1 process "));
}

TEST(oversubscribed, says_what_happens_with_as_many_hardware_threads_and_with_fewer) {
  auto situation = still();
  for (const auto& [processes, said] :
       {std::pair{8, "8 processes of 1 thread share 4 cores: hardware threads of a core share its units"},
        std::pair{9, "9 processes of 1 thread share 4 cores: they wait for each other's time slices"}}) {
    situation.processes_on_node = processes;
    const auto findings = examine_tree("bare_metal", situation);
    ASSERT_NE(find(findings, "oversubscribed"), nullptr);
    EXPECT_THAT(find(findings, "oversubscribed")->text, HasSubstr(said));
  }
}

TEST(oversubscribed, the_union_of_masks_counts_not_the_machine) {
  auto situation = still();
  situation.processes_on_node = 2;
  situation.ranks = {bound_to({0, 4}), bound_to({0, 4})};
  EXPECT_TRUE(told("bare_metal", "oversubscribed", situation));
}

TEST(oversubscribed, two_ranks_on_the_same_single_processor) {
  auto situation = still();
  situation.processes_on_node = 3;
  situation.ranks = {bound_to({1}), bound_to({1}), bound_to({2, 3})};
  EXPECT_TRUE(told("bare_metal", "oversubscribed", situation));
  situation.ranks = {bound_to({1}), bound_to({0}), bound_to({2, 3})};
  EXPECT_FALSE(told("bare_metal", "oversubscribed", situation));
}

TEST(shared_core, two_ranks_on_threads_of_one_core) {
  auto situation = still();
  situation.processes_on_node = 2;
  situation.ranks = {bound_to({1}), bound_to({5}), bound_to({2}), bound_to({3})};
  EXPECT_TRUE(told("bare_metal", "shared_core", situation));
  situation.ranks = {bound_to({1}), bound_to({6})};
  EXPECT_FALSE(told("bare_metal", "shared_core", situation));
}

TEST(unpinned, masks_of_more_than_one_core) {
  auto situation = still();
  situation.processes_on_node = 2;
  situation.ranks = {bound_to({0, 4}), bound_to({1, 5})};
  EXPECT_FALSE(told("bare_metal", "unpinned", situation)) << "threads of one core count as one";
  situation.ranks = {bound_to({0, 1, 2, 3}), bound_to({1, 5})};
  const auto findings = examine_tree("bare_metal", situation);
  ASSERT_NE(find(findings, "unpinned"), nullptr);
  EXPECT_EQ(find(findings, "unpinned")->level, Level::warning);
  situation.threads = 4;
  EXPECT_FALSE(told("bare_metal", "unpinned", situation)) << "room for its threads is no freedom";
}

TEST(unpinned, is_a_note_where_cores_abound) {
  auto situation = still();
  situation.ranks = {bound_to({0, 1, 2, 3})};
  const auto findings = examine_tree("bare_metal", situation);
  ASSERT_NE(find(findings, "unpinned"), nullptr);
  EXPECT_EQ(find(findings, "unpinned")->level, Level::note);
}

TEST(unpinned, is_not_said_where_no_rank_is_known) {
  EXPECT_FALSE(told("bare_metal", "unpinned"));
}

TEST(frequency_scaling, only_the_governors_of_used_processors_count) {
  auto situation = still();
  situation.ranks = {bound_to({0})};
  EXPECT_FALSE(told("bare_metal", "frequency_scaling", situation));
  situation.ranks = {bound_to({2})};
  EXPECT_TRUE(told("bare_metal", "frequency_scaling", situation));
  EXPECT_FALSE(told("virtual_machine", "frequency_scaling")) << "no governor is no finding";
}

TEST(turbo, is_noted_when_on) {
  EXPECT_TRUE(told("bare_metal", "turbo"));
  EXPECT_FALSE(told("arm", "turbo"));
  auto tree = Tree::recorded("bare_metal");
  tree.add("@ /sys/devices/system/cpu/intel_pstate/no_turbo = 1\n");
  EXPECT_EQ(find(examine(still(), tree.roots()), "turbo"), nullptr);
}

TEST(smt_on, follows_the_kernel_s_switch) {
  EXPECT_TRUE(told("bare_metal", "smt_on"));
  EXPECT_FALSE(told("virtual_machine", "smt_on"));
}

TEST(virtual_machine_finding, only_in_virtual_machines) {
  EXPECT_TRUE(told("virtual_machine", "virtual_machine"));
  EXPECT_FALSE(told("bare_metal", "virtual_machine"));
  EXPECT_FALSE(told("arm", "virtual_machine"));
}

TEST(container_quota, below_the_demand_and_not_above) {
  auto situation = still();
  EXPECT_FALSE(told("container_v2", "container_quota", situation));
  situation.processes_on_node = 2;
  const auto findings = examine_tree("container_v2", situation);
  ASSERT_NE(find(findings, "container_quota"), nullptr);
  EXPECT_THAT(find(findings, "container_quota")->text, HasSubstr("1.5"));
  EXPECT_TRUE(told("cgroup_v1", "container_quota"));
}

TEST(no_isolation, where_the_kernel_was_not_told) {
  EXPECT_TRUE(told("virtual_machine", "no_isolation"));
  EXPECT_FALSE(told("bare_metal", "no_isolation"));
  EXPECT_FALSE(told("cgroup_v1", "no_isolation")) << "an unreadable command line says nothing";
}

TEST(busy_neighbours, load_average_above_the_processes) {
  auto situation = still();
  situation.processes_on_node = 2;
  EXPECT_TRUE(told("virtual_machine", "busy_neighbours", situation));
  situation.processes_on_node = 3;
  EXPECT_FALSE(told("virtual_machine", "busy_neighbours", situation));
}

TEST(busy_neighbours, time_of_others_above_two_percent) {
  const auto load = load_of(0.10, 0.0);
  Findings findings;
  examine_load(load, 0.08, findings);
  EXPECT_TRUE(findings.empty()) << "own time and one step of counting are no neighbours";
  examine_load(load, 0.06, findings);
  ASSERT_EQ(findings.size(), 1);
  EXPECT_EQ(findings[0].code, "busy_neighbours");
  EXPECT_THAT(findings[0].text, HasSubstr("3.0 %"));
}

TEST(steal, above_half_a_percent) {
  auto load = load_of(0.0, 0.014);
  Findings findings;
  examine_load(load, 0, findings);
  EXPECT_TRUE(findings.empty());
  load.steal_share = 0.02;
  examine_load(load, 0, findings);
  ASSERT_EQ(findings.size(), 1);
  EXPECT_EQ(findings[0].code, "steal");
}

TEST(debug_build, unoptimised_and_sanitized_builds_are_told) {
  BuildInfo build;
  build.type = "Release";
  build.optimised = true;
  Findings findings;
  examine_build(build, findings);
  ASSERT_EQ(findings.size(), 1);
  EXPECT_EQ(findings[0].level, Level::ok);
  build.sanitizers = "address";
  build.optimised = false;
  findings.clear();
  examine_build(build, findings);
  ASSERT_EQ(findings.size(), 2);
  EXPECT_EQ(findings[0].code, "debug_build");
  EXPECT_EQ(findings[1].code, "debug_build");
}

TEST(mpi4, is_told_by_the_names_that_the_library_has_for_it) {
  BuildInfo build;
  build.optimised = true;
  build.options = {{"MPI", "ON"}};
  build.libraries = {{"persistent collectives", "MPIX_"}};
  Findings findings;
  examine_build(build, findings);
  ASSERT_EQ(findings.size(), 2);
  EXPECT_EQ(findings[1].text,
            "MPI-4 when it was built: persistent collectives: MPIX_, partitioned communication: none.");
  build.options = {{"MPI", "OFF"}};
  findings.clear();
  examine_build(build, findings);
  EXPECT_EQ(findings.size(), 1);
}

TEST(libraries, without_which_the_program_was_built_are_told) {
  BuildInfo build;
  build.optimised = true;
  build.options = {{"MPI", "OFF"}, {"BLAS", "no"}, {"FFTW", "3.3.10"}, {"hwloc", "no"}};
  Findings findings;
  examine_build(build, findings);
  ASSERT_EQ(findings.size(), 2);
  EXPECT_EQ(findings[1].level, Level::note);
  EXPECT_EQ(findings[1].text, "Built without BLAS, hwloc.");
}

class BlasVariables : public testing::Test {
 protected:
  EnvironmentVariable core_{"OPENBLAS_CORETYPE", std::nullopt};
  EnvironmentVariable cache_{"OPENBLAS_L2_SIZE", std::nullopt};
  EnvironmentVariable threads_{"OMP_NUM_THREADS", std::nullopt};
  EnvironmentVariable blas_threads_{"OPENBLAS_NUM_THREADS", std::nullopt};
  EnvironmentVariable tunables_{"GLIBC_TUNABLES", std::nullopt};
  static Findings findings(int threads) {
    Findings found;
    auto situation = still();
    situation.threads = threads;
    examine_blas_variables(situation, found);
    return found;
  }
};

TEST_F(BlasVariables, none_set_says_nothing) {
  EXPECT_TRUE(findings(1).empty());
}

TEST_F(BlasVariables, a_forced_kernel_is_noted) {
  const EnvironmentVariable forced("OPENBLAS_CORETYPE", "Prescott");
  ASSERT_EQ(findings(1).size(), 1);
  EXPECT_EQ(findings(1)[0].code, "blas_environment");
  EXPECT_THAT(findings(1)[0].cure, HasSubstr("unset OPENBLAS_CORETYPE"));
}

TEST_F(BlasVariables, more_threads_than_counted_on_are_noted) {
  const EnvironmentVariable many("OMP_NUM_THREADS", "4,2");
  EXPECT_EQ(findings(1).size(), 1);
  EXPECT_TRUE(findings(4).empty());
}

TEST_F(BlasVariables, hidden_processor_features_are_noted) {
  const EnvironmentVariable hidden("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-AVX2");
  EXPECT_EQ(findings(1).size(), 1);
}

class BlasKernel : public BlasVariables {
 protected:
  EnvironmentVariable arch_{"BLIS_ARCH_TYPE", std::nullopt};
  EnvironmentVariable instructions_{"MKL_ENABLE_INSTRUCTIONS", std::nullopt};
  static VectorUnits skylake() {
    return vector_units({"sse2", "pni", "ssse3", "sse4_2", "avx", "avx2", "fma", "avx512f", "avx512dq",
                         "avx512bw", "avx512vl", "avx512cd"});
  }
  static VectorUnits haswell() { return vector_units({"sse2", "pni", "ssse3", "avx", "avx2", "fma"}); }
  static Findings judged(const BlasIdentity& blas, const VectorUnits& units) {
    auto found = findings(1);
    judge_blas_kernel(blas, units, found);
    return found;
  }
  static BlasIdentity open_blas(std::string kernel) {
    return {.name = "OpenBLAS",
            .version = "0.3.21",
            .kernel = std::move(kernel),
            .kernels = {"Prescott", "Haswell", "Zen", "SkylakeX", "Cooperlake"}};
  }
  static BlasIdentity blis(std::string kernel) {
    return {.name = "BLIS",
            .version = "0.9.0",
            .kernel = std::move(kernel),
            .kernels = {"skx", "knl", "knc", "haswell", "generic"}};
  }
};

TEST_F(BlasKernel, that_suits_the_processor_is_named) {
  for (const auto& blas : {open_blas("SkylakeX"), open_blas("Cooperlake"), blis("skx")}) {
    const auto found = judged(blas, skylake());
    ASSERT_EQ(found.size(), 1);
    EXPECT_EQ(found[0].level, Level::ok);
    EXPECT_THAT(found[0].text, HasSubstr("kernel " + blas.kernel));
  }
}

TEST_F(BlasKernel, narrower_than_the_processor_is_a_warning_with_the_line_that_cures_it) {
  struct Case {
    BlasIdentity blas;
    VectorUnits units;
    std::string cure;
  };
  const Case cases[] = {
      {open_blas("Prescott"), skylake(), "export OPENBLAS_CORETYPE=SkylakeX"},
      {open_blas("Haswell"), skylake(), "export OPENBLAS_CORETYPE=SkylakeX"},
      {open_blas("Zen"), skylake(), "export OPENBLAS_CORETYPE=SkylakeX"},
      {open_blas("ZEN"), skylake(), "export OPENBLAS_CORETYPE=SkylakeX"},
      {open_blas("Sandybridge"), haswell(), "export OPENBLAS_CORETYPE=Haswell"},
      {open_blas("Prescott"), haswell(), "export OPENBLAS_CORETYPE=Haswell"},
      {blis("generic"), skylake(), "export BLIS_ARCH_TYPE=0"},
      {blis("haswell"), skylake(), "export BLIS_ARCH_TYPE=0"},
      {blis("generic"), haswell(), "export BLIS_ARCH_TYPE=3"},
      {{.name = "MKL", .version = "2024.2.1", .kernel = "AVX2", .kernels = {"AVX512", "AVX2"}},
       skylake(),
       "export MKL_ENABLE_INSTRUCTIONS=AVX512"}};
  for (const auto& one : cases) {
    const auto found = judged(one.blas, one.units);
    ASSERT_EQ(found.size(), 1);
    EXPECT_EQ(found[0].level, Level::warning) << one.blas.kernel;
    EXPECT_EQ(found[0].code, "blas_environment");
    EXPECT_THAT(found[0].text, HasSubstr(one.blas.kernel));
    EXPECT_EQ(found[0].cure, one.cure);
  }
}

TEST_F(BlasKernel, forced_to_narrow_vectors_is_a_warning_said_once) {
  const EnvironmentVariable forced("OPENBLAS_CORETYPE", "Haswell");
  const auto found = judged(open_blas("Haswell"), skylake());
  ASSERT_EQ(found.size(), 1);
  EXPECT_EQ(found[0].level, Level::warning);
  EXPECT_THAT(found[0].text, HasSubstr("OPENBLAS_CORETYPE forces"));
  EXPECT_THAT(found[0].text, HasSubstr("256 bit; this processor has 512 bit"));
  EXPECT_EQ(found[0].cure, "export OPENBLAS_CORETYPE=SkylakeX");
}

TEST_F(BlasKernel, forced_but_as_wide_as_the_processor_stays_a_note) {
  const EnvironmentVariable forced("OPENBLAS_CORETYPE", "Haswell");
  const auto found = judged(open_blas("Haswell"), haswell());
  ASSERT_EQ(found.size(), 2);
  EXPECT_EQ(found[0].level, Level::note);
  EXPECT_EQ(found[1].level, Level::ok);
}

TEST_F(BlasKernel, forced_blocks_stay_a_note_beside_the_kernel) {
  const EnvironmentVariable forced("OPENBLAS_L2_SIZE", "512");
  const auto found = judged(open_blas("Haswell"), skylake());
  ASSERT_EQ(found.size(), 2);
  EXPECT_THAT(found[0].text, HasSubstr("OPENBLAS_L2_SIZE"));
  EXPECT_EQ(found[1].level, Level::warning);
  EXPECT_EQ(judged(open_blas("SkylakeX"), skylake()).back().level, Level::ok);
}

TEST_F(BlasKernel, of_a_library_that_has_no_wider_one_asks_for_another_library) {
  auto fixed = open_blas("Haswell");
  fixed.kernels.clear();  // built for one kind of processor
  EXPECT_THAT(judged(fixed, skylake()).back().cure, HasSubstr("another library"));
  EXPECT_EQ(judged(fixed, skylake()).back().level, Level::warning);
}

TEST_F(BlasKernel, that_cannot_be_judged_is_not_called_ok) {
  EXPECT_TRUE(judged({}, skylake()).empty());
  for (const auto& [blas, units] :
       {std::pair{open_blas("Unheard"), skylake()}, std::pair{BlasIdentity{.name = "ATLAS"}, skylake()},
        std::pair{open_blas("Prescott"), VectorUnits{}}}) {
    ASSERT_EQ(judged(blas, units).size(), 1);
    EXPECT_EQ(judged(blas, units)[0].level, Level::note) << blas.kernel;
  }
}

TEST(identify_blas, finds_none_where_none_is_loaded) {
  EXPECT_FALSE(identify_blas().has_value());
}

TEST(memory_findings, swap_huge_pages_migration_and_locked_memory) {
  const auto findings = examine_tree("bare_metal");
  ASSERT_NE(find(findings, "swap_in_use"), nullptr);
  EXPECT_THAT(find(findings, "swap_in_use")->text, HasSubstr("2.00 GiB"));
  EXPECT_NE(find(findings, "transparent_hugepage"), nullptr);
  EXPECT_NE(find(findings, "numa_balancing"), nullptr);
  EXPECT_NE(find(findings, "locked_memory"), nullptr);
  for (const auto* code : {"swap_in_use", "transparent_hugepage", "numa_balancing", "locked_memory"})
    EXPECT_FALSE(told("virtual_machine", code)) << code;
}

TEST(memory_findings, what_a_control_group_allows_and_has_left) {
  const auto findings = examine_tree("container_v2");
  const auto summary = std::ranges::find_if(findings, [](const Finding& one) {
    return one.text.find("the control group allows") != std::string::npos;
  });
  ASSERT_NE(summary, findings.end());
  EXPECT_THAT(summary->text, HasSubstr("the control group allows 7.45 GiB, 3.73 GiB left."));
}

TEST(memory_findings, shared_memory_without_room_is_warned_of) {
  const auto judged = [](bool writable, std::int64_t free_byte) {
    DirectoryFacts facts;
    facts.path = shared_memory_directory;
    facts.writable = writable;
    facts.free_byte = free_byte;
    Findings found;
    judge_shared_memory(facts, 2, found);
    return found;
  };
  EXPECT_TRUE(judged(true, 16 << 20).empty());
  ASSERT_EQ(judged(true, 15 << 20).size(), 1);
  EXPECT_EQ(judged(true, 0)[0].code, "shared_memory");
  EXPECT_EQ(judged(true, 0)[0].level, Level::warning);
  EXPECT_THAT(judged(true, 0)[0].text, HasSubstr("for 2 processes"));
  ASSERT_EQ(judged(false, 1 << 30).size(), 1);
  EXPECT_THAT(judged(false, 1 << 30)[0].text, HasSubstr("not writable"));
  EXPECT_THAT(judged(false, 1 << 30)[0].text, HasSubstr("or processes fail"));  // MPICH over UCX does
}

TEST(memory_findings, huge_pages_that_are_asked_for_are_fine) {
  auto tree = Tree::recorded("bare_metal");
  tree.add("@ /sys/kernel/mm/transparent_hugepage/enabled = always [madvise] never\n");
  EXPECT_EQ(find(examine(still(), tree.roots()), "transparent_hugepage"), nullptr);
  tree.add("@ /sys/kernel/mm/transparent_hugepage/enabled = always madvise [never]\n");
  EXPECT_NE(find(examine(still(), tree.roots()), "transparent_hugepage"), nullptr);
}

bool says(const Findings& findings, std::string_view part) {
  return std::ranges::any_of(
      findings, [&](const Finding& finding) { return finding.text.find(part) != std::string::npos; });
}

TEST(memory_findings, domains_with_neither_processors_nor_memory_do_not_count) {
  auto tree = Tree::recorded("bare_metal");
  tree.add(
      "@ /sys/devices/system/node/node{2,3,4}/cpulist\n"
      "@ /sys/devices/system/node/node{2,3}/meminfo = Node 2 MemTotal: 0 kB\n"
      "@ /sys/devices/system/node/node4/meminfo = Node 4 MemTotal: 16384 kB\n");
  EXPECT_TRUE(says(examine(still(), tree.roots()), "available on 3 NUMA nodes."));
}

TEST(memory_findings, on_a_machine_that_tells_no_domains_is_on_no_number_of_them) {
  const Files files{{"/proc/meminfo", "MemTotal: 2097152 kB\nMemAvailable: 1048576 kB"}};
  EXPECT_TRUE(says(examine(still(), {.files = &files}), " of memory available."));
}

TEST(memory_findings, a_cpuset_s_memory_is_told) {
  auto tree = Tree::recorded("bare_metal");
  tree.add("@ /proc/self/status = Mems_allowed_list: 1\n");
  EXPECT_TRUE(says(examine(still(), tree.roots()), "; the cpuset allows 31.2 GiB, 18.1 GiB available."));
  EXPECT_FALSE(says(examine_tree("bare_metal"), "cpuset"));
}

TEST(clock_findings, a_slow_source_is_a_warning) {
  EXPECT_TRUE(told("bare_metal", "clock_source"));
  EXPECT_FALSE(told("arm", "clock_source"));
}

TEST(network_findings, ports_that_are_down_are_noted) {
  const auto findings = examine_tree("bare_metal");
  ASSERT_NE(find(findings, "network"), nullptr);
  EXPECT_THAT(find(findings, "network")->text, HasSubstr("mlx5_0 port 2"));
  EXPECT_TRUE(says(findings, "mlx5_0 port 1 is active, 400 Gb/sec (4X NDR)."));
  EXPECT_TRUE(says(findings, "Interface enx is up, 25.0 Gbit/s."));
}

TEST(file_findings, directories_in_memory_are_warned_of) {
  auto situation = still();
  situation.io_directory = "/";
  Tree memory("@ /proc/self/mountinfo = 22 1 0:1 / / rw - tmpfs tmpfs rw\n");
  const auto findings = examine(situation, memory.roots());
  ASSERT_NE(find(findings, "file_system"), nullptr);
  EXPECT_THAT(find(findings, "file_system")->text, HasSubstr("memory"));
}

TEST(file_findings, a_file_system_without_free_inodes_is_warned_of) {
  DirectoryFacts facts;
  facts.path = "/scratch";
  facts.writable = true;
  const auto warned = [&] {
    Findings findings;
    judge_directory(facts, findings);
    return find(findings, "file_system") != nullptr;
  };
  facts.files = 1000;
  facts.free_files = 1;
  EXPECT_FALSE(warned());
  facts.free_files = 0;
  EXPECT_TRUE(warned());
  facts.files = 0;
  EXPECT_FALSE(warned()) << "btrfs has no number of files";
}

TEST(file_findings, nothing_is_said_without_a_directory) {
  for (const auto& finding : examine_tree("bare_metal")) EXPECT_NE(finding.section, "files");
}

TEST(power_findings, unreadable_counters_are_noted) {
  EXPECT_TRUE(told("virtual_machine", "no_power_counters"));
  EXPECT_FALSE(told("bare_metal", "no_power_counters"));
  Tree closed("@ /sys/class/powercap/intel-rapl:0/name = package-0\n");
  const auto findings = examine(still(), closed.roots());
  ASSERT_NE(find(findings, "no_power_counters"), nullptr);
  EXPECT_THAT(find(findings, "no_power_counters")->cure, HasSubstr("powercap"));
}

}  // namespace
