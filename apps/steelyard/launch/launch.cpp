// SPDX-License-Identifier: Apache-2.0
#include "launch/launch.hpp"

#include <pwd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>

#include "machine/build_info.hpp"
#include "machine/directory.hpp"
#include "machine/environment.hpp"
#include "machine/node_counters.hpp"
#include "machine/scratch.hpp"
#include "machine/text.hpp"
#include "options/checks.hpp"
#include "options/option_table.hpp"
#include "process/errors.hpp"
#include "process/version.hpp"
#include "record/file.hpp"
#include "units/text.hpp"

namespace steelyard::cli {

Room room_for_processes(int cores, const Variables& read) {
  auto found = machine::nodes_of_default_hosts(read);
  if (const auto groups = machine::whole(read("SLURM_HET_SIZE").value_or(""));
      groups && *groups > 1 && read("SLURM_JOB_ID") && !found)
    return {.slots = {}, .cores = cores, .groups = static_cast<int>(*groups)};
  if (!found) found = machine::nodes_of_job(read);
  if (found && found->nodes > 1) return {found->slots, found->cores, found->nodes};
  return {std::min(found && found->slots ? *found->slots : cores, cores), cores};
}

int processes_of_a_node(int processes, const Room& room) {
  const auto of_node = [&](int all) { return (all + room.nodes - 1) / room.nodes; };
  return std::min(processes, std::max(of_node(processes), room.slots ? of_node(*room.slots) : 1));
}

namespace {

// Time for killed processes to give back their memory and then their result file: without it a resume, or new processes
// that go on, would be refused.
constexpr std::chrono::seconds time_to_let_go{10};

constexpr int least_processes = 2;

// Without them Open MPI 4 explains every exit code but 0 in eleven lines. They stand for its -q, which Open MPI 5 refuses;
// that has no word in its place, and takes these for a setting of some library.
constexpr std::array quiet_words{"--mca", "orte_execute_quiet", "1"};

std::string replaced(std::string text, std::string_view what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

// Both libraries know the words. Open MPI refuses several processes on one core unless told.
void add_binding(const std::string& place, bool crowded, Library library, std::vector<std::string>& words) {
  if (place == "launcher") return;
  if (library == Library::other)
    throw Refused("--bind: how this MPI library's launcher binds is not known; say it with --launcher");
  const bool overload = library == Library::open_mpi && crowded && place != "none";
  words.insert(words.end(), {library == Library::open_mpi ? "--bind-to" : "-bind-to",
                             place + (overload ? ":overload-allowed" : "")});
}

// Place to which processes are bound. A launcher may bind a process to one core by default,
// which its threads would share.
std::string binding(const Values& values, Library library) {
  const bool threads = values.count("threads").value_or(1) > 1 && library != Library::other;
  return values.word_or("bind", "launcher") == "launcher" && threads ? "none"
                                                                     : values.word_or("bind", "launcher");
}

bool is_more(int processes, const std::optional<int>& room) {
  return room && processes > *room;
}

// Words for processes that find no room. Open MPI refuses more processes than slots unless told, and then lets them
// yield while they wait: right where they share cores, and slow where a job has more cores than slots.
std::vector<std::string> crowd_words(int processes, const Room& room) {
  const bool shares_cores = is_more(processes, room.cores), beyond_slots = is_more(processes, room.slots);
  std::vector<std::string> words;
  if (beyond_slots) words.emplace_back("--oversubscribe");
  if (shares_cores || (beyond_slots && room.cores))
    words.insert(words.end(), {"--mca", "mpi_yield_when_idle", shares_cores ? "1" : "0"});
  return words;
}

/// The MPI launcher that was found at build time.
std::string launcher_found() {
  for (const auto& [name, value] : machine::build_info().options)
    if (name == "launcher" && !value.empty()) return value;
  throw Refused("no MPI launcher was found at build time; name one with --launcher");
}

std::vector<std::string> default_words(int processes, const Room& room, Library library) {
  std::vector<std::string> words{launcher_found(), "-n", std::to_string(processes)};
  // Hydra takes any number of processes, and MPICH has no word for yielding.
  if (library != Library::open_mpi) return words;
  words.insert(words.end(), quiet_words.begin(), quiet_words.end());
  const auto crowd = crowd_words(processes, room);
  words.insert(words.end(), crowd.begin(), crowd.end());
  return words;
}

bool in_container() {
  if (std::filesystem::exists("/.dockerenv") || std::filesystem::exists("/run/.containerenv")) return true;
  return names_container(machine::describe_machine().json());
}

/// Lets the launcher say why it starts nothing, which it was told to keep for itself.
void let_launcher_explain(std::vector<std::string> launcher) {
  const auto quiet = std::ranges::search(launcher, quiet_words);
  if (quiet.empty()) return;
  launcher.erase(quiet.begin(), quiet.end());
  launcher.emplace_back("true");
  static_cast<void>(start_and_wait(launcher));
}

/// Whether a launcher that was asked to end ended because of that. Words or surroundings that the processes refuse, they
/// have told of.
bool was_of_the_wish(const Finish& finish) {
  const bool is_refusal = finish.code == exit_code::usage || finish.code == exit_code::refused;
  return died_of_the_wish(finish.code) || (finish.insisted && !is_refusal);
}

/// Whether the processes ended well, as far as the launcher's code tells, without the first record of a session.
bool began_nothing(const Invocation& invocation, int code, std::uintmax_t before, std::uintmax_t after) {
  if (code != exit_code::done && code != exit_code::point_failed) return false;
  return before == after && !invocation.values.on("print-environment");
}

// Exit code of the end record; without that record the code of a run that was asked to stop.
int recorded_code(const std::filesystem::path& results) {
  const auto end = recorded_end(results);
  return end ? end->exit_code : exit_code::stopped;
}

// A launcher in whose code a signal that was sent again has its part. Without records only the code 1 can be of it that
// the processes may have had reasons for, too.
bool tells_nothing(const Finish& finish, const std::filesystem::path& results, bool recorded) {
  return finish.insisted && (recorded || (results.empty() && finish.code == exit_code::point_failed));
}

// Command line that continues the run; empty if there is none: only `run` continues records, not a classic front-end.
std::string words_to_resume(const Invocation& invocation, int processes,
                            const std::filesystem::path& results) {
  if (results.empty() || invocation.command->name != "run") return {};
  return "steelyard run --resume -o " + units::in_shell(results.string()) + " -n " +
         std::to_string(processes);
}

// Open MPI takes variables to other nodes only when it is told to.
void pass_variables(const Values& values, std::vector<std::string>& words) {
  for (const auto& [name, given] : values.all())
    if (given.source == Source::environment) words.insert(words.end(), {"-x", given.origin});
}

void tell_children_of_terminal() {
  setenv("STEELYARD_TTY", isatty(STDERR_FILENO) != 0 ? "1" : "0", 1);
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    setenv("COLUMNS", std::to_string(size.ws_col).c_str(), 1);
}

/// Bytes in the result file of this directory; 0 if there is none.
std::uintmax_t bytes_of_records(const std::filesystem::path& results) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(results / "result.jsonl", error);
  return error ? 0 : bytes;
}

constexpr std::array own_codes{exit_code::done,      exit_code::point_failed, exit_code::usage,
                               exit_code::judgement, exit_code::refused,      exit_code::stopped,
                               exit_code::internal};

constexpr std::array crashes{SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};

// Quotes within a text are escaped: this can only be a member of a record.
constexpr std::string_view gave_up = R"("code":"gave_up")";

// Line of the files that a run has left, which it lists as long as they are there; empty if there is no list.
std::string files_stay(const std::filesystem::path& results) {
  std::error_code error;
  if (results.empty() || !std::filesystem::exists(results / machine::scratch_manifest_name, error)) return {};
  return "files of the run stay; they are removed by:  steelyard doctor --clean " +
         units::in_shell(results.string()) + '\n';
}

// Last line of a result file without its end; empty if that is missing.
std::string last_line(const std::filesystem::path& results) {
  const auto bytes = bytes_of_records(results);
  std::ifstream file(results / "result.jsonl", std::ios::binary);
  file.seekg(static_cast<std::streamoff>(bytes - std::min<std::uintmax_t>(bytes, record::max_line_byte + 1)));
  std::string line{std::istreambuf_iterator<char>(file), {}};
  if (line.empty() || line.back() != '\n') return {};
  line.pop_back();
  return line.substr(line.rfind('\n') + 1);
}

std::string code_of_launcher(const Ending& ending) {
  std::string killed;
  if (ending.killed > 0)
    killed = "; meanwhile the kernel here killed " + units::counted(ending.killed, "process") +
             " for lack of memory";
  return "(the launcher's code is " + std::to_string(ending.code) + killed + ")";
}

std::string continue_with(const std::string& words) {
  return "continue with:  " + words + '\n';
}

/// Watcher of the records of `results`: whether the processes have said there that they gave up (--give-up). Reads what
/// was added since the last call, so that a call every second costs nothing.
class GivenUp {
 public:
  explicit GivenUp(const std::filesystem::path& results) : file_(results / "result.jsonl") {
    std::error_code error;
    const auto bytes = std::filesystem::file_size(file_, error);
    if (!error) read_byte_ = bytes;
  }
  [[nodiscard]] bool operator()();

 private:
  std::filesystem::path file_;
  std::uintmax_t read_byte_ = 0;
  std::string end_;  // last bytes read, in which the word may begin
  bool seen_ = false;
};

/// Exit code 5 of a session that was stopped before it recorded anything, after lines on standard error that say so and,
/// where it goes on with a run of which earlier sessions have recorded something, how to go on.
int stopped_early(const Ending& ending, bool goes_on) {
  std::string text =
      "steelyard: stopped before anything " + std::string(goes_on ? "more " : "") + "was measured\n";
  if (goes_on && has_records(ending.results) && !ending.resume.empty()) text += continue_with(ending.resume);
  std::cerr << text + files_stay(ending.results);
  return exit_code::stopped;
}

}  // namespace

Library library_kind(const std::string& version) {
  if (version.find("Open MPI") != std::string::npos) return Library::open_mpi;
  return version.find("MPICH") != std::string::npos ? Library::mpich : Library::other;
}

std::string srun_words(Library library) {
  if (library == Library::open_mpi) return "srun --mpi=pmix";
  return library == Library::mpich ? "srun --mpi=pmi2" : "srun";
}

Room room_here() {
  return room_for_processes(machine::usable_cores());
}

bool takes_words_of_library(std::string_view launcher) {
  constexpr std::array<std::string_view, 5> others{"srun", "jsrun", "aprun", "ibrun", "lrun"};
  return std::ranges::find(others, std::filesystem::path(launcher).filename().string()) == others.end();
}

int processes_to_launch(const Values& values, const Room& room) {
  if (const auto said = parse_launch(values.word_or("launch", "auto"))) return *said;
  const bool has_more_nodes = room.nodes > 1 && room.slots;
  return std::max(least_processes, has_more_nodes ? *room.slots : machine::usable_cores());
}

void refuse_several_groups(const Values& values, const Room& room, Library library) {
  const bool knows = values.word("launcher") && parse_launch(values.word_or("launch", "auto"));
  if (room.groups < 2 || knows) return;
  throw Refused("this job of Slurm has " + std::to_string(room.groups) +
                " groups, which steelyard does not reach from here; start it with: " + srun_words(library) +
                " --het-group=0-" + std::to_string(room.groups - 1) + " steelyard ...");
}

std::vector<std::string> launcher_words(const Values& values, int processes, const Room& room,
                                        Library library) {
  const auto said = values.word("launcher");
  if (!said) {
    const Library known = takes_words_of_library(launcher_found()) ? library : Library::other;
    auto words = default_words(processes, room, known);
    add_binding(binding(values, known), is_more(processes, room.cores), known, words);
    return words;
  }
  std::vector<std::string> words = units::words_of_shell(*said);
  if (said->find("{n}") == std::string::npos) words.insert(words.end(), {"-n", std::to_string(processes)});
  for (std::string& word : words) word = replaced(word, "{n}", std::to_string(processes));
  return words;
}

std::vector<std::string> child_words(const Invocation& invocation, const FromParent& from_parent) {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  std::vector<std::string> words{error ? invocation.argv[0] : program.string(), launched_word(from_parent)};
  // The child is not called by the classic program's name.
  if (is_link_of(*invocation.command, invocation.argv[0])) words.emplace_back(invocation.command->name);
  words.insert(words.end(), invocation.argv.begin() + 1, invocation.argv.end());
  return words;
}

void permit_root(const Values& values, Library library) {
  const bool asks = library == Library::open_mpi && geteuid() == 0 &&
                    !(variable("OMPI_ALLOW_RUN_AS_ROOT") && variable("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"));
  if (!asks) return;
  if (!values.on("allow-root") && !in_container())
    throw Refused("Open MPI starts nothing as root; --allow-root permits it");
  setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
  setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  if (!values.on("quiet"))
    std::cerr
        << "steelyard: note: running as root; OMPI_ALLOW_RUN_AS_ROOT is set for the processes started\n";
}

void give_home() {
  if (getenv("HOME") != nullptr) return;
  const passwd* const user = getpwuid(geteuid());
  setenv("HOME", user == nullptr ? "/" : user->pw_dir, 1);
}

std::string scarce_room_of_launcher(Library library, const Variables& read) {
  if (library != Library::open_mpi) return {};
  constexpr std::array names{"OMPI_MCA_orte_tmpdir_base", "PRTE_MCA_prte_tmpdir_base", "TMPDIR", "TEMP",
                             "TMP"};
  const auto* const named =
      std::ranges::find_if(names, [&](const char* name) { return read(name).has_value(); });
  const std::string folder = named == names.end() ? "/tmp" : *read(*named);
  machine::Source source{machine::Roots{}};
  const auto facts = machine::directory_facts(source, folder);
  if (!facts.writable)
    return "'" + folder + "' cannot be written, where the launcher of Open MPI keeps its files";
  // Of two processes those of Open MPI 4.1.4 take 8.2 MiB.
  constexpr std::int64_t enough_byte = 10 << 20;
  if (facts.free_byte.value_or(enough_byte) >= enough_byte) return {};
  return "'" + folder + "' has room for " + units::format_size(Bytes{*facts.free_byte}) +
         ": where its files do not fit there, the launcher of Open MPI crashes or waits for ever";
}

bool is_too_long_for_launcher(std::string_view host, std::string_view version) {
  constexpr std::size_t longest = 49;
  return version.starts_with("Open MPI v4.") &&
         std::min(host.find_first_of(".0123456789"), host.size()) > longest;
}

bool to_be_launched(const Invocation& invocation) {
  if (!invocation.values.said("launch") || invocation.from_parent) return false;
  if (under_launcher())
    throw UsageError(invocation.values.find("launch")->origin + ": already started by mpiexec");
  return true;
}

bool names_container(const record::Json& machine) {
  const auto container = machine.is_object() ? machine.find("container") : machine.end();
  return container != machine.end() && container->is_object() && container->contains("kind") &&
         !(*container)["kind"].is_null();
}

Finish launch(const Invocation& invocation, const FromParent& from_parent,
              const std::filesystem::path& results) {
  const Values& values = invocation.values;
  const Library library = library_kind(mpi_library());
  const Room room = room_here();
  refuse_several_groups(values, room, library);
  const int processes = processes_to_launch(values, room);
  auto words = launcher_words(values, processes, room, library);
  // The library's launcher starts its processes as children, or one child for each other host.
  const bool is_ours = !values.word("launcher") && takes_words_of_library(words[0]);
  if (library == Library::open_mpi && is_ours) pass_variables(values, words);
  permit_root(values, library);
  if (const auto scarce = scarce_room_of_launcher(library); !scarce.empty())
    std::cerr << "steelyard: warning: " << scarce << '\n';
  give_home();
  tell_children_of_terminal();
  FromParent told = from_parent;
  told.terminal = isatty(STDOUT_FILENO) != 0;
  told.job_tasks = tasks_of_job();
  if (const std::string host = machine::host_name(); host.find(',') == std::string::npos) told.host = host;
  told.processors = machine::affinity().processors;
  const auto launcher = words;
  const auto child = child_words(invocation, told);
  words.insert(words.end(), child.begin(), child.end());
  if (values.on("verbose")) {
    std::string text = "steelyard: starts";
    for (const std::string& word : words) text += ' ' + word;
    std::cerr << text + '\n';
  }
  const auto before = bytes_of_records(results);
  const auto killed_before = machine::killed_for_memory();
  GivenUp given_up(results);
  const bool may_give_up = values.duration("give-up").value_or(Seconds{0}) > Seconds{0} && !results.empty();
  Watching watching;
  const auto recorded = [&] { return before != bytes_of_records(results); };
  if (may_give_up) watching.hopeless = [&given_up] { return given_up(); };
  if (!results.empty()) {
    watching.recorded = recorded;
    watching.ended = [&] { return recorded() && recorded_end(results); };
  }
  watching.children = is_ours ? Children::always : Children::unknown;
  Finish finish = start_and_wait(words, watching);
  // A refused launch has killed nobody: the writer is another run.
  if (!results.empty() && finish.code != exit_code::refused) record::wait_for_writer(results, time_to_let_go);
  const Ending ending{
      finish.code,     results,       words_to_resume(invocation, processes, results),
      finish.insisted, finish.signal, machine::killed_for_memory().value_or(0) - killed_before.value_or(0)};
  const auto lost = [&] {
    finish.lost = true;
    return lost_run(ending);
  };
  if ((finish.recorded || before > 0) && file_is_gone(results)) {
    finish.lost = true;
    finish.code = records_gone(ending);
  } else if (finish.stuck) {
    std::cerr << "steelyard: the launcher stayed when all its processes had ended, and was ended\n";
    const bool without_end = !results.empty() && recorded() && !recorded_end(results);
    finish.code = without_end ? lost() : recorded_code(results);
  } else if (finish.passed_on && !results.empty() && was_of_the_wish(finish) && !recorded()) {
    finish.code = stopped_early(ending, values.on("resume") || from_parent.continues);
  } else if (!results.empty() && began_nothing(invocation, finish.code, before, bytes_of_records(results))) {
    if (is_ours && library == Library::open_mpi) let_launcher_explain(launcher);
    // Processes that were to go on leave a run of which something is measured.
    finish.code = from_parent.continues ? lost() : nothing_begun(ending);
  } else if (may_give_up && given_up()) {
    finish.code = lost();
  } else if (!own_exit_code(finish.code) || tells_nothing(finish, results, recorded())) {
    const auto end = recorded() ? recorded_end(results) : std::nullopt;
    finish.code = end ? late_loss(ending, *end) : lost();
  }
  const bool doubtful = finish.code == exit_code::done && finish.asked == Asked::to_stop;
  if (doubtful) finish.code = recorded_code(results);
  return finish;
}

bool has_records(const std::filesystem::path& results) {
  return bytes_of_records(results) > 0;
}

std::optional<record::EndRecord> recorded_end(const std::filesystem::path& results) {
  if (results.empty()) return std::nullopt;
  try {
    const auto last = record::from_line(last_line(results));
    const auto* end = last ? std::get_if<record::EndRecord>(&last->body) : nullptr;
    return end != nullptr ? std::optional(*end) : std::nullopt;
  } catch (const record::ReadError&) {
    return std::nullopt;
  }
}

bool file_is_gone(const std::filesystem::path& results) {
  std::error_code error;
  return !results.empty() && !std::filesystem::exists(results / "result.jsonl", error) && !error;
}

bool own_exit_code(int code) {
  return std::ranges::find(own_codes, code) != own_codes.end();
}

bool GivenUp::operator()() {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(file_, error);
  if (seen_ || error || bytes <= read_byte_) return seen_;
  std::ifstream file(file_, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(read_byte_));
  const std::string added{std::istreambuf_iterator<char>(file), {}};
  read_byte_ += added.size();
  end_ += added;
  seen_ = end_.find(gave_up) != std::string::npos;
  end_.erase(0, end_.size() - std::min(end_.size(), gave_up.size()));
  return seen_;
}

bool was_cut_short(const std::filesystem::path& results) {
  if (results.empty() || !has_records(results)) return false;
  bool cut_short = false, left = false;
  const auto look = [&](const record::Record& record) {
    if (std::holds_alternative<record::RunRecord>(record.body)) cut_short = left = false;
    if (const auto* event = std::get_if<record::EventRecord>(&record.body))
      cut_short = cut_short || event->code == "cut_short";
    if (const auto* end = std::get_if<record::EndRecord>(&record.body)) left = end->points.left > 0;
  };
  try {
    record::scan(results, look);
  } catch (const record::ReadError&) {
    return false;
  }
  return cut_short && left;
}

int nothing_begun(const Ending& ending) {
  if (!ending.insisted && std::ranges::find(crashes, ending.signal) != crashes.end()) {
    print_error_here("the launcher itself crashed before anything was measured (signal " +
                     std::to_string(ending.signal) + ", " + strsignal(ending.signal) +
                     "); 'steelyard doctor' tells what it is known to stumble over");
    return exit_code::refused;
  }
  print_error_here("the processes ended before anything was measured " + code_of_launcher(ending));
  return exit_code::refused;
}

bool died_of_the_wish(int code) {
  return code == exit_code::done || code == SIGUSR1 || code == 128 + SIGUSR1;
}

int records_gone(const Ending& ending) {
  const bool told = ending.code == exit_code::point_failed || ending.code == exit_code::refused;
  if (told && !ending.insisted) return ending.code;
  print_error_here((ending.results / "result.jsonl").string() +
                   " is not there any more: it was removed or moved while the run wrote it");
  return exit_code::point_failed;
}

int late_loss(const Ending& ending, const record::EndRecord& end) {
  if (end.exit_code == ending.code) return end.exit_code;
  const std::string what =
      ending.insisted ? "the processes were ended by a second signal" : "a process was lost";
  std::string text =
      "steelyard: note: " + what + " when the end of the run was recorded " + code_of_launcher(ending) + '\n';
  if (end.points.left > 0 && !ending.resume.empty()) text += continue_with(ending.resume);
  std::cerr << text;
  return end.exit_code;
}

int lost_run(const Ending& ending) {
  if (!ending.results.empty() && !has_records(ending.results)) {
    const int code = nothing_begun(ending);
    std::cerr << files_stay(ending.results);
    return code;
  }
  const std::string why =
      ending.insisted ? "a second signal ended them" : "one was killed or a host was lost";
  print_error_here("the processes ended before the run did: " + why + ' ' + code_of_launcher(ending));
  std::string text;
  if (!ending.results.empty())
    text += "Everything measured is in " + (ending.results / "result.jsonl").string() + '\n';
  if (!ending.resume.empty()) text += continue_with(ending.resume);
  std::cerr << text + files_stay(ending.results);
  return exit_code::point_failed;
}

}  // namespace steelyard::cli
