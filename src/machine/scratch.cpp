// SPDX-License-Identifier: Apache-2.0
#include "machine/scratch.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "machine/environment.hpp"
#include "machine/scratch_parts.hpp"

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

Scratch::~Scratch() {
  static_cast<void>(remove());
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
