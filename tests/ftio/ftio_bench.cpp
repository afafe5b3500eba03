// SPDX-License-Identifier: Apache-2.0
#include "ftio_bench.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>

namespace steelyard::ftio::test {

namespace fs = std::filesystem;

const mpi::Communicator& world() {
  static const auto all = mpi::Communicator::world();
  return all;
}

Place::Place() {
  std::string name = (fs::temp_directory_path() / "ftio_test_XXXXXX").string();
  if (world().is_root() && mkdtemp(name.data()) == nullptr)
    throw std::runtime_error("no directory for the test");
  path_ = world().broadcast(name);
  if (world().is_root()) fs::create_directory(scratch());
  world().barrier();
}

Place::~Place() {
  world().barrier();
  std::error_code ignored;
  if (world().is_root()) fs::remove_all(path_, ignored);
}

std::vector<std::string> Place::files() const {
  world().barrier();
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(path_))
    if (entry.is_regular_file()) names.push_back(entry.path().filename().string());
  world().barrier();
  std::ranges::sort(names);
  return names;
}

std::int64_t parameter_from(std::int64_t least) {
  return valid_parameters(world().size(), least, 1).front();
}

RunPlan plan_in(const Place& place, std::int64_t parameter) {
  RunPlan plan;
  plan.team = &world();
  plan.shape = {world().size(), parameter};
  plan.files.team = &world();
  plan.files.directory = place.scratch();
  plan.files.column_byte = plan.shape.file().count();
  plan.files.segment_byte = parameter * element_byte;
  return plan;
}

void set_access(RunPlan& plan, FileAccess access, PageCache cache) {
  plan.files.access = access;
  plan.files.cache = cache;
}

Ran run(const RunPlan& plan) {
  Ran ran;
  FtioRun workload(plan, ran.result);
  EXPECT_EQ(workload.run(0, 1), 0);
  auto verified = measure::verify(workload, 1, *plan.team);
  ran.failure = verified.failure;
  ran.check = verified.check;
  return ran;
}

Spoiled::Spoiled(const std::string& word, int rank) {
  setenv("FTIO_SPOIL_RANK", std::to_string(rank).c_str(), 1);
  setenv("FTIO_SPOIL", word.c_str(), 1);
}

Spoiled::~Spoiled() {
  unsetenv("FTIO_SPOIL");
  unsetenv("FTIO_SPOIL_RANK");
}

}  // namespace steelyard::ftio::test
