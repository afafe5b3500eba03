// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "commands/commands.hpp"
#include "errors.hpp"
#include "launch/launch.hpp"
#include "words/resume_words.hpp"
#include "measuring/run_job.hpp"
#include "words/run_options.hpp"

namespace steelyard::cli {
namespace {

// What would be written about this place: an empty plan is run into a string.
class EnvironmentJob final : public Job {
 public:
  explicit EnvironmentJob(const Invocation& invocation) : invocation_(invocation) {}
  [[nodiscard]] const Invocation& invocation() const override { return invocation_; }
  [[nodiscard]] Prepared prepare(const Place& place) override {
    Prepared prepared;
    prepared.options.processes = place.processes;
    prepared.plan = campaign::make_plan({}, prepared.options, "none");
    return prepared;
  }
  [[nodiscard]] campaign::RunOptions options(const Prepared&) override {
    campaign::RunOptions options;
    options.anonymous = invocation_.values.on("anonymous");
    options.measure_noise = false;
    return options;
  }
  [[nodiscard]] Destinations destinations(const std::optional<campaign::ResumeState>&,
                                          campaign::RunOptions&) override {
    Destinations to;
    to.file = std::make_unique<record::Writer>(text_, record::make_run_id(), 1, 0);
    return to;
  }
  void finished(const campaign::RunResult&, const Destinations&) override {
    std::string first;
    std::getline(text_, first);
    std::cout << record::Json::parse(first).dump(2) << std::endl;
  }

 private:
  const Invocation& invocation_;
  std::stringstream text_;
};

int print_environment(const Invocation& invocation) {
  EnvironmentJob job(invocation);
  static_cast<void>(measure(job));  // nothing is measured: that all of it was skipped is no failure
  return exit_code::done;
}

// --no-launch of a configuration file gives way to --launch of the command line.
bool runs_alone(const Values& values) {
  const Given* launch = values.find("launch");
  const Given* alone = values.find("no-launch");
  return values.on("no-launch") && (launch == nullptr || launch->source <= alone->source);
}

// The number of processes that a plan is made for without starting any.
int planned_processes(const Invocation& invocation) {
  if (const auto size = launcher_size(); size && under_launcher()) return *size;
  return runs_alone(invocation.values) ? 1 : processes_to_launch(invocation.values);
}

int print_plan(const Invocation& invocation) {
  if (!speaks_for_all()) return exit_code::done;
  const Prepared prepared = prepare_run(invocation, place_here(planned_processes(invocation)));
  campaign::print_plan(std::cout, prepared.plan, prepared.options);
  if (prepared.plan.suites.size() > 1) campaign::print_suites(std::cout, prepared.plan);
  std::cout << std::flush;
  return prepared.plan.measurable() > 0 ? exit_code::done : exit_code::usage;
}

// Finds what is wrong with the words before anything is started.
void check_before_start(const Invocation& invocation) {
  static_cast<void>(prepare_run(invocation, place_here(planned_processes(invocation))));
  const auto out = invocation.values.word("out");
  const bool new_file =
      out && *out != "-" && !invocation.values.on("append") && !invocation.values.on("resume");
  if (new_file && std::filesystem::exists(std::filesystem::path(*out) / "result.jsonl"))
    throw Refused("'" + *out +
                  "' holds a result file; nothing is overwritten (--append and --resume add to it)");
}

// Where one launch writes its records; empty for standard output.
std::filesystem::path launched_results(const Invocation& invocation, const FromParent& told) {
  if (!told.out.empty()) return told.out;
  return invocation.values.word("out") == "-" ? std::filesystem::path()
                                              : result_directory(invocation, told.run);
}

// --launches K: one series in one directory, each launch a run of its own.
int launch_series(const Invocation& invocation, std::int64_t launches) {
  FromParent told;
  told.series = record::make_run_id();
  told.out = result_directory(invocation, told.series).string();
  told.append = invocation.values.on("append");
  int worst = exit_code::done;
  for (std::int64_t i = 0; i < launches; ++i) {
    told.run = record::make_run_id();
    const int code = launch(invocation, told, told.out);
    worst = std::max(worst, code);
    if (code != exit_code::done && code != exit_code::point_failed) return code;
    told.append = true;
  }
  return worst;
}

int start_processes(const Invocation& invocation) {
  const std::int64_t launches = *invocation.values.count("launches");
  if (launches > 1) return launch_series(invocation, launches);
  FromParent told;
  told.run = record::make_run_id();
  return launch(invocation, told, launched_results(invocation, told));
}

// A resume plans with the configuration of its run, and by default with as many processes.
Invocation resumed(const Invocation& invocation) {
  check_resume_words(invocation);
  const bool is_child = under_launcher() || invocation.from_parent;
  if (is_child) return invocation;  // hears it from rank 0
  const record::RunRecord head = head_to_resume(invocation.values.need("out"));
  Invocation out = with_configuration_of(head.config, head.config_sources, invocation);
  if (!invocation.values.said("launch") && !runs_alone(invocation.values))
    out.values.set("launch",
                   {{std::to_string(head.processes)}, Source::command_line, "the run's own processes"});
  return out;
}

int run_run(const Invocation& given) {
  check_combinations(given);
  const Invocation invocation = given.values.on("resume") ? resumed(given) : given;
  if (invocation.values.on("plan")) return print_plan(invocation);
  if (!under_launcher() && !invocation.from_parent && !runs_alone(invocation.values)) {
    check_before_start(invocation);
    return start_processes(invocation);
  }
  if (invocation.values.on("print-environment")) return print_environment(invocation);
  RunJob job(given);
  return measure(job);
}

constexpr std::string_view examples[] = {"steelyard run --preset quick -n 2 -o steelyard-results/first",
                                         "steelyard run 'imb-mpi1/All*' --np 2,4 -n 4",
                                         "steelyard run --resume -o steelyard-results/first"};
constexpr int codes[] = {0, 1, 2, 4, 5, 70};

}  // namespace

const Command run_command{
    .name = "run",
    .section = "Measure",
    .summary = "measure, and keep records",
    .description =
        "Measures the selected benchmarks and writes one record a point into a result directory. A SELECT is "
        "a suite or suite/benchmark with * ? and [abc]; without one the preset's list is measured. SIGUSR1, "
        "SIGTERM, a file STOP in the result directory and the deadline end a run in order; --resume "
        "continues "
        "it.",
    .positional = {"SELECT", Kind::pattern, Repeat::many, "what to measure: imb-mpi1, 'imb-mpi1/All*', ..."},
    .groups = run_options(),
    .examples = examples,
    .exit_codes = codes,
    .see_also = "steelyard help list, steelyard help export",
    .run = run_run};

}  // namespace steelyard::cli
