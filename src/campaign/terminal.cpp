// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "campaign/progress.hpp"

namespace steelyard::campaign {
namespace {

namespace fs = std::filesystem;
constexpr int most_ancestors = 8;
constexpr int default_columns = 100;

std::optional<int> whole_number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Width of a terminal opened only to be asked: never our controlling terminal, never read from.
std::optional<int> columns_of(const std::string& device) {
  const int descriptor = open(device.c_str(), O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return std::nullopt;
  winsize size{};
  const bool told = ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  close(descriptor);
  return told ? std::optional<int>(size.ws_col) : std::nullopt;
}

int columns_told() {
  const char* told = std::getenv("COLUMNS");
  return told == nullptr ? default_columns : whole_number(told).value_or(default_columns);
}

struct Process {
  std::string command;
  int parent = 0;
};

/// "123 (name with ) in it) S 45 ...": the name ends at the last parenthesis.
std::optional<Process> process(int pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  if (!std::getline(file, text)) return std::nullopt;
  const auto open = text.find('(');
  const auto close = text.rfind(')');
  if (open == std::string::npos || close == std::string::npos || close + 4 > text.size()) return std::nullopt;
  const std::string_view rest = std::string_view(text).substr(close + 4);
  const auto parent = whole_number(rest.substr(0, rest.find(' ')));
  if (!parent) return std::nullopt;
  return Process{text.substr(open + 1, close - open - 1), *parent};
}

bool is_launcher(std::string_view command) {
  constexpr std::array<std::string_view, 7> names{"mpirun",  "mpiexec", "mpiexec.hydra", "orterun",
                                                  "prterun", "prun",    "srun"};
  return std::ranges::any_of(names, [&](std::string_view name) {
    return command == name || (command.starts_with(name) && command[name.size()] == '.');
  });
}

bool is_ours(int pid) {
  struct stat status {};
  return stat(("/proc/" + std::to_string(pid)).c_str(), &status) == 0 && status.st_uid == geteuid();
}

/// The launcher that started this process on this host.
std::optional<int> launcher() {
  int pid = getppid();
  for (int step = 0; step < most_ancestors && pid > 1; ++step) {
    const auto ancestor = process(pid);
    if (!ancestor) return std::nullopt;
    if (is_launcher(ancestor->command)) return is_ours(pid) ? std::optional(pid) : std::nullopt;
    pid = ancestor->parent;
  }
  return std::nullopt;
}

/// The terminal that is behind this descriptor of the launcher; empty where it is something else.
std::string launchers_device(int descriptor) {
  const auto pid = launcher();
  if (!pid) return {};
  std::error_code error;
  const std::string device =
      fs::read_symlink("/proc/" + std::to_string(*pid) + "/fd/" + std::to_string(descriptor), error).string();
  const bool terminal = !error && (device.starts_with("/dev/pts/") || device.starts_with("/dev/tty"));
  return terminal ? device : std::string();
}

std::optional<Terminal> launchers_terminal() {
  const std::string device = launchers_device(STDERR_FILENO);
  if (device.empty()) return std::nullopt;
  return Terminal{ProgressMode::bar, columns_of(device).value_or(default_columns)};
}

std::optional<Terminal> own_terminal() {
  if (isatty(STDERR_FILENO) == 0) return std::nullopt;
  return Terminal{ProgressMode::bar, columns_of("/proc/self/fd/2").value_or(default_columns)};
}

bool standard_error_is_closed() {
  return fcntl(STDERR_FILENO, F_GETFD) < 0;
}

}  // namespace

bool shows_on_terminal(bool under_launcher) {
  return under_launcher ? !launchers_device(STDOUT_FILENO).empty() : isatty(STDOUT_FILENO) != 0;
}

Terminal find_terminal(bool under_launcher) {
  if (standard_error_is_closed()) return {ProgressMode::none, default_columns};
  const char* told = std::getenv("STEELYARD_TTY");
  if (told != nullptr && std::string_view(told) == "1") return {ProgressMode::bar, columns_told()};
  if (told != nullptr && std::string_view(told) == "0") return {ProgressMode::lines, default_columns};
  const auto found = under_launcher ? launchers_terminal() : own_terminal();
  return found.value_or(Terminal{ProgressMode::lines, default_columns});
}

}  // namespace steelyard::campaign
