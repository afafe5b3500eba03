// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "measure/engine.hpp"
#include "suites/imb/io/rules.hpp"
#include "suites/session.hpp"

namespace steelyard::imb {

/// The file of one block on one rank, from its making to its removal. Source: 001_04218b74f686a5f6.txt
/// section 5.2.3.2.
class FileSet {
 public:
  struct Wishes {
    std::string base;  // "IMB_out"
    bool own_file = false;
    bool several_groups = false;  // -multi
    std::int64_t size_byte = 0;
    bool filled = false;  // for benchmarks that read
  };
  /// Collective over all groups: the first process of each file makes it anew below the scratch directory,
  /// sets its size and fills it. Throws measure::SharedFailure on all ranks if that fails on one.
  FileSet(const Wishes& wishes, const suites::FilePlace& place, const measure::Team& team);
  FileSet(const FileSet&) = delete;
  FileSet& operator=(const FileSet&) = delete;
  /// The first process of each file removes it; nobody may have it open.
  ~FileSet();

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// The communicator of the file: its group, or this process alone.
  [[nodiscard]] const mpi::Communicator& comm() const { return own_file_ ? self_ : team_->group; }

  /// Whether the file system has no room left, as far as this process may use it. No communication.
  [[nodiscard]] bool disk_is_full() const;

  /// Collective over all groups: throws measure::SharedFailure with reason `space` unless the file system has
  /// room for so many more bytes of every file. A collective write into a full file system may never return
  /// (OMPIO).
  void refuse_without_room(std::int64_t bytes) const;

  /// Collective over all groups: asks every node to forget the file's pages. Throws measure::SharedFailure.
  void drop_pages() const;
  /// Collective over all groups: the largest share of any of the files that lies in the memory of a node that
  /// uses it; nothing where the system does not tell.
  [[nodiscard]] std::optional<double> resident_share() const;

 private:
  void make(const Wishes& wishes, const suites::FilePlace& place);
  void remove() const;
  [[nodiscard]] bool first_of_file() const { return own_file_ || team_->group.is_root(); }

  const measure::Team* team_;
  mpi::Communicator self_;
  bool own_file_;
  bool made_ = false;  // by this process
  std::filesystem::path path_;
};

}  // namespace steelyard::imb
