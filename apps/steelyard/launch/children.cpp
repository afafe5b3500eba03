// SPDX-License-Identifier: Apache-2.0
#include "launch/children.hpp"

#include <charconv>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>

namespace steelyard::cli {
namespace {

namespace fs = std::filesystem;

struct ProcessState {
  char state = 0;
  pid_t parent = 0;
};

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

}  // namespace

std::optional<std::vector<pid_t>> children_of(pid_t parent, const fs::path& proc) {
  auto listed = listed_children(proc / std::to_string(parent) / "task");
  return listed ? std::move(listed) : processes_with(parent, proc);
}

bool is_alive(pid_t process, const fs::path& proc) {
  const auto found = read_process(proc / std::to_string(process));
  return found && found->state != 'Z' && found->state != 'X';
}

}  // namespace steelyard::cli
