// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <string>

#include "commands/program.hpp"
#include "launch/launch.hpp"
#include "measuring/measuring.hpp"
#include "options/shared_options.hpp"
#include "process/errors.hpp"
#include "run/plan.hpp"
#include "suites/suite_list.hpp"

namespace steelyard::cli {
namespace {

// Writer that prints what went wrong, and one line at the end.
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
    const std::string by = stopped_by(end.cause, false);
    std::cout << "selftest: " << n.ok + n.partial << " points measured, data of " << verified_
              << " verified, " << n.unverified << " wrong, " << n.failed << " failed, " << n.skipped
              << " skipped" << (by.empty() ? "" : ", " + std::to_string(n.left) + " left: stopped" + by)
              << std::endl;
  }

 private:
  int verified_ = 0;
};

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
    for (const MeasuredSuite* suite : measured_suites())
      prepared.suites.push_back(suite->tiny(place.processes));
    prepared.options.processes = place.processes;
    prepared.options.memory_byte = place.memory_byte;
    prepared.plan =
        campaign::make_plan(every_benchmark(suites::pointers(prepared.suites)), prepared.options, "selftest");
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
  const OptionWords* said = invocation.values.find("launch");
  if (!outside && !invocation.from_parent && said != nullptr && said->source == Source::command_line)
    throw UsageError("--launch: already started by mpiexec");
  if (outside && !invocation.values.on("no-launch")) return launch(invocation, {}).code;
  SelftestJob job(invocation);
  return measure(job);
}

constexpr Option selftest_options[] = {
    {"launch", Kind::special, "start N processes through the MPI launcher", 'n', Argument{"N|auto"},
     Fallback{"2"}, parses<parse_launch>},
    no_launch_option,
    launcher_option,
    allow_root_option,
};
constexpr Group selftest_groups[] = {{"Start", selftest_options}};
constexpr std::string_view selftest_examples[] = {"steelyard selftest", "steelyard selftest -n 4",
                                                  "mpiexec -n 2 steelyard selftest"};
constexpr int selftest_codes[] = {0, 1, 2, 4, 5, 70};

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
