// SPDX-License-Identifier: Apache-2.0
#include "launch/launcher_process.hpp"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "scratch.hpp"

namespace steelyard::cli {
namespace {

using testing::IsEmpty;
using testing::Optional;
using testing::UnorderedElementsAre;

// Folder like /proc: process 100 with two threads, its children 101 and 102, of which the second has ended, and another.
class ProcFolder {
 public:
  ProcFolder() {
    add("100", "100 (mpiexec) S 1 100 100");
    add("101", "101 (a) b (c) R 100 101 101");
    add("102", "102 (ended) Z 100 100 100");
    add("103", "103 (other) S 1 103 103");
    for (const char* thread : {"100", "104"}) std::filesystem::create_directories(threads() / thread);
    std::filesystem::create_directory(path() / "sys");
    std::filesystem::create_directories(path() / "106" /
                                        "stat");  // cannot be read, as of one that ends meanwhile
  }
  [[nodiscard]] const std::filesystem::path& path() const { return scratch_.path(); }
  void list(const std::string& thread, const std::string& children) const {
    std::ofstream(threads() / thread / "children") << children;
  }
  void add(const std::string& number, const std::string& stat) const {
    std::filesystem::create_directory(path() / number);
    std::ofstream(path() / number / "stat") << stat << '\n';
  }
  void say(const std::string& number, const std::vector<std::string>& words) const {
    std::ofstream file(path() / number / "cmdline", std::ios::binary);
    for (const std::string& word : words) file << word << '\0';
  }

 private:
  [[nodiscard]] std::filesystem::path threads() const { return path() / "100" / "task"; }
  test::Scratch scratch_;
};

TEST(children_of, are_those_that_the_threads_list) {
  const ProcFolder folder;
  folder.list("100", "101 ");
  folder.list("104", "102 105 ");
  EXPECT_THAT(children_of(100, folder.path()), Optional(UnorderedElementsAre(101, 102, 105)));
  folder.list("100", "");
  folder.list("104", "");
  EXPECT_THAT(children_of(100, folder.path()), Optional(IsEmpty()));
}

TEST(launched_below, are_those_that_were_started_with_the_word_of_the_parent) {
  const ProcFolder folder;
  folder.say("100", {"mpiexec", "-n", "2", "steelyard", "--launched=,,,,,0,0,0,0,"});
  folder.say("101", {"proxy", "--launched"});
  folder.add("110", "110 (steelyard) S 101 100 100 0 -1 0 1 2 3 4 30 12 0 0");
  folder.say("110", {"/usr/bin/steelyard", "--launched=,,,,,0,0,0,0,", "run"});
  EXPECT_THAT(launched_below(100, folder.path()), UnorderedElementsAre(110));
  EXPECT_EQ(activity_of(110, folder.path()).processor_ticks, 42);
  EXPECT_FALSE(activity_of(110, folder.path()).waits_for_disk);
  EXPECT_EQ(activity_of(111, folder.path()).processor_ticks, 0);
}

TEST(children_of, are_those_that_name_their_parent_where_the_kernel_keeps_no_list) {
  const ProcFolder folder;
  EXPECT_THAT(children_of(100, folder.path()), Optional(UnorderedElementsAre(101, 102)));
  EXPECT_THAT(children_of(103, folder.path()), Optional(IsEmpty()));
}

TEST(children_of, are_not_known_without_proc) {
  EXPECT_EQ(children_of(100, "/nonexistent"), std::nullopt);
}

TEST(is_alive, one_that_ended_and_was_not_waited_for_is_not) {
  const ProcFolder folder;
  EXPECT_TRUE(is_alive(101, folder.path()));
  EXPECT_FALSE(is_alive(102, folder.path()));
  EXPECT_FALSE(is_alive(105, folder.path()));
  EXPECT_FALSE(is_alive(106, folder.path()));
}

TEST(children_of, this_process_has_the_one_it_started) {
  const pid_t child = fork();
  if (child == 0) {
    pause();
    _exit(0);
  }
  EXPECT_THAT(children_of(getpid()), Optional(testing::Contains(child)));
  EXPECT_TRUE(is_alive(child));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_FALSE(is_alive(child));
}

}  // namespace
}  // namespace steelyard::cli
