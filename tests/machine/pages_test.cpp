// SPDX-License-Identifier: Apache-2.0
#include "machine/pages.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "machine/directory.hpp"
#include "machine/source.hpp"

namespace steelyard::machine {
namespace {

namespace fs = std::filesystem;

TEST(file_pages, what_was_written_is_in_memory_until_it_is_dropped) {
  const fs::path file = fs::current_path() / "file_pages_test.data";
  std::ofstream(file) << std::string(1 << 20, 'x');
  const auto written = residence(file);
  ASSERT_TRUE(written);
  EXPECT_EQ(written->size_byte, 1 << 20);
  EXPECT_GT(written->share(), 0.5);
  EXPECT_NO_THROW(drop_pages(file));
  Source source{Roots{}};
  if (medium(directory_facts(source, fs::current_path()).type) == Medium::local) {
    EXPECT_LT(residence(file)->share(), 0.5);
  }
  fs::remove(file);
}

TEST(file_pages, empty_files_are_nowhere_and_missing_ones_unknown) {
  const fs::path file = fs::current_path() / "file_pages_test.empty";
  std::ofstream(file).flush();
  EXPECT_EQ(residence(file)->share(), 0);
  fs::remove(file);
  EXPECT_FALSE(residence(file));
  EXPECT_THROW(drop_pages(file), fs::filesystem_error);
}

Files with_domains(int domains, const std::string& allowed, const std::string& areas) {
  Files files{{"/proc/self/status", "Cpus_allowed_list: " + allowed + "\n"}, {"/proc/self/numa_maps", areas}};
  files["/sys/devices/system/cpu/online"] = "0-7";
  for (int i = 0; i < domains; ++i)
    files["/sys/devices/system/node/node" + std::to_string(i) + "/cpulist"] =
        std::to_string(4 * i) + "-" + std::to_string(4 * i + 3);
  return files;
}

TEST(page_places, are_those_of_large_areas_without_files) {
  const auto files =
      with_domains(2, "1",
                   "7f0000000000 default anon=1024 dirty=1024 active=0 N0=768 N1=256 kernelpagesize_kB=4\n"
                   "7f1000000000 default huge anon=3 dirty=3 N1=3 kernelpagesize_kB=2048\n"
                   "7f2000000000 default file=/usr/lib/libmpi.so mapped=900 N1=900 kernelpagesize_kB=4\n"
                   "7ffc00000000 default stack anon=30 dirty=30 N1=30 kernelpagesize_kB=4\n"
                   "7f3000000000 default\n");
  const auto places = page_places(0, {.files = &files});
  EXPECT_EQ(places.byte, (4 + 6) << 20);
  EXPECT_EQ(places.remote_byte, (1 + 6) << 20);
  EXPECT_EQ(page_places(1, {.files = &files}).remote_byte, 3 << 20);
}

TEST(page_places, of_a_system_that_lists_none_are_nowhere) {
  const Files nothing;
  EXPECT_EQ(page_places(0, {.files = &nothing}).byte, 0);
}

TEST(one_domain_of_several, is_that_of_a_process_that_is_bound_to_it) {
  const auto domain = [](int domains, const std::string& allowed) {
    const auto files = with_domains(domains, allowed, "");
    return one_domain_of_several({.files = &files});
  };
  EXPECT_EQ(domain(2, "5-6"), 1);
  EXPECT_EQ(domain(2, "3-4"), std::nullopt) << "bound to none";
  EXPECT_EQ(domain(1, "1"), std::nullopt) << "nothing can be elsewhere";
}

}  // namespace
}  // namespace steelyard::machine
