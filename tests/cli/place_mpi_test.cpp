// SPDX-License-Identifier: Apache-2.0
// What processes on unlike nodes agree upon.
#include <gtest/gtest.h>

#include "measuring/place.hpp"
#include "mpi/communicator.hpp"

namespace steelyard::cli {
namespace {

/// A node with a last-level cache of so many KiB and a line of so many bytes.
machine::Files node_with_cache(int kibibyte, int line) {
  const std::string cache = "/sys/devices/system/cpu/cpu0/cache/index0/";
  return {{"/proc/cpuinfo", "processor : 0\n"},
          {"/proc/meminfo", "MemTotal: 8000000 kB\nMemAvailable: 4000000 kB\n"},
          {cache + "level", "3"},
          {cache + "type", "Unified"},
          {cache + "size", std::to_string(kibibyte) + "K"},
          {cache + "coherency_line_size", std::to_string(line)},
          {cache + "shared_cpu_list", "0"}};
}

TEST(world_place, has_the_largest_cache_and_line_of_all_nodes) {
  const auto world = mpi::Communicator::world();
  const auto files = node_with_cache(1024 * (world.rank() + 1), world.is_root() ? 128 : 64);
  const Place place = world_place(world, 1, {.files = &files});
  EXPECT_EQ(place.cache.cache_byte, std::int64_t{world.size()} << 20);
  EXPECT_EQ(place.cache.line_byte, 128);
  EXPECT_EQ(place.cache_share.alone_byte, std::int64_t{world.size()} << 20);
}

TEST(world_place, counts_the_nodes) {
  EXPECT_EQ(world_place(mpi::Communicator::world(), 1).nodes, 1);
}

}  // namespace
}  // namespace steelyard::cli
