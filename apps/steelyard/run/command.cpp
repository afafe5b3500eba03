// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <iostream>
#include <map>
#include <set>
#include <sstream>

#include "campaign/stop.hpp"
#include "hpcc/options.hpp"
#include "launch/launch.hpp"
#include "measuring/config_record.hpp"
#include "measuring/measuring.hpp"
#include "options/checks.hpp"
#include "process/errors.hpp"
#include "process/version.hpp"
#include "record/json.hpp"
#include "run/job.hpp"
#include "run/options.hpp"
#include "run/plan.hpp"
#include "screening/judgement.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

// Job of --print-environment: runs an empty plan into a string and prints the run record.
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
  static_cast<void>(measure(job));  // nothing is measured, which is no failure here
  return exit_code::done;
}

// --no-launch of a configuration file gives way to --launch of the command line.
bool runs_alone(const Values& values) {
  const OptionWords* launch = values.find("launch");
  const OptionWords* alone = values.find("no-launch");
  return values.on("no-launch") && (launch == nullptr || launch->source <= alone->source);
}

// Number of processes for which a plan is made without starting any.
int planned_processes(const Invocation& invocation) {
  if (const auto size = launcher_size(); size && under_launcher()) return *size;
  if (runs_alone(invocation.values)) return 1;
  const Room room = room_here();
  refuse_several_groups(invocation.values, room, library_kind(mpi_library()));
  return processes_to_launch(invocation.values, room);
}

// What a plan takes from an earlier run; nothing for a new one.
struct Earlier {
  record::RunRecord head = {};      // of the run that is resumed, or of --sizes-of
  std::set<std::string> kept = {};  // keys of what a resume does not measure again
};

// Plan without starting any process.
Prepared prepared_here(const Invocation& invocation, const Earlier& earlier) {
  static_cast<void>(said_judgement(invocation.values));
  const int processes = planned_processes(invocation);
  const int on_node = processes_of_a_node(processes, room_here());
  Place place =
      place_planned_with(earlier.head.plan_inputs, place_here(invocation.values, processes, on_node));
  if (const auto first = survey::surveyed_of(earlier.head.survey)) place.survey = *first;
  return prepare_run(invocation, place, earlier.kept);
}

int print_plan(const Invocation& invocation, const Earlier& earlier) {
  if (!speaks_for_all()) return exit_code::done;
  const Prepared prepared = prepared_here(invocation, earlier);
  campaign::print_plan(std::cout, prepared.plan, prepared.options);
  if (prepared.plan.suites.size() > 1) campaign::print_suites(std::cout, prepared.plan);
  if (const auto launches = *invocation.values.count("launches"); launches > 1)
    std::cout << std::to_string(launches) + " launches: about " +
                     units::format_time(Seconds{static_cast<double>(launches) * prepared.plan.estimate_s}) +
                     '\n';
  for (const std::string& sentence : dropped_orders(prepared)) std::cout << "note: " + sentence + '\n';
  std::cout << std::flush;
  if (prepared.plan.measurable() > 0) return exit_code::done;
  std::cerr << "steelyard: nothing can be measured: " + obstacle(prepared.plan) << std::endl;
  return exit_code::refused;  // as the run itself
}

// Throws for words that are wrong, before anything is started.
void check_before_start(const Invocation& invocation, const Earlier& earlier) {
  static_cast<void>(prepared_here(invocation, earlier));
  const auto out = invocation.values.word("out");
  const bool new_file =
      out && *out != "-" && !invocation.values.on("append") && !invocation.values.on("resume");
  if (!new_file) return;
  const bool only_compressed =
      !has_records(*out) && std::filesystem::exists(std::filesystem::path(*out) / "result.jsonl.gz");
  if (only_compressed || has_records(*out))
    throw Refused("'" + *out +
                  "' holds a result file; nothing is overwritten (--append and --resume add to it" +
                  (only_compressed ? ", once it is uncompressed)" : ")"));
}

// Directory of the records of one launch; empty for standard output.
std::filesystem::path launched_results(const Invocation& invocation, const FromParent& told) {
  if (!told.out.empty()) return told.out;
  return invocation.values.word("out") == "-" ? std::filesystem::path()
                                              : result_directory(invocation, told.run);
}

// Moment of a deadline that was said as a duration, so that all launches end before it; 0 for another one.
std::int64_t until_unix_s(const Values& values) {
  const auto word = values.word("deadline");
  if (!word || !word->starts_with('+')) return 0;
  return static_cast<std::int64_t>(parse_deadline(*word, units::unix_now_s()));
}

// Launches. If an error of one process has cut a session short, new processes measure the rest: the point in flight has
// failed and stays so.
Finish launch_and_go_on(const Invocation& invocation, FromParent told) {
  constexpr int most_continuations = 3;
  const auto results = launched_results(invocation, told);
  const auto start = std::chrono::steady_clock::now();
  Finish finish = launch(invocation, told, results);
  told.continues = true;
  for (int n = 0; n < most_continuations && finish.asked == Asked::nothing && was_cut_short(results); ++n) {
    std::cerr << "steelyard: note: new processes go on with what is left" << std::endl;
    const auto spent = std::chrono::steady_clock::now() - start;
    told.spent_s = static_cast<int>(std::chrono::duration_cast<std::chrono::seconds>(spent).count());
    finish = launch(invocation, told, results);
  }
  return finish;
}

// --launches K: one series in one directory, each launch a run of its own. Launches that are measured are left alone.
class LaunchSeries {
 public:
  LaunchSeries(const Invocation& invocation, std::string id, int launches)
      : invocation_(invocation), id_(std::move(id)), launches_(launches) {
    out_ = result_directory(invocation, id_).string();
    if (invocation.values.on("resume")) find_begun();
  }

  int run() {
    const std::int64_t until = until_unix_s(invocation_.values);
    int worst = exit_code::done;
    bool append = invocation_.values.on("append") || !begun_.empty();
    for (int launch = 1; launch <= launches_; ++launch) {
      if (done_.contains(launch)) continue;
      FromParent told = told_to(launch, append);
      told.until_unix_s = until;
      const Finish finish = launch_and_go_on(invocation_, told);
      append = true;
      const bool goes_on = finish.code == exit_code::done || finish.code == exit_code::point_failed ||
                           finish.code == exit_code::judgement;
      if (!goes_on) {
        tell_not_begun(launch);
        return finish.code;
      }
      // A failed point weighs more than a warning.
      if (worst != exit_code::point_failed && finish.code != exit_code::done) worst = finish.code;
      if (launch == launches_ || !(finish.asked == Asked::to_stop || campaign::stop_file_is_there(out_)))
        continue;
      if (!finish.lost) return stopped_after(launch);
      tell_not_begun(launch);
      return finish.code;
    }
    return worst;
  }

 private:
  void find_begun() {
    const campaign::Retry retry = retry_of(invocation_.values);
    for (const record::Run& run : record::read_runs(out_, record::parse_run_choice("all"))) {
      if (run.head.series != id_) continue;
      const int launch = run.head.launch.value_or(static_cast<int>(begun_.size()) + 1);
      begun_[launch] = run.id;
      const bool whole = run.end && run.end->points.left == 0;
      if (whole && campaign::kept_keys(run, retry).size() == run.points.size()) done_.insert(launch);
    }
  }

  [[nodiscard]] FromParent told_to(int launch, bool append) const {
    FromParent told;
    const auto begun = begun_.find(launch);
    told.run = begun == begun_.end() ? record::make_run_id() : begun->second;
    told.series = id_;
    told.launch = launch;
    told.launches = launches_;
    told.out = out_;
    told.append = append;
    return told;
  }

  void tell_not_begun(int after) const {
    std::string list;
    for (int launch = after + 1; launch <= launches_; ++launch)
      if (!begun_.contains(launch)) list += (list.empty() ? "" : ", ") + std::to_string(launch);
    if (!list.empty()) std::cerr << "launches not begun: " + list + '\n';
  }

  // Exit code of a series whose signal or stop file came when the launch had measured everything.
  [[nodiscard]] int stopped_after(int launch) const {
    std::cerr << "stopped after launch " + std::to_string(launch) + " of " + std::to_string(launches_) +
                     ".\ncontinue with:  steelyard run --resume -o " + units::in_shell(out_) + '\n';
    return exit_code::stopped;
  }

  const Invocation& invocation_;
  std::string id_, out_;
  int launches_;
  std::map<int, std::string> begun_;  // runs, by launch
  std::set<int> done_;
};

int start_processes(const Invocation& invocation, const record::RunRecord& resumed) {
  forget_stop_file(invocation.values);
  const int launches = static_cast<int>(*invocation.values.count("launches"));
  if (launches > 1)
    return LaunchSeries(invocation, resumed.series.empty() ? record::make_run_id() : resumed.series, launches)
        .run();
  FromParent told;
  told.until_unix_s = until_unix_s(invocation.values);
  if (!invocation.values.on("resume")) told.run = record::make_run_id();
  return launch_and_go_on(invocation, told).code;
}

struct Wanted {
  Invocation invocation;
  Earlier earlier = {};
};

// A resume plans with the configuration of its run, and by default with as many processes.
Wanted resumed(const Invocation& invocation) {
  check_resume_words(invocation);
  const bool is_child = under_launcher() || invocation.from_parent;
  if (is_child) return {invocation};  // a child hears the configuration from rank 0
  const record::Run run = run_to_resume(invocation.values.need("out"));
  const record::RunRecord& head = run.head;
  Invocation out = with_configuration_of({head.config, head.config_sources, head.plan_inputs}, invocation);
  if (!invocation.values.said("launch") && !runs_alone(invocation.values))
    out.values.set("launch",
                   {{std::to_string(head.processes)}, Source::command_line, "the run's own processes"});
  const auto kept = campaign::kept_keys(run, retry_of(out.values));
  return {std::move(out), {head, {kept.begin(), kept.end()}}};
}

int run_run(const Invocation& given) {
  check_combinations(given);
  const auto [invocation, earlier] =
      given.values.on("resume") ? resumed(given) : Wanted{given, {run_of_equal_sizes(given.values)}};
  if (invocation.values.on("plan")) return print_plan(invocation, earlier);
  if (!under_launcher() && !invocation.from_parent && !runs_alone(invocation.values)) {
    check_before_start(invocation, earlier);
    return start_processes(invocation, earlier.head);
  }
  if (invocation.values.on("print-environment")) return print_environment(invocation);
  return run_job(given);
}

constexpr std::string_view run_examples[] = {"steelyard run --preset quick -n 2 -o steelyard-results/first",
                                             "steelyard run 'imb-mpi1/All*' --np 2,4 -n 4",
                                             "steelyard run --resume -o steelyard-results/first"};
constexpr int run_codes[] = {0, 1, 2, 3, 4, 5, 70};

}  // namespace

const Command run_command{
    .name = "run",
    .section = "Measure",
    .summary = "measure, and keep records",
    .description =
        "Measures the selected benchmarks and writes one record a point into a result directory. A SELECT is "
        "a suite or suite/benchmark with * ? and [abc]; without one the preset's list is measured. SIGUSR1, "
        "SIGTERM, a file STOP in the result directory and the deadline end a run in order; --resume "
        "continues it.",
    .positional = {"SELECT", Kind::pattern, Repeat::many, "what to measure: imb-mpi1, 'imb-mpi1/All*', ..."},
    .groups = run_options(),
    .examples = run_examples,
    .exit_codes = run_codes,
    .see_also = "steelyard help list, steelyard help export",
    .run = run_run};

}  // namespace steelyard::cli
