// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/io/file_set.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <vector>

#include "machine/directory.hpp"
#include "measure/failure.hpp"
#include "suites/imb/io/file_check.hpp"
#include "suites/imb/sides.hpp"

namespace steelyard::imb {
namespace {

constexpr std::int64_t no_room_byte = 4096;  // with less than that a file system is full

std::string name_of(const FileSet::Wishes& wishes, const measure::Team& team) {
  std::string name = wishes.base;
  if (wishes.several_groups) name += "_g" + std::to_string(team.index);
  if (wishes.own_file) name += "_" + std::to_string(mpi::Communicator::world().rank());
  return name;
}

// Fails on whatever is there, a symbolic link too: what MPI then opens is this very file.
void make_empty(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0)
    throw std::filesystem::filesystem_error("cannot make the file", path,
                                            std::error_code(errno, std::generic_category()));
  ::close(file);
}

// Bytes of the file that have their room already.
std::int64_t allocated_byte(const std::filesystem::path& path) {
  constexpr std::int64_t unit_byte = 512;  // of st_blocks, whatever the file system's own
  struct stat found {};
  return ::stat(path.c_str(), &found) == 0 ? std::int64_t{found.st_blocks} * unit_byte : 0;
}

void fill(mpi::File& file, std::int64_t bytes) {
  std::vector<std::byte> piece(static_cast<std::size_t>(std::min(piece_byte, bytes)));
  for (std::int64_t at = 0; at < bytes; at += piece_byte) {
    const auto length = std::min(piece_byte, bytes - at);
    fill_elements(0, at, piece);
    file.write_at(at, piece.data(), length);
  }
}

}  // namespace

std::optional<std::int64_t> room_byte(const std::filesystem::path& path) {
  struct statvfs room {};
  if (::statvfs(path.c_str(), &room) != 0) return std::nullopt;
  const std::uint64_t blocks = ::geteuid() == 0 ? room.f_bfree : room.f_bavail;
  return static_cast<std::int64_t>(blocks * room.f_frsize);
}

FileSet::FileSet(const Wishes& wishes, const suites::FilePlace& place, const measure::Team& team)
    : team_(&team),
      self_(mpi::Communicator::self()),
      own_file_(wishes.own_file),
      path_(place.directory / name_of(wishes, team)) {
  try {
    measure::all_or_none(team.active, [&] {
      if (team.active.is_root() && place.claim) place.claim(wishes.base);
      if (first_of_file()) make(wishes, place);
    });
  } catch (const measure::SharedFailure&) {
    remove();
    throw;
  }
}

void FileSet::make(const Wishes& wishes, const suites::FilePlace& place) {
  make_empty(path_);
  made_ = true;
  mpi::File file(self_, path_.string(), MPI_MODE_CREATE | MPI_MODE_RDWR, place.hints);
  is_romio_ = mpi::io_implementation(file) == "ROMIO";
  file.set_size(wishes.size_byte);
  if (wishes.filled) fill(file, wishes.size_byte);
  file.close();
}

// Removes the file; anything else that has come into its place since is somebody else's.
void FileSet::remove() const {
  std::error_code ignored;
  if (made_ && std::filesystem::is_regular_file(std::filesystem::symlink_status(path_, ignored)))
    std::filesystem::remove(path_, ignored);
}

bool FileSet::disk_is_full() const {
  const auto room = room_byte(path_);
  return room && *room < no_room_byte;
}

// Bytes that are still to be allocated for one file and what lies beside it.
std::int64_t FileSet::lacking_byte(const Room& room) const {
  const bool may_hang = room.together && !is_romio_;
  const auto beside = may_hang ? std::max(room.beside_byte, room.file_byte) : room.beside_byte;
  const auto in_file = room.file_byte > 0 ? room.file_byte - allocated_byte(path_) : 0;
  return std::max<std::int64_t>(in_file, 0) + beside;
}

void FileSet::refuse_without_room(const Room& wanted) const {
  const std::int64_t files = own_file_ ? team_->active.size() : team_->groups;
  measure::all_or_none(team_->active, [&] {
    rlimit limit{};
    const bool too_long = ::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
                          static_cast<std::uint64_t>(wanted.file_byte) > limit.rlim_cur;
    const auto lacking = lacking_byte(wanted) * files;
    const auto room = room_byte(path_);
    if (!too_long && (!room || lacking == 0 || lacking + no_room_byte <= *room)) return;
    throw std::filesystem::filesystem_error(
        "no room for " + std::to_string(too_long ? wanted.file_byte : lacking) + " byte", path_,
        std::make_error_code(too_long ? std::errc::file_too_large : std::errc::no_space_on_device));
  });
}

void FileSet::drop_pages() const {
  measure::all_or_none(team_->active, [this] { machine::drop_pages(path_); });
}

std::optional<double> FileSet::resident_share() const {
  const auto own = machine::residence(path_);
  const double largest = team_->active.max(own ? own->share() : -1.0);
  return largest < 0 ? std::nullopt : std::optional(largest);
}

}  // namespace steelyard::imb
