// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iostream>

#include "commands/commands.hpp"
#include "errors.hpp"
#include "launch/launch.hpp"
#include "launch/launch_options.hpp"
#include "measuring/measuring.hpp"
#include "suites/hpcc/definition.hpp"

namespace steelyard::cli {
namespace {

// Prints what went wrong, and one line at the end.
class SelftestVerdict final : public formats::Writer {
 public:
  void run(const record::RunRecord&) override {}
  void point(const record::PointRecord& point) override {
    if (point.status == record::Status::failed)
      std::cout << "failed     " << point.key << (point.reason ? ": " + point.reason->text : "") << std::endl;
    else if (point.verified == false)
      std::cout << "wrong data " << point.key << std::endl;
    verified_ += point.verified == true ? 1 : 0;
  }
  void end(const record::EndRecord& end) override {
    const record::Counts& n = end.points;
    std::cout << "selftest: " << n.ok + n.partial << " points measured, data of " << verified_
              << " verified, " << n.unverified << " wrong, " << n.failed << " failed, " << n.skipped
              << " skipped" << std::endl;
  }

 private:
  int verified_ = 0;
};

// Files take their time: one size of them tells as much about the copy.
ImbSettings tiny_imb() {
  const std::vector message_sizes{Bytes{0}, Bytes{1}, Bytes{64}, Bytes{4096}, Bytes{std::int64_t{1} << 17}};
  ImbSettings settings;
  for (const imb::Part* part : imb::parts()) {
    imb::Settings& own = settings.of(*part);
    own.sizes.listed = part == &imb::io() ? std::vector{Bytes{4096}} : message_sizes;
    own.iterations = {.per_sample = 4, .volume = mebi, .non_aggregate = 2};
    own.check = true;
  }
  return settings;
}

hpcc::Settings tiny_hpcc(int processes) {
  hpcc::Settings settings;
  settings.problem = {.orders = {128}, .blocks = {16}, .grids = {hpcc::default_grid(processes)}};
  settings.effort.repetitions = 1;
  settings.latency.random_rings = settings.bandwidth.random_rings = 2;
  return hpcc::as_built(std::move(settings));
}

// The least matrix of up to four processes: of many it would be large.
ftio::Settings tiny_ftio(int processes) {
  constexpr int most_processes = 4;
  ftio::Settings settings;
  settings.processes = std::min(processes, most_processes);
  settings.parameters = ftio::valid_parameters(*settings.processes, 2, 1);
  return settings;
}

beffio::Settings tiny_beffio(int processes) {
  beffio::Settings settings;
  settings.memory_mebibyte = 64;
  settings.partitions = {processes};
  settings.total_s = 1e-3;
  return settings;
}

std::vector<campaign::Selected> every_benchmark(const std::vector<const suites::Suite*>& suites) {
  std::vector<campaign::Selected> all;
  for (const suites::Suite* suite : suites)
    for (const suites::BenchmarkInfo& info : suite->catalogue())
      all.push_back({suite, std::string(info.name)});
  return all;
}

class SelftestJob final : public Job {
 public:
  explicit SelftestJob(const Invocation& invocation) : invocation_(invocation) {}
  [[nodiscard]] const Invocation& invocation() const override { return invocation_; }
  [[nodiscard]] Prepared prepare(const Place& place) override {
    Prepared prepared;
    prepared.suites.imb = tiny_imb();
    prepared.suites.beffio = tiny_beffio(place.processes);
    prepared.suites.hpcc = tiny_hpcc(place.processes);
    prepared.suites.ftio = tiny_ftio(place.processes);
    prepared.options.processes = place.processes;
    prepared.options.memory_byte = place.memory_byte;
    const auto alive = definitions(prepared.suites);
    prepared.plan = campaign::make_plan(every_benchmark(pointers(alive)), prepared.options, "selftest");
    return prepared;
  }
  [[nodiscard]] campaign::RunOptions options(const Prepared&) override {
    campaign::RunOptions options;
    options.schedule = campaign::ScheduleKind::suite;
    options.samples = measure::SamplesKept::none;
    options.measure_noise = false;
    return options;
  }
  [[nodiscard]] Destinations destinations(const std::optional<campaign::ResumeState>&,
                                          campaign::RunOptions&) override {
    Destinations to;
    to.texts.push_back(std::make_unique<SelftestVerdict>());
    return to;
  }

 private:
  const Invocation& invocation_;
};

int run_selftest(const Invocation& invocation) {
  const bool outside = !under_launcher() && !invocation.from_parent;
  const Given* said = invocation.values.find("launch");
  if (!outside && !invocation.from_parent && said != nullptr && said->source == Source::command_line)
    throw UsageError("--launch: already started by mpiexec");
  if (outside && !invocation.values.on("no-launch")) return launch(invocation, {}).code;
  SelftestJob job(invocation);
  return measure(job);
}

constexpr Option selftest_options[] = {
    {.name = "launch",
     .letter = 'n',
     .kind = Kind::special,
     .argument = "N|auto",
     .fallback = "2",
     .help = "start N processes through the MPI launcher",
     .check = check_launch},
    no_launch_option,
    launcher_option,
    allow_root_option,
};
constexpr Group selftest_groups[] = {{"Start", selftest_options}};
constexpr std::string_view selftest_examples[] = {"steelyard selftest", "steelyard selftest -n 4",
                                         "mpiexec -n 2 steelyard selftest"};
constexpr int selftest_codes[] = {0, 1, 2, 4, 70};

}  // namespace

constinit const Command selftest_command{
    .name = "selftest",
    .section = "Measure",
    .summary = "run every benchmark once at tiny sizes and verify the data",
    .description =
        "Runs every benchmark of every suite once at tiny sizes and compares every byte that arrives. For "
        "installed copies: tells whether program, MPI library and launcher work together.",
    .groups = selftest_groups,
    .examples = selftest_examples,
    .exit_codes = selftest_codes,
    .see_also = "steelyard help doctor",
    .run = run_selftest};

}  // namespace steelyard::cli
