// SPDX-License-Identifier: Apache-2.0
#include "machine/scratch.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <memory>
#include <random>
#include <span>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "machine/environment.hpp"

namespace steelyard::machine::scratch {
namespace {

constexpr std::string_view directory_prefix = "steelyard-scratch-";
constexpr const char* marker_name = ".steelyard-scratch";
constexpr std::string_view marker_head = "steelyard scratch 1";

/// Content of a marker file.
struct Marker {
  std::string host, boot, token;
  std::vector<std::string> claimed;
};

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

void write_lines(const fs::path& file, const std::vector<fs::path>& lines) {
  std::ofstream stream(file, std::ios::trunc);
  for (const auto& line : lines) stream << line.string() << '\n';
}

std::string marker_text(const std::string& token) {
  std::ostringstream text;
  text << marker_head << "\nhost " << host_name() << "\nboot "
       << first_line("/proc/sys/kernel/random/boot_id") << "\ntoken " << token << '\n';
  return text.str();
}

/// Marker of an open directory; nullopt if there is none, or it is no regular file of this user.
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

/// Removes the claimed regular files of an open directory and the marker, if nothing else is left.
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
      removal.left.push_back({path / name, std::generic_category().message(errno)});
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

/// Removes the line; the file is removed with its last line.
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

}  // namespace steelyard::machine::scratch

namespace steelyard::machine {
namespace {

namespace fs = std::filesystem;
using scratch::Descriptor;

std::string random_token() {
  std::random_device device;
  const std::uint64_t bits = (std::uint64_t{device()} << 32) | device();
  constexpr std::string_view digits = "0123456789abcdef";
  std::string token;
  for (int shift = 60; shift >= 0; shift -= 4) token += digits[(bits >> shift) & 15];
  return token;
}

/// Makes the last component if it is missing; returns true if it did.
bool make_parent(const fs::path& parent) {
  if (::mkdir(parent.c_str(), 0755) == 0) return true;
  if (errno != EEXIST) scratch::fail("cannot make the directory", parent);
  return false;
}

int open_own(int parent, const std::string& name, const fs::path& path) {
  Descriptor directory(::openat(parent, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  struct stat facts {};
  if (!directory.valid() || ::fstat(directory.get(), &facts) != 0) scratch::fail("cannot open", path);
  if (facts.st_uid != ::geteuid()) {
    errno = EPERM;
    scratch::fail("belongs to another user", path);
  }
  return directory.release();
}

bool plain_name(std::string_view name) {
  return !name.empty() && name.front() != '.' && name.find_first_of("/\n") == std::string_view::npos &&
         name.find('\0') == std::string_view::npos;
}

namespace fs = std::filesystem;

bool own_directory(int directory) {
  struct stat facts {};
  return ::fstat(directory, &facts) == 0 && facts.st_uid == ::geteuid();
}

/// Reason why a marked directory may not be cleaned; empty if it may.
std::string hindrance(int directory, const Descriptor& marker_file, const scratch::Marker& marker) {
  if (!own_directory(directory)) return "belongs to another user";
  if (!marker_file.valid()) return std::generic_category().message(errno);
  // A lock of another host may not be visible here.
  if (marker.host != host_name()) return "made on host " + marker.host + ": clean it there";
  if (::flock(marker_file.get(), LOCK_EX | LOCK_NB) != 0)
    return errno == EWOULDBLOCK ? "its run is still going on"
                                : "cannot tell whether its run is still going on";
  return {};
}

void clean_one(const fs::path& path, Removal& removal) {
  const Descriptor directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!directory.valid()) {
    if (errno != ENOENT) removal.left.push_back({path, std::generic_category().message(errno)});
    return;
  }
  const auto marker = scratch::read_marker(directory.get());
  if (!marker) {
    // Killed between making the directory and marking it: it is empty, and rmdir takes no other.
    if (own_directory(directory.get()) && ::rmdir(path.c_str()) == 0)
      removal.removed.push_back(path);
    else
      removal.left.push_back({path, "it has no marker of this program"});
    return;
  }
  const Descriptor marker_file(
      ::openat(directory.get(), scratch::marker_name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (const auto why = hindrance(directory.get(), marker_file, *marker); !why.empty()) {
    removal.left.push_back({path, why});
    return;
  }
  const auto before = removal.left.size();
  scratch::remove_contents(directory.get(), path, removal);
  if (removal.left.size() > before) return;
  if (::rmdir(path.c_str()) == 0)
    removal.removed.push_back(path);
  else
    removal.left.push_back({path, std::generic_category().message(errno)});
}

bool scratch_name(const fs::path& path) {
  return path.filename().string().starts_with(scratch::directory_prefix);
}

}  // namespace

Scratch::Scratch(const fs::path& parent, const fs::path& manifest) : manifest_(manifest) {
  try {
    make(fs::absolute(parent).lexically_normal());
  } catch (...) {
    remove();
    throw;
  }
}

void Scratch::make(const fs::path& parent) {
  if (make_parent(parent)) made_parent_ = parent;
  const Descriptor above(::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!above.valid()) scratch::fail("cannot open", parent);
  token_ = random_token();
  const std::string name = std::string(scratch::directory_prefix) + token_;
  const auto path = parent / name;
  if (!manifest_.empty()) scratch::add_to_manifest(manifest_, path);
  if (::mkdirat(above.get(), name.c_str(), 0700) != 0) scratch::fail("cannot make the directory", path);
  path_ = path;
  directory_ = open_own(above.get(), name, path_);
  marker_ = ::openat(directory_, scratch::marker_name,
                     O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (marker_ < 0) scratch::fail("cannot mark", path_);
  // Not every file system has locks; without them the host and its start tell whether the run lives.
  static_cast<void>(::flock(marker_, LOCK_EX | LOCK_NB));
  scratch::write_all(marker_, scratch::marker_text(token_), path_);
}

Scratch::Scratch(Scratch&& other) noexcept
    : path_(std::move(other.path_)),
      manifest_(std::move(other.manifest_)),
      made_parent_(std::move(other.made_parent_)),
      token_(std::move(other.token_)),
      directory_(std::exchange(other.directory_, -1)),
      marker_(std::exchange(other.marker_, -1)) {}

Scratch& Scratch::operator=(Scratch&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(manifest_, other.manifest_);
  std::swap(made_parent_, other.made_parent_);
  std::swap(token_, other.token_);
  std::swap(directory_, other.directory_);
  std::swap(marker_, other.marker_);
  return *this;
}

void Scratch::claim(std::string_view name) {
  if (!plain_name(name)) throw std::invalid_argument("'" + std::string(name) + "' is no plain file name");
  scratch::write_all(marker_, "file " + std::string(name) + "\n", path_ / scratch::marker_name);
}

Removal Scratch::remove() {
  Removal removal;
  const Descriptor directory(std::exchange(directory_, -1));
  const Descriptor marker(std::exchange(marker_, -1));
  if (directory.valid()) {
    scratch::remove_contents(directory.get(), path_, removal);
    if (removal.complete() && ::rmdir(path_.c_str()) == 0)
      removal.removed.push_back(path_);
    else if (removal.complete())
      removal.left.push_back({path_, std::generic_category().message(errno)});
  }
  if (!path_.empty() && removal.complete()) scratch::remove_from_manifest(manifest_, path_);
  if (!made_parent_.empty()) ::rmdir(made_parent_.c_str());  // stays unless it is empty
  made_parent_.clear();
  return removal;
}

void look_at_scratch(const fs::path& path, std::string_view token) {
  const Descriptor directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!directory.valid()) scratch::fail("cannot open the scratch directory", path);
  const auto marker = scratch::read_marker(directory.get());
  if (marker && marker->token == token) return;
  errno = ENOENT;
  scratch::fail("this node sees another directory than the first one", path);
}

namespace {

// Makes a file, opened with these flags besides, writes so many bytes and removes it.
void try_file(const fs::path& path, std::string_view name, int flags, std::span<const std::byte> bytes) {
  const auto file = path / (std::string(name) + "-" + random_token());
  const Descriptor descriptor(
      ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | flags, 0600));
  // Some systems find out about the flags when the file is made.
  const int not_opened = descriptor.valid() ? 0 : errno;
  const bool written = descriptor.valid() && ::write(descriptor.get(), bytes.data(), bytes.size()) ==
                                                 static_cast<ssize_t>(bytes.size());
  const int error = errno;
  if (not_opened != EEXIST) ::unlink(file.c_str());  // a file of this name would be of somebody else
  errno = not_opened != 0 ? not_opened : error;
  if (!descriptor.valid()) scratch::fail("cannot make a file", file);
  if (!written) scratch::fail("cannot write", file);
}

}  // namespace

void try_to_write(const fs::path& path, std::string_view name) {
  const std::byte byte{1};
  try_file(path, name, 0, std::span(&byte, 1));
}

void try_to_write_directly(const fs::path& path, std::string_view name) {
  struct alignas(4096) Block {
    std::array<std::byte, 4096> bytes{};
  };
  const Block block;
  try_file(path, name, O_DIRECT, block.bytes);
}

Removal clean_listed_scratch(const fs::path& manifest) {
  Removal removal;
  for (const auto& path : scratch::read_manifest(manifest)) {
    if (!scratch_name(path)) {
      removal.left.push_back({path, "its name is none that this program gives"});
      continue;
    }
    clean_one(path, removal);
    std::error_code ignored;
    if (!fs::exists(fs::symlink_status(path, ignored))) scratch::remove_from_manifest(manifest, path);
  }
  return removal;
}

Removal clean_scratch(const fs::path& directory) {
  Removal removal;
  const auto path = fs::absolute(directory).lexically_normal();
  const auto own = path.has_filename() ? path : path.parent_path();
  if (scratch_name(own)) {
    clean_one(own, removal);
    return removal;
  }
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(own))
    if (scratch_name(entry.path())) found.push_back(entry.path());
  for (const auto& one : found) clean_one(one, removal);
  const auto listed = clean_listed_scratch(own / scratch_manifest_name);
  removal.removed.insert(removal.removed.end(), listed.removed.begin(), listed.removed.end());
  removal.left.insert(removal.left.end(), listed.left.begin(), listed.left.end());
  return removal;
}

}  // namespace steelyard::machine
