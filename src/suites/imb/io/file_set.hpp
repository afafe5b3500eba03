// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "measure/engine.hpp"
#include "suites/imb/io/rules.hpp"
#include "suites/session.hpp"

namespace steelyard::imb {

/// Bytes that this process may still write there; nullopt if the system does not tell.
[[nodiscard]] std::optional<std::int64_t> room_byte(const std::filesystem::path& path);

/// File of one block on one rank, from its making to its removal. Source: IMB 3.1 User's Guide, 5.2.3.2.
class FileSet {
 public:
  struct Wishes {
    std::string base;  // "IMB_out"
    bool own_file = false;
    bool several_groups = false;  // -multi
    std::int64_t size_byte = 0;
    bool filled = false;  // for benchmarks that read
  };
  /// Makes the files: the first process of each makes it anew below the scratch directory, sets its size and
  /// fills it. Collective over all groups. Throws measure::SharedFailure on all ranks if that fails on one.
  FileSet(const Wishes& wishes, const suites::FilePlace& place, const measure::Team& team);
  FileSet(const FileSet&) = delete;
  FileSet& operator=(const FileSet&) = delete;
  /// Removes the file, on its first process; nobody may have it open.
  ~FileSet() { remove(); }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Communicator of the file: its group, or this process alone.
  [[nodiscard]] const mpi::Communicator& comm() const { return own_file_ ? self_ : team_->group; }

  /// Whether the file system has no room left, as far as this process may use it. No communication.
  [[nodiscard]] bool disk_is_full() const;

  /// What a row needs room for: bytes of the file, of which some may be there from rows before, and of others beside it.
  struct Room {
    std::int64_t file_byte = 0, beside_byte = 0;
    bool together = false;  // written by collective calls
  };
  /// Throws measure::SharedFailure with reason `space` unless the file system has room for that, for every file. A
  /// collective write into a full file system may never return but with ROMIO: there it is asked for as much again.
  /// Collective over all groups.
  void refuse_without_room(const Room& room) const;

  /// Asks every node to forget the file's pages. Throws measure::SharedFailure. Collective over all groups.
  void drop_pages() const;
  /// Largest share of any of the files that lies in the memory of a node that uses it; nullopt if the system
  /// does not tell. Collective over all groups.
  [[nodiscard]] std::optional<double> resident_share() const;

 private:
  void make(const Wishes& wishes, const suites::FilePlace& place);
  void remove() const;
  [[nodiscard]] std::int64_t lacking_byte(const Room& room) const;
  [[nodiscard]] bool first_of_file() const { return own_file_ || team_->group.is_root(); }

  const measure::Team* team_;
  mpi::Communicator self_;
  bool own_file_;
  bool made_ = false;     // by this process
  bool is_romio_ = true;  // as far as this process has made the file
  std::filesystem::path path_;
};

}  // namespace steelyard::imb
