// SPDX-License-Identifier: Apache-2.0
#include "machine/scratch_parts.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <memory>
#include <sstream>
#include <system_error>
#include <utility>

#include "machine/environment.hpp"

namespace steelyard::machine::scratch {
namespace {

namespace fs = std::filesystem;

std::string first_line(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

std::string read_all(int file) {
  std::string text;
  std::array<char, 4096> piece{};
  for (;;) {
    const auto length = ::read(file, piece.data(), piece.size());
    if (length < 0 && errno == EINTR) continue;
    if (length <= 0) return text;
    text.append(piece.data(), static_cast<std::size_t>(length));
  }
}

bool own_regular_file(int directory, const char* name) {
  struct stat facts {};
  return ::fstatat(directory, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(facts.st_mode) &&
         facts.st_uid == ::geteuid();
}

bool claimed(const Marker& marker, std::string_view name) {
  name.remove_prefix(std::min(name.find_first_not_of('.'), name.size()));
  return std::ranges::any_of(marker.claimed, [name](const auto& word) { return name.starts_with(word); });
}

std::vector<std::string> names_in(int directory) {
  std::vector<std::string> names;
  const int copy = ::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (copy < 0) return names;
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(::fdopendir(copy), ::closedir);
  if (!stream) return names;
  while (const auto* entry = ::readdir(stream.get())) names.emplace_back(entry->d_name);
  std::erase_if(names, [](const std::string& name) { return name == "." || name == ".."; });
  std::ranges::sort(names);
  return names;
}

std::string error_text() {
  return std::generic_category().message(errno);
}

void write_lines(const fs::path& file, const std::vector<fs::path>& lines) {
  std::ofstream stream(file, std::ios::trunc);
  for (const auto& line : lines) stream << line.string() << '\n';
}

}  // namespace

void fail(const std::string& what, const fs::path& path) {
  throw fs::filesystem_error(what, path, std::error_code(errno, std::generic_category()));
}

Descriptor::~Descriptor() {
  if (value_ >= 0) ::close(value_);
}

int Descriptor::release() {
  return std::exchange(value_, -1);
}

std::string marker_text(const std::string& token) {
  std::ostringstream text;
  text << marker_head << "\nhost " << host_name() << "\nboot "
       << first_line("/proc/sys/kernel/random/boot_id") << "\ntoken " << token << '\n';
  return text.str();
}

std::optional<Marker> read_marker(int directory) {
  if (!own_regular_file(directory, marker_name)) return std::nullopt;
  const Descriptor file(::openat(directory, marker_name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!file.valid()) return std::nullopt;
  std::istringstream text(read_all(file.get()));
  std::string line;
  if (!std::getline(text, line) || line != marker_head) return std::nullopt;
  Marker marker;
  while (std::getline(text, line)) {
    const auto blank = line.find(' ');
    if (blank == std::string::npos) continue;
    const auto word = line.substr(0, blank);
    const auto value = line.substr(blank + 1);
    if (word == "host") marker.host = value;
    if (word == "boot") marker.boot = value;
    if (word == "token") marker.token = value;
    if (word == "file" && !value.empty()) marker.claimed.push_back(value);
  }
  return marker;
}

void write_all(int file, std::string_view text, const fs::path& path) {
  while (!text.empty()) {
    const auto length = ::write(file, text.data(), text.size());
    if (length < 0 && errno == EINTR) continue;
    if (length < 0) fail("cannot write", path);
    text.remove_prefix(static_cast<std::size_t>(length));
  }
}

void remove_contents(int directory, const fs::path& path, Removal& removal) {
  const auto marker = read_marker(directory);
  if (!marker) {
    removal.left.push_back({path, "its marker is missing"});
    return;
  }
  const auto before = removal.left.size();
  for (const auto& name : names_in(directory)) {
    if (name == marker_name) continue;
    if (!claimed(*marker, name) || !own_regular_file(directory, name.c_str()))
      removal.left.push_back({path / name, "not made by this program"});
    else if (::unlinkat(directory, name.c_str(), 0) != 0)
      removal.left.push_back({path / name, error_text()});
    else
      removal.removed.push_back(path / name);
  }
  if (removal.left.size() == before) ::unlinkat(directory, marker_name, 0);
}

void add_to_manifest(const fs::path& manifest, const fs::path& directory) {
  const Descriptor file(
      ::open(manifest.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0644));
  if (!file.valid()) fail("cannot write", manifest);
  write_all(file.get(), directory.string() + "\n", manifest);
}

std::vector<fs::path> read_manifest(const fs::path& manifest) {
  std::vector<fs::path> lines;
  std::ifstream stream(manifest);
  for (std::string line; std::getline(stream, line);)
    if (!line.empty()) lines.emplace_back(line);
  return lines;
}

void remove_from_manifest(const fs::path& manifest, const fs::path& directory) {
  std::error_code ignored;
  if (manifest.empty() || fs::is_symlink(manifest, ignored)) return;
  auto lines = read_manifest(manifest);
  std::erase(lines, directory);
  if (lines.empty())
    fs::remove(manifest, ignored);
  else
    write_lines(manifest, lines);
}

}  // namespace steelyard::machine::scratch
