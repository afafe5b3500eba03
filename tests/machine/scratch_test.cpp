// SPDX-License-Identifier: Apache-2.0
#include "machine/scratch.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <optional>
#include <sstream>

namespace steelyard::machine {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::SizeIs;

void put(const fs::path& file, const std::string& text = "x") {
  std::ofstream(file) << text;
}

std::string get(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// A directory that goes with the test.
class scratch : public testing::Test {
 protected:
  scratch() {
    std::string name = fs::temp_directory_path() / "scratch-test-XXXXXX";
    base_ = ::mkdtemp(name.data());
  }
  ~scratch() override { fs::remove_all(base_); }

  // What a killed run leaves: nothing is locked and nobody removes it.
  fs::path of_killed_run(const fs::path& manifest = {}) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    const auto child = ::fork();
    if (child == 0) {
      Scratch killed(base_ / "io", manifest);
      killed.claim("IMB_out");
      put(killed.path() / "IMB_out_0");
      const auto name = killed.path().string();
      if (::write(ends[1], name.data(), name.size()) < 0) ::_exit(1);
      ::_exit(0);
    }
    ::close(ends[1]);
    int status = 0;
    ::waitpid(child, &status, 0);
    char name[4096];
    const auto length = ::read(ends[0], name, sizeof name);
    ::close(ends[0]);
    return std::string(name, static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
  }

  fs::path base_;
};

TEST_F(scratch, directory_is_entered_by_nobody_else_and_goes_with_its_files) {
  fs::path path;
  {
    Scratch own(base_ / "io");
    path = own.path();
    EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_all);
    own.claim("IMB_out");
    put(path / "IMB_out_3");
    put(path / ".IMB_out_3.shfp.17");  // shared file pointers live in files beside
  }
  EXPECT_FALSE(fs::exists(path));
  EXPECT_FALSE(fs::exists(base_ / "io")) << "it was made for the scratch directory";
}

TEST_F(scratch, parent_that_was_there_stays) {
  { const Scratch own(base_); }
  EXPECT_TRUE(fs::is_empty(base_));
}

TEST_F(scratch, two_in_one_parent_have_names_of_their_own) {
  const Scratch one(base_);
  const Scratch other(base_);
  EXPECT_NE(one.path(), other.path());
}

TEST_F(scratch, files_of_others_and_links_stay_and_are_told) {
  put(base_ / "precious", "keep");
  std::optional<Scratch> own(base_);
  const auto path = own->path();
  own->claim("IMB_out");
  put(path / "mine.txt");
  fs::create_symlink(base_ / "precious", path / "IMB_out_0");
  fs::create_directory(path / "IMB_out_1");
  const auto removal = own->remove();
  own.reset();
  EXPECT_THAT(removal.left, SizeIs(3));
  EXPECT_TRUE(fs::exists(path / "mine.txt"));
  EXPECT_TRUE(fs::is_symlink(path / "IMB_out_0"));
  EXPECT_EQ(get(base_ / "precious"), "keep");
}

TEST_F(scratch, claims_are_plain_names) {
  Scratch own(base_);
  for (const auto* name : {"", "../x", "/etc", ".hidden", "a\nfile b"})
    EXPECT_THROW(own.claim(name), std::invalid_argument) << name;
}

TEST_F(scratch, parent_without_a_parent_is_refused_with_its_name) {
  try {
    const Scratch own(base_ / "missing" / "io");
    FAIL();
  } catch (const fs::filesystem_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("missing"));
  }
}

TEST_F(scratch, manifest_lists_it_as_long_as_it_exists) {
  const auto manifest = base_ / scratch_manifest_name;
  {
    const Scratch own(base_, manifest);
    EXPECT_EQ(get(manifest), own.path().string() + "\n");
  }
  EXPECT_FALSE(fs::exists(manifest));
}

TEST_F(scratch, other_processes_know_it_by_its_token) {
  Scratch own(base_);
  own.claim("IMB_out");
  EXPECT_NO_THROW(look_at_scratch(own.path(), own.token()));
  EXPECT_THROW(look_at_scratch(own.path(), "another"), fs::filesystem_error);
  EXPECT_THROW(look_at_scratch(base_, own.token()), fs::filesystem_error);
  EXPECT_NO_THROW(try_to_write(own.path(), "IMB_out"));
}

// Whether the file system of a directory opens files past its page cache.
bool opens_directly(const fs::path& directory) {
  const auto file = directory / "IMB_out";
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_DIRECT, 0600);
  if (descriptor >= 0) ::close(descriptor);
  ::unlink(file.c_str());
  return descriptor >= 0;
}

TEST_F(scratch, is_written_past_the_page_cache_where_its_file_system_can) {
  Scratch own(base_);
  own.claim("IMB_out");
  if (opens_directly(own.path()))
    EXPECT_NO_THROW(try_to_write_directly(own.path(), "IMB_out"));
  else
    EXPECT_THROW(try_to_write_directly(own.path(), "IMB_out"), fs::filesystem_error);
  EXPECT_THROW(try_to_write_directly(base_ / "none", "IMB_out"), fs::filesystem_error);
  EXPECT_EQ(std::distance(fs::directory_iterator(own.path()), {}), 1);  // the marker
}

TEST_F(scratch, of_a_killed_run_is_cleaned_by_its_own_name_its_parent_or_its_manifest) {
  const auto one = of_killed_run();
  ASSERT_TRUE(fs::exists(one / "IMB_out_0"));
  EXPECT_TRUE(clean_scratch(one).complete());
  EXPECT_FALSE(fs::exists(one));
  const auto other = of_killed_run();
  EXPECT_TRUE(clean_scratch(base_ / "io").complete());
  EXPECT_FALSE(fs::exists(other));
  const auto manifest = base_ / scratch_manifest_name;
  const auto listed = of_killed_run(manifest);
  const auto removal = clean_scratch(base_);
  EXPECT_TRUE(removal.complete());
  EXPECT_THAT(removal.removed, SizeIs(2));  // one file, one directory
  EXPECT_FALSE(fs::exists(listed));
  EXPECT_FALSE(fs::exists(manifest));
}

TEST_F(scratch, of_a_living_run_is_left_alone) {
  Scratch own(base_);
  own.claim("IMB_out");
  put(own.path() / "IMB_out_0");
  const auto removal = clean_scratch(base_);
  ASSERT_THAT(removal.left, SizeIs(1));
  EXPECT_THAT(removal.left[0].why, HasSubstr("going on"));
  EXPECT_TRUE(fs::exists(own.path() / "IMB_out_0"));
}

TEST_F(scratch, cleaning_takes_nothing_that_only_looks_like_it) {
  const auto path = base_ / "steelyard-scratch-of-my-own";
  fs::create_directory(path);
  put(path / "IMB_out_0");
  put(base_ / scratch_manifest_name, "/etc\n" + (base_ / "x").string() + "\n");
  put(base_ / "x");
  const auto removal = clean_scratch(base_);
  EXPECT_THAT(removal.left, SizeIs(3));
  EXPECT_THAT(removal.removed, SizeIs(0));
  EXPECT_TRUE(fs::exists(path / "IMB_out_0"));
}

TEST_F(scratch, link_to_a_directory_is_not_followed) {
  const auto killed = of_killed_run();
  fs::create_directory_symlink(killed, base_ / "steelyard-scratch-link");
  const auto removal = clean_scratch(base_);
  EXPECT_FALSE(removal.complete());
  EXPECT_TRUE(fs::exists(killed / "IMB_out_0"));
}

}  // namespace
}  // namespace steelyard::machine
