// SPDX-License-Identifier: Apache-2.0
#include "machine/source.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

#include "machine/text.hpp"

namespace steelyard::machine {

namespace {

class OpenFile {
 public:
  explicit OpenFile(const char* path) : number_(::open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (number_ >= 0) ::close(number_);
  }
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

/// Reads a whole file. Returns 0, or the error number that ended reading.
int read_all(const std::filesystem::path& path, std::string& text) {
  const OpenFile file(path.c_str());
  if (file.number() < 0) return errno;
  std::array<char, 16384> buffer{};
  for (;;) {
    const auto got = ::read(file.number(), buffer.data(), buffer.size());
    if (got == 0) return 0;
    if (got < 0 && errno != EINTR) return errno;
    if (got > 0) text.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

std::vector<std::string> names_on_disk(const std::filesystem::path& directory) {
  std::vector<std::string> names;
  std::error_code error;
  for (std::filesystem::directory_iterator i(directory, error), end; !error && i != end; i.increment(error))
    names.push_back(i->path().filename().string());
  return names;
}

/// Names in a directory of files that are not on disk.
std::vector<std::string> names_in(const Files& files, const std::string& directory) {
  std::vector<std::string> names;
  const auto top = directory + "/";
  for (auto file = files.lower_bound(top); file != files.end() && file->first.starts_with(top);) {
    const auto end = std::min(file->first.find('/', top.size()), file->first.size());
    names.push_back(file->first.substr(top.size(), end - top.size()));
    file = files.lower_bound(top + names.back() + static_cast<char>('/' + 1));
  }
  return names;
}

/// Sort key in which digits at the end count as a number: cpu2 < cpu10.
std::pair<std::string_view, std::int64_t> natural(std::string_view name) {
  const auto last = name.find_last_not_of("0123456789");
  const auto start = last == std::string_view::npos ? 0 : last + 1;
  return {name.substr(0, start), whole(name.substr(start)).value_or(-1)};
}

}  // namespace

std::string error_text(int error) {
  return std::generic_category().message(error);
}

std::filesystem::path Source::at(std::string_view path) const {
  if (path == "/proc" || path.starts_with("/proc/"))
    return roots_.proc / path.substr(std::min<std::size_t>(6, path.size()));
  if (path == "/sys" || path.starts_with("/sys/"))
    return roots_.sys / path.substr(std::min<std::size_t>(5, path.size()));
  return roots_.proc.parent_path() / path.substr(1);
}

Source::Content Source::read(const std::string& path) const {
  std::string text;
  Content content;
  if (roots_.files == nullptr)
    content.error = read_all(at(path), text);
  else if (const auto file = roots_.files->find(path); file != roots_.files->end())
    text = file->second;
  else
    content.error = ENOENT;
  if (content.error == 0) content.text = std::string(trimmed(text));
  return content;
}

const Source::Content& Source::content(const std::string& path) {
  const auto known = read_.find(path);
  return known != read_.end() ? known->second : read_.emplace(path, read(path)).first->second;
}

std::optional<std::string> Source::text(const std::string& path) {
  const auto& found = content(path);
  if (!found.text) note_missing(path, error_text(found.error));
  return found.text;
}

std::optional<std::int64_t> Source::number(const std::string& path) {
  const auto found = text(path);
  return found ? whole(*found) : std::nullopt;
}

std::optional<std::int64_t> Source::peek_number(const std::string& path) {
  const auto found = peek(path);
  return found ? whole(*found) : std::nullopt;
}

std::vector<std::string> Source::names(const std::string& directory) const {
  auto names = roots_.files == nullptr ? names_on_disk(at(directory)) : names_in(*roots_.files, directory);
  std::ranges::sort(names, [](const auto& a, const auto& b) { return natural(a) < natural(b); });
  return names;
}

bool Source::exists(const std::string& path) const {
  if (roots_.files != nullptr) return roots_.files->contains(path) || !names_in(*roots_.files, path).empty();
  std::error_code error;
  return std::filesystem::exists(at(path), error);
}

std::optional<std::string> Source::link_name(const std::string& path) const {
  if (roots_.files != nullptr) return std::nullopt;
  std::error_code error;
  const auto target = std::filesystem::read_symlink(at(path), error);
  if (error) return std::nullopt;
  return target.filename().string();
}

}  // namespace steelyard::machine
