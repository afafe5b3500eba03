// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "mpi/error.hpp"
#include "suites/imb/part_definition.hpp"
#include "tests/imb/bench.hpp"
#include "tests/imb/rma/interposed_windows.hpp"

/// Benchmarks of IMB-RMA on the first ranks, without the engine.
namespace steelyard::imb::test {

inline constexpr std::uint64_t aggregated = 6;

// Component osc/rdma of Open MPI 4.1, which is its first choice, refuses windows of one process, and all where processes
// may not read one another's memory.
class passive_targets : public testing::Test {
 protected:
  void SetUp() override {
    std::byte memory{};
    mpi::WindowHandle window;
    const int code =
        MPI_Win_create(&memory, 1, 1, MPI_INFO_NULL, mpi::Communicator::world().get(), window.put());
    if (code != MPI_SUCCESS) GTEST_SKIP() << "this MPI library makes no window here";
  }
  Groups groups_;
};

struct PassiveCase {
  std::string_view name;
  Mode mode = Mode::none;
};
inline std::string words(const PassiveCase& one) {
  return std::string(one.name) + " " + std::string(text(one.mode));
}
/// With more than two ranks those that two cannot tell about.
inline std::vector<PassiveCase> passive_cases() {
  std::vector<PassiveCase> all;
  const int world = mpi::Communicator::world().size();
  for (const auto& definition : rma().benchmarks) {
    if (world > 2 && active_ranks(definition, world) == 2) continue;
    for (const Mode mode : modes(Settings{}, definition)) all.push_back({definition.name, mode});
  }
  return all;
}

/// nullptr on ranks that take no part.
inline std::unique_ptr<Bench> passive_bench(const Settings& settings, const Groups& groups,
                                            const PassiveCase& one, std::int64_t bytes,
                                            std::uint64_t bundle = 0, std::uint64_t operations = aggregated) {
  const auto& definition = *find(rma(), one.name);
  const int processes = active_ranks(definition, mpi::Communicator::world().size());
  if (processes < definition.fewest || !groups.of(processes).valid()) return nullptr;
  const bool element = definition.kind == Class::single_element;
  const auto size = element ? 4 : rounded(settings, definition, bytes);
  return std::make_unique<Bench>(settings, groups.of(processes), one.name, size, operations,
                                 PartMode{rma(), one.mode, bundle});
}

}  // namespace steelyard::imb::test
