// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "machine/scratch.hpp"
#include "measure/engine.hpp"
#include "measure/failure.hpp"
#include "suites/imb/io/file_check.hpp"
#include "suites/imb/io/file_set.hpp"
#include "suites/imb/io/point_file.hpp"
#include "suites/imb/part_definition.hpp"
#include "suites/imb/sides.hpp"
#include "suites/session.hpp"

namespace steelyard::imb::test {

/// In memory where there is such a place: MPI_File_sync on a disk that others use takes its time.
inline std::filesystem::path quick_parent() {
  const std::filesystem::path memory = "/dev/shm";
  return ::access(memory.c_str(), W_OK) == 0 ? memory : std::filesystem::current_path();
}

/// A scratch directory that all ranks know. Collective.
class Directory {
 public:
  explicit Directory(const std::filesystem::path& parent = quick_parent()) {
    const auto world = mpi::Communicator::world();
    if (world.is_root()) scratch_.emplace(parent);
    place_.directory = world.broadcast(scratch_ ? scratch_->path().string() : std::string());
    if (scratch_) place_.claim = [this](const std::string& name) { scratch_->claim(name); };
  }
  ~Directory() { mpi::Communicator::world().barrier(); }
  [[nodiscard]] const suites::FilePlace& place() const { return place_; }
  /// On rank 0.
  [[nodiscard]] std::vector<std::filesystem::path> files() const {
    std::vector<std::filesystem::path> list;
    for (const auto& entry : std::filesystem::directory_iterator(place_.directory))
      if (!entry.path().filename().string().starts_with('.')) list.push_back(entry.path());
    return list;
  }

 private:
  std::optional<machine::Scratch> scratch_;
  suites::FilePlace place_;
};

/// All ranks in groups of `processes`.
inline measure::Team team_of(int processes, int groups = 1) {
  const auto world = mpi::Communicator::world();
  const bool active = world.rank() < processes * groups;
  measure::Team team;
  team.active = world.split(active ? 0 : -1, world.rank());
  team.groups = groups;
  team.index = active ? world.rank() / processes : 0;
  team.group = world.split(active ? team.index : -1, world.rank());
  return team;
}

/// Process 0 alone, and all processes, made once. Collective.
class Teams {
 public:
  Teams() : one_(team_of(1)), all_(team_of(mpi::Communicator::world().size())) {}
  [[nodiscard]] const measure::Team& of(int processes) const { return processes == 1 ? one_ : all_; }

 private:
  measure::Team one_, all_;
};

/// One point without the engine; all ranks take part (the first alone in S_*).
class FileBench {
 public:
  FileBench(const Directory& directory, const measure::Team& team, std::string_view name, std::int64_t size,
            Mode mode = Mode::aggregate, Version version = Version::v31, std::uint64_t slots = 5,
            std::int64_t longest_byte = std::numeric_limits<int>::max())
      : kernel_(10),
        files_({.base = "IMB_out",
                .own_file = file_action(name).own_file(),
                .size_byte = static_cast<std::int64_t>(slots) *
                             step_byte(file_action(name), Bytes{size}, team.group.size()),
                .filled = !file_action(name).writes()},
               directory.place(), team) {
    point_.action = file_action(name);
    point_.mode = mode;
    point_.version = version;
    point_.team = &team;
    point_.file_comm = &files_.comm();
    point_.path = files_.path();
    point_.size = Bytes{size};
    point_.slots = slots;
    point_.longest_byte = longest_byte;
    point_.sections = version == Version::v2021 ? static_cast<std::int64_t>(slots) : 1;
    memory_.resize(static_cast<std::size_t>(point_.own().bytes * point_.sections + 2 * guard),
                   std::byte{0x5a});
    point_.data = memory_.data() + guard;
    point_.kernel = &kernel_;
    point_.products = 1;
    if (point_.action.writes())
      fill_elements(point_.rank(), 0, {point_.data, static_cast<std::size_t>(point_.own().bytes)});
    workload_ = open_file_workload(point_, [this] { return damage(); });
  }
  [[nodiscard]] measure::Workload& workload() { return *workload_; }
  [[nodiscard]] const FilePoint& point() const { return point_; }
  void close() { workload_.reset(); }

 private:
  static constexpr std::int64_t guard = 64;
  [[nodiscard]] std::int64_t damage() const {
    std::int64_t changed = 0;
    for (std::size_t i = 0; i < guard; ++i)
      changed += (memory_[i] != std::byte{0x5a}) + (memory_[memory_.size() - 1 - i] != std::byte{0x5a});
    return changed;
  }

  MatrixVector kernel_;
  FileSet files_;
  FilePoint point_;
  std::vector<std::byte> memory_;
  std::unique_ptr<measure::Workload> workload_;
};

/// Errors of all ranks together; what the library tells itself counts as one.
inline std::int64_t errors_of(measure::Workload& workload, const measure::Team& team,
                              std::uint64_t repetitions = 4) {
  try {
    const auto result = workload.verify(repetitions);
    return team.active.sum(result ? result->errors : std::int64_t{-1000000});
  } catch (const measure::SharedFailure&) {
    return 1;
  }
}

}  // namespace steelyard::imb::test
