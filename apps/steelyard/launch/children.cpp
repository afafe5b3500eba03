// SPDX-License-Identifier: Apache-2.0
#include "launch/children.hpp"

#include <algorithm>
#include <charconv>
#include <csignal>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>

#include "process/launched.hpp"

namespace steelyard::cli {
namespace {

namespace fs = std::filesystem;

struct ProcessState {
  char state = 0;
  pid_t parent = 0;
  std::int64_t processor_ticks = 0;
};

// From the parent to the times of the processor, which are fields 14 and 15 of the line.
constexpr int fields_before_times = 9;

// Reads "123 (name) S 45 ...": the name may hold anything, and ends at the last parenthesis. A process that ends
// before its open file is read makes reading fail, at which an iterator over the stream would throw.
std::optional<ProcessState> read_process(const fs::path& directory) {
  std::ifstream file(directory / "stat");
  std::string text;
  std::getline(file, text, '\0');
  const std::size_t name_end = text.rfind(") ");
  if (name_end == std::string::npos) return std::nullopt;
  ProcessState process;
  std::istringstream rest(text.substr(name_end + 2));
  if (!(rest >> process.state >> process.parent)) return std::nullopt;
  std::string passed;
  for (int field = 0; field < fields_before_times; ++field) rest >> passed;
  std::int64_t user = 0, system = 0;
  if (rest >> user >> system) process.processor_ticks = user + system;
  return process;
}

// Everything in a folder of /proc; what ends meanwhile is no error.
std::vector<fs::path> entries(const fs::path& folder) {
  std::vector<fs::path> list;
  std::error_code gone;
  for (fs::directory_iterator at(folder, gone); !gone && at != fs::directory_iterator(); at.increment(gone))
    list.push_back(at->path());
  return list;
}

// Lists of the threads: kernels without CONFIG_PROC_CHILDREN have none.
std::optional<std::vector<pid_t>> listed_children(const fs::path& threads) {
  std::vector<pid_t> list;
  bool is_told = false;
  for (const auto& thread : entries(threads)) {
    std::ifstream file(thread / "children");
    is_told = is_told || file.is_open();
    for (pid_t child = 0; file >> child;) list.push_back(child);
  }
  return is_told ? std::optional(std::move(list)) : std::nullopt;
}

std::optional<pid_t> process_number(const fs::path& directory) {
  const std::string name = directory.filename().string();
  pid_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc{} && end == name.data() + name.size() ? std::optional(number) : std::nullopt;
}

std::optional<std::vector<pid_t>> processes_with(pid_t parent, const fs::path& proc) {
  std::vector<pid_t> list;
  bool is_told = false;
  for (const auto& entry : entries(proc)) {
    const auto number = process_number(entry);
    const auto process = number ? read_process(entry) : std::nullopt;
    is_told = is_told || process;
    if (process && process->parent == parent) list.push_back(*number);
  }
  return is_told ? std::optional(std::move(list)) : std::nullopt;
}

// Whether the second word of a process is that of the parent: a launcher has it further behind.
bool is_launched(const fs::path& directory) {
  std::ifstream file(directory / "cmdline", std::ios::binary);
  std::string program, word;
  return std::getline(file, program, '\0') && std::getline(file, word, '\0') &&
         read_launched_word(word).has_value();
}

}  // namespace

std::optional<std::vector<pid_t>> children_of(pid_t parent, const fs::path& proc) {
  auto listed = listed_children(proc / std::to_string(parent) / "task");
  return listed ? std::move(listed) : processes_with(parent, proc);
}

bool is_alive(pid_t process, const fs::path& proc) {
  const auto found = read_process(proc / std::to_string(process));
  return found && found->state != 'Z' && found->state != 'X';
}

std::vector<pid_t> launched_below(pid_t launcher, const fs::path& proc) {
  std::vector<pid_t> family{launcher}, found;
  for (std::size_t i = 0; i < family.size(); ++i)
    for (const pid_t child : children_of(family[i], proc).value_or(std::vector<pid_t>{})) {
      // Processes that come and go while we look may be named twice.
      if (std::ranges::find(family, child) != family.end()) continue;
      family.push_back(child);
      if (is_launched(proc / std::to_string(child))) found.push_back(child);
    }
  return found;
}

Activity activity_of(pid_t process, const fs::path& proc) {
  const auto found = read_process(proc / std::to_string(process));
  return found ? Activity{found->processor_ticks, found->state == 'D'} : Activity{};
}

namespace {

// Numbers of looks.
constexpr int patience_here = 10, patience_elsewhere = 60, looks_to_kill = 4;
// Processes that know the wish record its beginning and its end at once.
constexpr int looks_to_end = 3;
// In a second: threads of an MPI library that wakes now and then to find nothing take less.
constexpr std::int64_t least_ticks = 2;

}  // namespace

void FirstWish::send() {
  sent_ = true;
  reached_ = reached_ || !launched_below(launcher_).empty();
  kill(launcher_, SIGUSR1);
}

void FirstWish::look() {
  if (!sent_) return;
  const auto processes = launched_below(launcher_);
  std::int64_t ticks = 0;
  bool waits_for_disk = false;
  for (const pid_t process : processes) {
    const Activity activity = activity_of(process);
    ticks += activity.processor_ticks;
    waits_for_disk = waits_for_disk || activity.waits_for_disk;
  }
  const bool at_work = waits_for_disk || ticks - ticks_ >= least_ticks;
  ticks_ = ticks;
  const bool here = !processes.empty(), recorded = recorded_ && recorded_();
  repeat(here, recorded);
  if (ended_ || (recorded_ && !recorded)) end_if_idle(here, at_work);
}

void FirstWish::repeat(bool here, bool recorded) {
  if (reached_) return;
  // Processes of other hosts show themselves by what they record.
  if (recorded) ++looks_recorded_;
  if (!here && looks_recorded_ <= looks_to_end) return;
  reached_ = repeated_ = true;
  kill(launcher_, SIGUSR1);
}

void FirstWish::end_if_idle(bool here, bool at_work) {
  looks_idle_ = at_work && !ended_ ? 0 : looks_idle_ + 1;
  if (!ended_ && looks_idle_ == (here ? patience_here : patience_elsewhere)) {
    ended_ = true;
    looks_idle_ = 0;
    kill(launcher_, SIGTERM);
  } else if (ended_ && looks_idle_ == looks_to_kill) {
    kill(-launcher_, SIGKILL);
  }
}

}  // namespace steelyard::cli
