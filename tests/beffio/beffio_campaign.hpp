// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/runner.hpp"
#include "record/file.hpp"
#include "suites/beffio/settings.hpp"
#include "tests/campaign/one_text.hpp"

/// Runs of b_eff_io with hardly any time, as the tests look at them.
namespace steelyard::beffio::test {

[[nodiscard]] const mpi::Communicator& world();

/// In memory where there is such a place: MPI_File_sync on a disk that others use takes its time.
[[nodiscard]] std::filesystem::path quick_parent();

/// A directory of the test, the same on all ranks, removed with its content at the end. Collective.
class Directory {
 public:
  explicit Directory(const mpi::Communicator& world, const std::filesystem::path& parent = quick_parent());
  ~Directory();
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Files in it and below, without their directories.
  [[nodiscard]] std::vector<std::string> files() const;

 private:
  const mpi::Communicator& world_;
  std::filesystem::path path_;
};

/// One partition of all processes; every pattern once, chunks up to 2 MB.
[[nodiscard]] Settings tiny(const mpi::Communicator& world);

using campaign::test::Told;

/// The point of an access method and pattern. Throws std::out_of_range.
[[nodiscard]] const record::PointRecord& find(const Told& told, std::string_view access, int pattern,
                                              int processes);
[[nodiscard]] double number(const record::PointRecord& point, std::string_view name);

/// One campaign after the other into the same text. Collective over the world.
class Campaign {
 public:
  Campaign(const Settings& settings, const mpi::Communicator& world, const Directory& directory);
  [[nodiscard]] campaign::RunResult run(const std::optional<campaign::ResumeState>& resume = std::nullopt);
  [[nodiscard]] campaign::RunOptions& options() { return options_; }
  /// A stop file of this name appears when the first point of an access method has ended; empty: no more.
  void stop_in(const std::string& access, const std::filesystem::path& stop_file);
  /// On rank 0.
  [[nodiscard]] Told told() const { return campaign::test::told_by(text_.str()); }
  [[nodiscard]] campaign::ResumeState state_to_resume(const Told& told) const;

 private:
  [[nodiscard]] campaign::Plan plan(const suites::Suite& suite) const;

  Settings settings_;
  const mpi::Communicator& world_;
  const Directory& directory_;
  campaign::RunOptions options_;
  std::unique_ptr<formats::Writer> stopper_;
  std::stringstream text_;
  std::ostringstream errors_;
};

}  // namespace steelyard::beffio::test
