// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "machine/build_info.hpp"
#include "machine/environment.hpp"
#include "record/json.hpp"

namespace {

using namespace steelyard::machine;
using testing::HasSubstr;
using testing::Not;

TEST(program, has_the_members_that_the_schema_wants) {
  const auto program = describe_program().json();
  EXPECT_EQ(program["name"], "steelyard");
  EXPECT_EQ(program["version"], version());
  EXPECT_TRUE(program["commit"].is_string() || program["commit"].is_null());
  EXPECT_TRUE(program["modified"].is_boolean() || program["modified"].is_null());
  EXPECT_TRUE(program["modified"].is_null() ||
              program["commit"].is_string());  // an archive has a commit alone
  EXPECT_TRUE(program["build"]["type"].is_string());
  EXPECT_FALSE(program["build"]["compiler"].get<std::string>().empty());
  for (const auto* library : {"fmt", "CLI11", "nlohmann_json", "toml++"})
    EXPECT_THAT(program["build"]["libraries"][library].get<std::string>(), HasSubstr(".")) << library;
}

TEST(program, version_is_three_numbers) {
  EXPECT_THAT(version(), testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
}

TEST(version_line, names_version_build_compiler_and_mpi) {
  const auto line = version_line("Some MPI v9");
  EXPECT_TRUE(line.starts_with("steelyard " + version() + " ("));
  EXPECT_THAT(line, HasSubstr(", Some MPI v9,"));
  EXPECT_THAT(line, HasSubstr(", " + build_info().compiler + ","));
  EXPECT_TRUE(line.ends_with(")"));
  EXPECT_THAT(version_line(""), Not(HasSubstr("Some MPI")));
}

TEST(libraries, those_in_use_have_versions) {
  const auto libraries = describe_libraries().json();
  EXPECT_THAT(libraries["fmt"].get<std::string>(), HasSubstr("."));
  EXPECT_TRUE(libraries.contains("blas"));
  EXPECT_TRUE(libraries.contains("fft"));
}

}  // namespace
