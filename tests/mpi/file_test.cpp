// SPDX-License-Identifier: Apache-2.0
#include "mpi/file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <numeric>

namespace steelyard::mpi {
namespace {

namespace fs = std::filesystem;

// A name for this run of the test; the same on all ranks.
std::string name_for(const std::string& what) {
  const auto world = Communicator::world();
  const auto rest = world.broadcast("mpi_file_test-" + std::to_string(::getpid()) + "-" + what);
  return (fs::current_path() / rest).string();
}

TEST(file, what_each_rank_writes_is_read_by_the_next) {
  const auto world = Communicator::world();
  const auto name = name_for("exchange");
  constexpr int length = 1000;
  std::vector<unsigned char> out(length), in(length);
  std::iota(out.begin(), out.end(), static_cast<unsigned char>(world.rank()));
  {
    File file(world, name, MPI_MODE_CREATE | MPI_MODE_RDWR);
    file.write_at(MPI_Offset{world.rank()} * length, out.data(), length);
    file.sync();
    world.barrier();
    file.sync();
    const int next = (world.rank() + 1) % world.size();
    EXPECT_EQ(file.read_at(MPI_Offset{next} * length, in.data(), length), length);
    EXPECT_EQ(in[1], static_cast<unsigned char>(next + 1));
    EXPECT_EQ(file.size(), MPI_Offset{world.size()} * length);
    EXPECT_EQ(file.read_at(file.size() - 10, in.data(), length), 10);
    EXPECT_NE(io_implementation(file), "unknown");
    file.close();
    EXPECT_FALSE(file.valid());
  }
  world.barrier();
  if (world.is_root()) {
    EXPECT_TRUE(delete_file(name));
    EXPECT_FALSE(delete_file(name));
  }
}

TEST(file, view_leaves_the_tiles_of_others_alone) {
  const auto world = Communicator::world();
  const auto name = name_for("view");
  DatatypeHandle tile;
  check(MPI_Type_create_resized(MPI_BYTE, 0, world.size(), tile.put()), "MPI_Type_create_resized");
  check(MPI_Type_commit(tile.put()), "MPI_Type_commit");
  {
    File file(world, name, MPI_MODE_CREATE | MPI_MODE_RDWR);
    file.set_view(world.rank(), MPI_BYTE, tile.get());
    const std::vector<unsigned char> mine(3, static_cast<unsigned char>(world.rank() + 1));
    file.write_at(0, mine.data(), 3);
    file.close();
  }
  world.barrier();
  if (world.is_root()) {
    File file(Communicator::self(), name, MPI_MODE_RDONLY);
    std::vector<unsigned char> all(static_cast<std::size_t>(3 * world.size()));
    EXPECT_EQ(file.read_at(0, all.data(), std::ssize(all)), std::ssize(all));
    for (std::size_t i = 0; i < all.size(); ++i)
      EXPECT_EQ(all[i], i % static_cast<std::size_t>(world.size()) + 1) << i;
    file.close();
    delete_file(name);
  }
  world.barrier();
}

TEST(file, missing_one_is_an_error_with_class_and_text) {
  const auto name = name_for("missing");
  try {
    File file(Communicator::world(), name, MPI_MODE_RDONLY);
    FAIL() << "opened";
  } catch (const Error& error) {
    EXPECT_EQ(error.call, "MPI_File_open");
    EXPECT_EQ(error.error_class, "MPI_ERR_NO_SUCH_FILE");
    EXPECT_FALSE(error.text.empty());
  }
}

TEST(hints, what_is_given_is_in_the_info_object) {
  const Hints given{{"cb_nodes", "1"}, {"striping_unit", "1048576"}};
  auto held = hints_of(make_info(given).get());
  std::ranges::sort(held);
  EXPECT_EQ(held, given);
  EXPECT_EQ(make_info({}).get(), MPI_INFO_NULL);
}

TEST(hints, that_are_too_long_are_errors_of_the_class_that_says_which_part_is) {
  const auto class_of = [](const Hints& hints) -> std::string {
    try {
      static_cast<void>(make_info(hints));
    } catch (const Error& error) {
      return error.error_class;
    }
    return "none";
  };
  EXPECT_EQ(class_of({{std::string(MPI_MAX_INFO_KEY + 1, 'k'), "1"}}), "MPI_ERR_INFO_KEY");
  EXPECT_EQ(class_of({{"cb_nodes", std::string(MPI_MAX_INFO_VAL + 1, 'v')}}), "MPI_ERR_INFO_VALUE");
}

}  // namespace
}  // namespace steelyard::mpi
