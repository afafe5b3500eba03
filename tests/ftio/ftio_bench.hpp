// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "measure/failure.hpp"
#include "mpi/communicator.hpp"
#include "suites/ftio/run.hpp"

/// Runs of FTIO as the tests look at them.
namespace steelyard::ftio::test {

[[nodiscard]] const mpi::Communicator& world();

/// A directory with one of ours in it, the same on all ranks, removed at the end. Collective.
class Place {
 public:
  Place();
  ~Place();
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  [[nodiscard]] std::filesystem::path scratch() const { return path_ / "scratch"; }
  /// Names of the files in it and below.
  [[nodiscard]] std::vector<std::string> files() const;

 private:
  std::filesystem::path path_;
};

/// The smallest valid parameter that is at least this.
[[nodiscard]] std::int64_t parameter_from(std::int64_t least);

/// A run by the rule in that place.
[[nodiscard]] RunPlan plan_in(const Place& place, std::int64_t parameter);
void set_access(RunPlan& plan, FileAccess access, PageCache cache);

/// What came of a run, the same on all ranks.
struct Ran {
  RunResult result;
  measure::Failure failure;
  std::optional<record::Check> check;
};
/// Collective.
[[nodiscard]] Ran run(const RunPlan& plan);

/// What spoils system calls as long as it lives: a word of spoiled_files.c, on that rank.
class Spoiled {
 public:
  Spoiled(const std::string& word, int rank);
  ~Spoiled();
  Spoiled(const Spoiled&) = delete;
  Spoiled& operator=(const Spoiled&) = delete;
};

}  // namespace steelyard::ftio::test
