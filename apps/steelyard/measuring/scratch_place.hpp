// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "campaign/plan.hpp"
#include "machine/scratch.hpp"
#include "suites/session.hpp"

namespace steelyard::cli {

/// What a command says about files.
struct FileWishes {
  std::filesystem::path parent;  // of the scratch directory
  mpi::Hints hints;
  std::string named_by;  // the option that names it; empty = our own default, which is made if it is missing
};

/// Whether any block of the plan makes files.
[[nodiscard]] bool makes_files(const campaign::Plan& plan);

/// The scratch directory of a run, as long as this object lives. Rank 0 makes and removes it; every process
/// has made sure that it sees the same one, and one process of each node that it may write there.
class ScratchPlace {
 public:
  /// Collective. `manifest`: in the result directory of rank 0, empty without one. Throws Ended on all ranks,
  /// with exit code 4, if there can be no such directory.
  ScratchPlace(const mpi::Communicator& world, const std::string& help_of, const FileWishes& wishes,
               const std::filesystem::path& manifest);

  [[nodiscard]] suites::FilePlace place();
  /// On rank 0: adds the scratch directory's MPI-IO to the member `io` of the run record.
  [[nodiscard]] const record::Document& mpi_io() const { return mpi_io_; }
  /// On rank 0: removes everything of ours; what had to stay.
  [[nodiscard]] std::vector<machine::LeftBehind> remove();

 private:
  std::optional<machine::Scratch> scratch_;  // on rank 0
  std::filesystem::path directory_;
  mpi::Hints hints_;
  record::Document mpi_io_;
};

}  // namespace steelyard::cli
