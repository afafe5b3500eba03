// SPDX-License-Identifier: Apache-2.0
#include "machine/scratch.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <system_error>
#include <utility>

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

/// Makes the last component if it is missing; whether it did.
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
  // Not every file system has locks; without one the host and its start tell whether the run lives.
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

void try_to_write(const fs::path& path, std::string_view name) {
  const auto file = path / (std::string(name) + "-" + random_token());
  const Descriptor descriptor(
      ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!descriptor.valid()) scratch::fail("cannot make a file", file);
  const char byte = 1;
  const bool written = ::write(descriptor.get(), &byte, 1) == 1;
  const int error = errno;
  ::unlink(file.c_str());
  errno = error;
  if (!written) scratch::fail("cannot write", file);
}

}  // namespace steelyard::machine
