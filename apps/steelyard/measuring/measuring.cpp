// SPDX-License-Identifier: Apache-2.0
#include "measuring/measuring.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <new>
#include <set>
#include <thread>

#include "campaign/stop.hpp"
#include "machine/environment.hpp"
#include "machine/scratch.hpp"
#include "measuring/computing.hpp"
#include "measuring/config_record.hpp"
#include "measuring/terminal.hpp"
#include "mpi/error.hpp"
#include "mpi/file.hpp"
#include "options/checks.hpp"
#include "options/shared_options.hpp"
#include "process/errors.hpp"
#include "process/launched.hpp"
#include "process/version.hpp"
#include "record/json.hpp"
#include "suites/hpcc/blas/in_use.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

constexpr const char* trial_name = "trial";

// A file system that refuses is the machine's state, not an error of this program. `option`: that would name
// another directory.
void or_refuse(const std::string& option, const std::function<void()>& act) {
  try {
    act();
  } catch (const std::filesystem::filesystem_error& error) {
    throw Refused(option + ": " + error.what());
  } catch (const mpi::Error& error) {
    throw Refused(option + ": " + error.what());
  }
}

// MPI-IO of a file here: the implementation that MPI takes, and the hints that are then in force.
record::Json describe_file(const std::filesystem::path& name, const mpi::Hints& hints) {
  mpi::File file(mpi::Communicator::self(), name.string(), MPI_MODE_CREATE | MPI_MODE_RDWR, hints);
  record::Json in_force = record::Json::object();
  for (const auto& [key, value] : file.hints()) in_force[key] = value;
  const auto implementation = mpi::io_implementation(file);
  file.close();
  mpi::delete_file(name.string());
  return {{"mpi_io", implementation}, {"hints_in_force", std::move(in_force)}};
}

constexpr double left_for_the_end_s = 60;

// Command line with the program's name alone: where it is installed is nobody's business.
std::vector<std::string> command_words(const Invocation& invocation) {
  std::vector<std::string> words = invocation.argv;
  if (!words.empty()) words[0] = std::filesystem::path(words[0]).filename().string();
  return words;
}

record::Json plain(const record::Value& value) {
  return std::visit(
      [](const auto& held) -> record::Json {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::nullptr_t>)
          return nullptr;
        else
          return held;
      },
      value);
}

// The cluster's name where the batch system tells it, else this host's.
std::string name_of_machine() {
  if (const auto cluster = variable("SLURM_CLUSTER_NAME"); cluster && !cluster->empty()) return *cluster;
  return machine::host_name();
}

bool planned(const campaign::Plan& plan, std::string_view suite) {
  return std::ranges::any_of(plan.blocks, [&](const auto& block) { return block.suite == suite; });
}

// Adds the configuration of each suite of the plan, in the first step that has it.
void add_suites(const Prepared& prepared, record::Json& config) {
  std::set<std::string_view> told;
  for (const auto& suite : prepared.suites) {
    if (!planned(prepared.plan, suite->name()) || !told.insert(suite->name()).second) continue;
    record::Json members = record::Json::object();
    for (const auto& [name, value] : suite->configuration()) members[name] = plain(value);
    config[std::string(suite->name())] = std::move(members);
  }
}

constexpr std::string_view level_names[] = {"single", "funneled", "serialized", "multiple"};

void refuse_lower_level(mpi::ThreadLevel provided, mpi::ThreadLevel wanted) {
  if (provided >= wanted) return;
  throw Refused("the MPI library provides thread level " +
                std::string(level_names[static_cast<int>(provided)]) + ", asked for is " +
                std::string(level_names[static_cast<int>(wanted)]));
}

// Every rank plans for itself from the same words; files or variables that differ between nodes would end in a hang.
void refuse_different_plans(const mpi::Communicator& world, const campaign::Plan& plan) {
  const std::string of_root = world.broadcast(plan.hash);
  if (of_root != plan.hash)
    throw Refused(
        "this process plans other points than rank 0: are files and variables the same on all nodes?");
}

campaign::Outputs outputs_of(Destinations& to) {
  campaign::Outputs outputs;
  outputs.file = to.file.get();
  for (const auto& text : to.texts) outputs.texts.push_back(text.get());
  outputs.progress = to.progress.get();
  return outputs;
}

record::EventRecord left_behind(const machine::LeftBehind& left) {
  const std::string text = "left in the scratch directory: " + left.path.string() + " (" + left.why + ")";
  print_error_here(text);
  return {record::Severity::warning, "scratch_left", text};
}

void print_last_line(const campaign::RunResult& result, const Destinations& to) {
  if (to.last_line == LastLine::none || !to.file || is_gone(*to.file)) return;
  const record::Counts& n = result.counts;
  const auto warnings = result.warnings.count();
  std::cout << "results  " << on_one_line(to.file->path().string()) << "  (" << n.ok << " ok, " << n.partial
            << " partial, " << n.skipped << " skipped, " << n.failed << " failed, " << n.unverified
            << " unverified, " << units::counted(warnings, "warning") << ')' << std::endl;
}

/// The same code, and nothing is said.
int code_here() {
  try {
    throw;
  } catch (const mpi::Error&) {
    return exit_code::point_failed;
  } catch (...) {
    return code_of_current_exception();
  }
}

/// The scratch directory of a run, as long as this object lives. Rank 0 makes and removes it; every process
/// has made sure that it sees the same one, and one process of each node that it may write there.
class ScratchPlace {
 public:
  /// Collective. `manifest`: in the result directory of rank 0, empty without one. Throws Ended on all ranks,
  /// with exit code 4, if there can be no such directory.
  ScratchPlace(const mpi::Communicator& world, const std::string& help_of, const FileWishes& wishes,
               const std::filesystem::path& manifest)
      : hints_(wishes.hints) {
    const std::string option = wishes.named_by.empty() ? "--io-dir" : wishes.named_by;
    agreed_on_root(world, help_of, [&] {
      or_refuse(option, [&] {
        scratch_.emplace(wishes.parent, manifest);
        scratch_->claim(trial_name);
      });
    });
    directory_ = world.broadcast(scratch_ ? scratch_->path().string() : std::string());
    const auto token = world.broadcast(scratch_ ? scratch_->token() : std::string());
    const bool leads = world.split_shared().is_root();
    agreed(world, help_of, [&] {
      or_refuse(option, [&] {
        machine::look_at_scratch(directory_, token);
        if (leads) machine::try_to_write(directory_, trial_name);
      });
    });
    agreed_on_root(world, help_of, [&] {
      or_refuse(option, [&] { mpi_io_ = describe_file(directory_ / trial_name, hints_); });
    });
  }

  [[nodiscard]] suites::FilePlace place() {
    suites::FilePlace place{.directory = directory_, .hints = hints_, .claim = {}};
    if (scratch_) place.claim = [this](const std::string& name) { scratch_->claim(name); };
    return place;
  }
  /// MPI-IO of the scratch directory, for the member `io` of the run record. On rank 0.
  [[nodiscard]] const record::Document& mpi_io() const { return mpi_io_; }
  /// Removes everything of ours. Returns what had to stay. On rank 0.
  [[nodiscard]] std::vector<machine::LeftBehind> remove() {
    if (!scratch_) return {};
    return scratch_->remove().left;
  }

 private:
  std::optional<machine::Scratch> scratch_;  // on rank 0
  std::filesystem::path directory_;
  mpi::Hints hints_;
  record::Document mpi_io_;
};

class Measuring {
 public:
  Measuring(Job& job, const mpi::Communicator& world)
      : job_(job), world_(world), help_of_(job.invocation().command->name) {}

  int run(mpi::ThreadLevel provided) {
    // Processes that failed before MPI come to the first agreement, too (fail_with_others).
    agreed(world_, help_of_, [&] { refuse_lower_level(provided, job_.threads()); });
    job_.arrive(world_);
    refuse_absent_directory();
    plan();
    agreed(world_, help_of_, [&] { options_ = job_.options(prepared_); });
    options_.head = head_of(job_.invocation(), prepared_);
    job_.describe(options_.head);
    warn_of_other_processors();
    const bool files = std::ranges::any_of(prepared_.plan.blocks, &suites::BlockPlan::files);
    if (files) options_.head.io = machine::describe_directory(job_.files().parent);
    resume_ = job_.resume(world_, options_.head);
    agreed_on_root(world_, help_of_, [&] { to_ = job_.destinations(resume_, options_); });
    if (files) make_scratch();
    return result();
  }

 private:
  // Launchers may bind to the first cores of the node, whatever the shell has left to what it starts.
  void warn_of_other_processors() {
    const auto& parent = job_.invocation().from_parent;
    if (!parent) return;
    const bool beyond = reaches_beyond(*parent, machine::host_name(), machine::affinity().processors);
    if (!world_.any(beyond) || !world_.is_root()) return;
    options_.events.push_back({record::Severity::warning, "launcher",
                               "the launcher binds to processors outside those that this shell may use "
                               "(--bind none keeps to them)"});
  }

  void plan() {
    Place place = world_place(world_, compute_threads(job_.invocation().values));
    place.survey = job_.survey(world_, place);
    if (place.survey.memory_byte > 0) place.memory_byte = place.survey.memory_byte;
    agreed(world_, help_of_, [&] { prepared_ = job_.prepare(place); });
    agreed(world_, help_of_, [&] { refuse_different_plans(world_, prepared_.plan); });
  }

  // Called before the survey looks at files.
  void refuse_absent_directory() {
    agreed_on_root(world_, help_of_, [&] {
      const FileWishes wishes = job_.files();
      if (!wishes.named_by.empty())
        static_cast<void>(existing_directory(wishes.named_by, wishes.parent.string()));
    });
  }

  void make_scratch() {
    const bool listed = to_.file && !to_.file->path().empty();
    const auto manifest =
        listed ? to_.file->path().parent_path() / machine::scratch_manifest_name : std::filesystem::path();
    clear_earlier(manifest);
    scratch_.emplace(world_, help_of_, job_.files(), manifest);
    options_.files = scratch_->place();
    options_.clear_up = [this] { return clear_up(); };
    if (!world_.is_root()) return;
    for (const auto& [name, value] : scratch_->mpi_io().json().items()) options_.head.io.json()[name] = value;
    if (!job_.invocation().values.on("quiet")) tell_file_system();
  }

  void tell_file_system() const {
    talk(job_.invocation()) << "steelyard: files are measured in " + job_.files().parent.string() + ": " +
                                   machine::file_system_text(options_.head.io) + '\n'
                            << std::flush;
  }

  // Removes files that a killed session has left. In a new result directory there is no list of them.
  void clear_earlier(const std::filesystem::path& manifest) {
    agreed_on_root(world_, help_of_, [&] {
      for (const auto& left : machine::clean_listed_scratch(manifest).left)
        left_.push_back(left_behind(left));
    });
  }

  std::vector<record::EventRecord> clear_up() {
    auto events = std::move(left_);
    if (scratch_)
      for (const auto& left : scratch_->remove()) events.push_back(left_behind(left));
    return events;
  }

  // An exception that escapes the runner leaves MPI undefined, perhaps on one rank only: no rank may wait for others.
  [[noreturn]] void end_all() {
    const int code = explain_here(world_);
    static_cast<void>(clear_up());
    mpi::abort(code);
  }

  int result() {
    options_.when_lost = [this](const std::exception&) { end_all(); };
    options_.code_when_lost = code_here;
    options_.when_given_up = [] { end_hanging(); };
    options_.when_cut_short = [this] { end_hanging([this] { static_cast<void>(clear_up()); }); };
    const auto result = campaign::run(world_, prepared_.plan, options_, outputs_of(to_), resume_);
    agreed_on_root(world_, help_of_, [&] {
      job_.finished(result, to_);
      print_last_line(result, to_);
    });
    return result.exit_code;
  }

  Job& job_;
  const mpi::Communicator& world_;
  std::string help_of_;
  Prepared prepared_;
  campaign::RunOptions options_;
  std::optional<campaign::ResumeState> resume_;
  Destinations to_;
  std::optional<ScratchPlace> scratch_;    // of a plan that makes files
  std::vector<record::EventRecord> left_;  // files that earlier sessions left behind
};

// Worlds of one process each would measure the same at once, each as if it were alone.
[[noreturn]] void refuse_apart(int started, bool speaks) {
  if (!speaks) throw Ended(exit_code::refused);
  std::string library = mpi_library();
  std::ranges::replace(library, '\t', ' ');  // as in "MPICH Version:\t4.0"
  std::string others;
  if (variable("SLURM_JOB_ID"))
    others = ", or by '" + srun_words(library_kind(library)) + "' ('srun --mpi=list' tells what there is)";
  throw Refused("the launcher started " + units::counted(started, "process") + ", but MPI (" +
                library.substr(0, library.find(',')) +
                ") sees each of them alone: start them by the mpiexec of this library" + others);
}

constexpr std::chrono::seconds time_to_abort{5};

/// "[rank 3 on node07] "; empty on rank 0.
std::string place_of_error(const mpi::Communicator& world) {
  if (world.is_root()) return {};
  return "[rank " + std::to_string(world.rank()) + " on " + mpi::processor_name() + "] ";
}

}  // namespace

bool is_gone(const record::Writer& file) {
  std::error_code error;
  return !file.path().empty() && !std::filesystem::exists(file.path(), error) && !error;
}

record::RunRecord head_of(const Invocation& invocation, const Prepared& prepared) {
  record::RunRecord head;
  if (const auto& parent = invocation.from_parent; parent && parent->job_tasks > 0)
    head.job = machine::describe_job(parent->job_tasks);
  const Values& values = invocation.values;
  ConfigRecord config = config_record(invocation);
  add_suites(prepared, config.config.json());
  head.config = std::move(config.config);
  head.config_sources = std::move(config.sources);
  head.command = command_words(invocation);
  if (!invocation.command->link.empty()) head.front_end = invocation.command->name;
  const std::string machine = values.on("anonymous") ? "" : name_of_machine();
  // The values of a front-end may hold its bare words NAME under that word.
  const bool can_be_named = find_option(*invocation.command, "name") != nullptr;
  head.name = can_be_named ? values.word_or("name", machine) : machine;
  for (const std::string& label : values.list("label")) head.labels.push_back(parse_label(label));
  head.processes = prepared.options.processes;
  head.threads_per_process = prepared.options.threads;
  if (prepared.blas) head.blas = hpcc::document(prepared.blas->findings);
  head.plan_points = static_cast<std::int64_t>(prepared.plan.points());
  head.plan_suites = campaign::points_of_suites(prepared.plan);
  head.plan_estimate_s = prepared.plan.estimate_s;
  head.plan_hash = prepared.plan.hash;
  head.plan_seed = static_cast<std::int64_t>(prepared.options.seed);
  head.plan_sequence = prepared.plan.sequence;
  if (prepared.survey.rates.origin != suites::Rates::Origin::assumed)
    head.survey = survey::document_of(prepared.survey);
  return head;
}

std::optional<double> deadline_of(const Values& values, const std::optional<FromParent>& parent) {
  if (parent && parent->until_unix_s > 0) return static_cast<double>(parent->until_unix_s);
  if (const auto word = values.word("deadline")) return parse_deadline(*word, units::unix_now_s());
  const auto left = machine::job_seconds_left();
  if (!left || *left <= 0) return std::nullopt;  // an end that has passed is another job's
  return units::unix_now_s() + *left - left_for_the_end_s;
}

std::string stopped_by(std::string_view cause, bool has_deadline) {
  using campaign::StopCause;
  if (cause == text(StopCause::signal)) return ", by a signal";
  if (cause == text(StopCause::cpu_limit)) return ", by the limit of processor time (SIGXCPU; ulimit -t)";
  if (cause == text(StopCause::stop_file)) return ", by the file STOP";
  if (cause != text(StopCause::deadline)) return {};
  return has_deadline ? ", by --deadline" : ", a minute before the job's end as its batch system tells it";
}

FileWishes Job::files() const {
  const Values& values = invocation().values;
  const OptionWords* named = values.find("io-dir");
  FileWishes wishes{values.word_or("io-dir", "steelyard-io"), {}, named == nullptr ? "" : named->origin};
  for (const std::string& hint : values.list("io-hint")) wishes.hints.push_back(parse_label(hint));
  return wishes;
}

void forget_stop_file(const Values& values) {
  if (const auto out = values.word("out"); out && *out != "-") campaign::forget_stop_file(*out);
}

int measure(Job& job) {
  // The start of MPI takes its time, and its library may take signals for itself.
  campaign::install_stop_signals_of_start();
  if (!job.invocation().from_parent && speaks_for_all()) forget_stop_file(job.invocation().values);
  // A process that starts alone may be given variables of a launcher by MPI itself.
  const auto started = processes_apart(1);
  const bool speaks = speaks_for_all();
  const mpi::Environment environment(nullptr, nullptr, job.threads());
  const auto world = mpi::Communicator::world();
  campaign::install_stop_signals();
  if (started && world.size() == 1) refuse_apart(*started, speaks);
  try {
    return Measuring(job, world).run(environment.provided());
  } catch (const mpi::Error&) {  // of one rank, while nothing was agreed upon: the others wait for it
    mpi::abort(explain_here(world));
  } catch (const std::bad_alloc&) {  // the same
    mpi::abort(explain_here(world));
  }
}

int fail_with_others(const std::string& help_of) {
  const auto failure = std::current_exception();
  campaign::install_stop_signals_of_start();
  const bool apart = processes_apart(1).has_value();
  const bool speaks = speaks_for_all();
  const mpi::Environment environment(nullptr, nullptr, mpi::ThreadLevel::single);
  const auto world = mpi::Communicator::world();
  campaign::install_stop_signals();
  if (apart && world.size() == 1 && !speaks) return code_of_current_exception();
  try {
    agreed(world, help_of, [&] { std::rethrow_exception(failure); });
  } catch (const Ended& ended) {
    return ended.code();
  } catch (const mpi::Error&) {
    mpi::abort(explain_here(world));
  }
  return exit_code::internal;
}

int explain_here(const mpi::Communicator& world, const std::string& help_of) {
  try {
    throw;
  } catch (const mpi::Error& error) {
    print_error_here(place_of_error(world) + error.what());
    return exit_code::point_failed;
  } catch (...) {
    return explain_current_exception(help_of, place_of_error(world));
  }
}

void end_hanging(const std::function<void()>& before) {
  std::thread([] {
    std::this_thread::sleep_for(time_to_abort);
    std::_Exit(exit_code::point_failed);
  }).detach();
  if (before) before();
  mpi::abort(exit_code::point_failed);
}

void agreed(const mpi::Communicator& world, const std::string& help_of, const std::function<void()>& act) {
  std::exception_ptr failure;
  try {
    act();
  } catch (...) {
    failure = std::current_exception();
  }
  const std::int64_t mine = failure ? world.rank() : world.size();
  const std::int64_t first = world.min(mine);
  if (first == world.size()) return;
  std::int64_t code = 0;
  if (mine == first) try {
      std::rethrow_exception(failure);
    } catch (...) {
      code = explain_here(world, help_of);
    }
  throw Ended(static_cast<int>(world.max(code)));
}

void agreed_on_root(const mpi::Communicator& world, const std::string& help_of,
                    const std::function<void()>& act) {
  agreed(world, help_of, [&] {
    if (world.is_root()) act();
  });
}

campaign::RunOptions FrontEndJob::options(const Prepared& prepared) {
  const Values& values = invocation_.values;
  planned_ = prepared.plan.measurable();
  campaign::RunOptions options;
  options.schedule = campaign::ScheduleKind::suite;
  options.seed = prepared.options.seed;
  options.samples = values.word("out") ? measure::SamplesKept::thin : measure::SamplesKept::none;
  options.classic_only = true;
  options.measure_noise = false;
  options.look_around = false;  // without a result file nobody would read it
  options.deadline_unix_s = deadline_of(values, invocation_.from_parent);
  options.tell_points = values.on("verbose");
  return options;
}

Destinations FrontEndJob::destinations(const std::optional<campaign::ResumeState>&,
                                       campaign::RunOptions& options) {
  refuse_existing_files();
  const Values& values = invocation_.values;
  Destinations to;
  if (const auto out = values.word("out")) {
    to.file =
        std::make_unique<record::Writer>(*out, record::Writer::Mode::create, record::make_run_id(), 1, 0);
    options.stop_file = std::filesystem::path(*out) / "STOP";
  }
  to.progress = make_progress(values, talk(invocation_));
  add_texts(to);
  return to;
}

void FrontEndJob::tell_stop(const campaign::RunResult& result) const {
  const std::string by = stopped_by(result.stop_cause, invocation_.values.said("deadline"));
  if (by.empty()) return;
  const record::Counts& n = result.counts;
  std::string text =
      "stopped after " + std::to_string(n.ok + n.failed) + " of " + std::to_string(planned_) + " points";
  if (n.partial > 0) text += " and parts of " + std::to_string(n.partial);
  std::cerr << text + by + ".\n" << std::flush;  // in one piece: other processes write there too
}

void RunKeeper::event(const record::EventRecord& event) {
  if (event.code == "oversubscribed") std::cerr << "steelyard: warning: " + event.text + '\n';
}

campaign::RunOptions FilesJob::options(const Prepared& prepared) {
  campaign::RunOptions options = FrontEndJob::options(prepared);
  options.look_around = true;
  return options;
}

void FilesJob::add_texts(Destinations& to) {
  auto keeper = std::make_unique<RunKeeper>();
  kept_ = keeper.get();
  to.texts.push_back(std::move(keeper));
}

}  // namespace steelyard::cli
