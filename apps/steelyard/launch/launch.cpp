// SPDX-License-Identifier: Apache-2.0
#include "launch/launch.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "errors.hpp"
#include "launch/ending.hpp"
#include "launch/launcher_found.hpp"
#include "machine/environment.hpp"
#include "record/file.hpp"
#include "record/json.hpp"
#include "version.hpp"
#include "words/checks.hpp"

namespace steelyard::cli {
namespace {

constexpr int least_processes = 2;

std::string replaced(std::string text, std::string_view what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

std::vector<std::string> split_words(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (c != ' ')
      words.back() += c;
    else if (!words.back().empty())
      words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
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

// A launcher's own habit may be one core for a process: its threads would share it.
std::string binding(const Values& values, Library library) {
  const bool threads = values.count("threads").value_or(1) > 1 && library != Library::other;
  return values.word_or("bind", "launcher") == "launcher" && threads ? "none"
                                                                     : values.word_or("bind", "launcher");
}

std::vector<std::string> default_words(int processes, int cores, Library library) {
  if (launcher_found.empty())
    throw Refused("no MPI launcher was found at build time; name one with --launcher");
  std::vector<std::string> words{std::string(launcher_found), "-n", std::to_string(processes)};
  // Without -q it explains every exit code but 0 in eleven lines.
  if (library == Library::open_mpi) words.emplace_back("-q");
  // Open MPI refuses more processes than cores unless told; then processes that wait must yield.
  if (library == Library::open_mpi && processes > cores)
    words.insert(words.end(), {"--oversubscribe", "--mca", "mpi_yield_when_idle", "1"});
  return words;
}

bool in_container() {
  if (std::filesystem::exists("/.dockerenv") || std::filesystem::exists("/run/.containerenv")) return true;
  const auto machine = machine::describe_machine();
  return machine.json().is_object() && machine.json().contains("container") &&
         !machine.json()["container"].is_null() && machine.json()["container"] != false;
}

// What the last end record says; without records a run that was asked to stop has stopped.
int recorded_code(const std::filesystem::path& results) {
  if (results.empty()) return exit_code::stopped;
  try {
    const auto runs = record::runs(record::read(results));
    return !runs.empty() && runs.back().end ? runs.back().end->exit_code : exit_code::stopped;
  } catch (const record::ReadError&) {
    return exit_code::stopped;
  }
}

// Front-ends of the seed programs keep records, but only run continues them.
std::string words_to_resume(const Invocation& invocation, int processes,
                            const std::filesystem::path& results) {
  if (results.empty() || invocation.command->name != "run") return {};
  return "steelyard run --resume -o " + results.string() + " -n " + std::to_string(processes);
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

}  // namespace

Library library_kind(const std::string& version) {
  if (version.find("Open MPI") != std::string::npos) return Library::open_mpi;
  return version.find("MPICH") != std::string::npos ? Library::mpich : Library::other;
}

int processes_to_launch(const Values& values) {
  const auto said = parse_launch(values.word_or("launch", "auto"));
  return said ? *said : std::max(least_processes, machine::usable_cores());
}

std::vector<std::string> launcher_words(const Values& values, int processes, int cores, Library library) {
  const auto said = values.word("launcher");
  if (!said) {
    auto words = default_words(processes, cores, library);
    add_binding(binding(values, library), processes > cores, library, words);
    return words;
  }
  std::vector<std::string> words = split_words(*said);
  if (words.empty()) throw UsageError("--launcher: names no command");
  if (said->find("{n}") == std::string::npos) words.insert(words.end(), {"-n", std::to_string(processes)});
  for (std::string& word : words) word = replaced(word, "{n}", std::to_string(processes));
  return words;
}

std::vector<std::string> child_words(const Invocation& invocation, const FromParent& from_parent) {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  std::vector<std::string> words{error ? invocation.argv[0] : program.string(), launched_word(from_parent)};
  const bool named = std::find(invocation.argv.begin(), invocation.argv.end(), invocation.command->name) !=
                     invocation.argv.end();
  if (!named) words.emplace_back(invocation.command->name);  // called by the seed program's name
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

bool to_be_launched(const Invocation& invocation) {
  if (!invocation.values.said("launch") || invocation.from_parent) return false;
  if (under_launcher())
    throw UsageError(invocation.values.find("launch")->origin + ": already started by mpiexec");
  return true;
}

Finish launch(const Invocation& invocation, const FromParent& from_parent,
              const std::filesystem::path& results) {
  const Values& values = invocation.values;
  const Library library = library_kind(mpi_library());
  const int processes = processes_to_launch(values);
  auto words = launcher_words(values, processes, machine::usable_cores(), library);
  if (library == Library::open_mpi && !values.word("launcher")) pass_variables(values, words);
  permit_root(values, library);
  tell_children_of_terminal();
  FromParent told = from_parent;
  told.terminal = isatty(STDOUT_FILENO) != 0;
  const auto child = child_words(invocation, told);
  words.insert(words.end(), child.begin(), child.end());
  if (values.on("verbose")) {
    std::cerr << "steelyard: starts";
    for (const std::string& word : words) std::cerr << ' ' << word;
    std::cerr << std::endl;
  }
  GivenUp given_up(results);
  const bool may_give_up = values.said("give-up") && !results.empty();
  Finish finish =
      may_give_up ? start_and_wait(words, [&given_up] { return given_up(); }) : start_and_wait(words);
  if (!own_exit_code(finish.code) || (may_give_up && given_up()))
    finish.code = lost_run({finish.code, results, words_to_resume(invocation, processes, results)});
  const bool doubtful = finish.code == exit_code::done && finish.asked == Asked::to_stop;
  if (doubtful) finish.code = recorded_code(results);
  return finish;
}

}  // namespace steelyard::cli
