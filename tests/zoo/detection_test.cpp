// SPDX-License-Identifier: Apache-2.0
// What is found out about each machine of the zoo.
#include <gmock/gmock.h>

#include <cmath>
#include <map>

#include "kernel_files.hpp"
#include "machine/environment.hpp"
#include "machine/text.hpp"
#include "machine_data.hpp"
#include "record/json.hpp"

namespace steelyard::zoo {
namespace {

using record::Json;

constexpr std::int64_t gibi = std::int64_t{1} << 30;

/// The members that a machine's file may call unknown.
constexpr const char* counted_members[] = {"sockets", "cores", "threads_per_core", "caches", "numa"};

struct Found {
  Json machine;
  machine::Cache cache;
  int usable_cores = 0;
  std::int64_t node_memory = 0, usable_memory = 0;
};

Found look_at(const MachineData& data) {
  const auto files = kernel_files(data);
  const machine::Roots roots{.files = &files};
  return {machine::describe_machine(roots).json(), machine::last_level_cache(roots),
          machine::usable_cores(roots), machine::node_memory(roots), machine::usable_memory(roots).node_byte};
}

/// Looked for once, for all tests.
const Found& found_on(const MachineData& data) {
  static std::map<std::string, Found> all;
  const auto known = all.find(data.name);
  return known != all.end() ? known->second : all.emplace(data.name, look_at(data)).first->second;
}

bool is_unknown(const Expected& expected, std::string_view member) {
  return std::ranges::find(expected.unknown, member) != expected.unknown.end();
}

std::vector<std::int64_t> nodes_without_processors(const Json& machine) {
  std::vector<std::int64_t> numbers;
  if (!machine["numa"].is_array()) return numbers;
  for (const auto& node : machine["numa"])
    if (node["processors"] == "" && record::number_in(node, "memory_byte") > 0)
      numbers.push_back(node["node"].get<std::int64_t>());
  return numbers;
}

std::int64_t bytes(double gibibyte) {
  return std::llround(gibibyte * gibi);
}

class detection : public testing::TestWithParam<std::string> {};

TEST_P(detection, finds_what_the_machine_has_and_names_what_it_cannot_find) {
  const MachineData data = read_machine(GetParam());
  const Expected& expected = data.expected;
  const Found& found = found_on(data);
  EXPECT_EQ(found.machine["processor"], expected.processor);
  const auto count = [&](const char* member, int number) {
    EXPECT_EQ(found.machine[member], is_unknown(expected, member) ? Json(nullptr) : Json(number)) << member;
  };
  count("cores", expected.cores);
  count("sockets", expected.sockets);
  count("threads_per_core", expected.threads_per_core);
  EXPECT_EQ(found.usable_cores, expected.usable_cores);
  for (const char* member : counted_members)
    EXPECT_EQ(found.machine[member].is_null(), is_unknown(expected, member)) << member;
  EXPECT_EQ(found.machine["missing"].empty(), false) << "nothing recorded is as full as a machine";
}

TEST_P(detection, finds_the_last_level_cache) {
  const MachineData data = read_machine(GetParam());
  const Found& found = found_on(data);
  EXPECT_EQ(found.cache.size_byte, machine::cache_bytes(data.expected.cache).value_or(0));
  EXPECT_EQ(found.cache.count, data.expected.caches);
}

TEST_P(detection, finds_the_memory_under_the_limits) {
  const MachineData data = read_machine(GetParam());
  const Found& found = found_on(data);
  EXPECT_EQ(found.node_memory, bytes(data.expected.gibibyte));
  EXPECT_GT(found.usable_memory, 0);
  EXPECT_LE(found.usable_memory, found.node_memory);
  EXPECT_EQ(nodes_without_processors(found.machine), data.expected.memory_only);
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::ranges::replace(name, '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(zoo, detection, testing::ValuesIn(machine_names()), test_name);

}  // namespace
}  // namespace steelyard::zoo
