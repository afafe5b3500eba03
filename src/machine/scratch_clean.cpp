// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "machine/scratch.hpp"
#include "machine/scratch_parts.hpp"

namespace steelyard::machine {
namespace {

namespace fs = std::filesystem;
using scratch::Descriptor;

bool own_directory(int directory) {
  struct stat facts {};
  return ::fstat(directory, &facts) == 0 && facts.st_uid == ::geteuid();
}

/// Why a marked directory may not be cleaned; empty if it may.
std::string hindrance(int directory, const Descriptor& marker_file, const scratch::Marker& marker) {
  if (!own_directory(directory)) return "belongs to another user";
  if (!marker_file.valid()) return std::generic_category().message(errno);
  // A lock of another host may not be seen here.
  if (marker.host != scratch::host_name()) return "made on host " + marker.host + ": clean it there";
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
