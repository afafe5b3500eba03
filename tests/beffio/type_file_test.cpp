// SPDX-License-Identifier: Apache-2.0
// The file of a type as it lies on the disk behind its opening, and patterns in it.

#include <gmock/gmock.h>

#include "beffio_campaign.hpp"
#include "suites/beffio/pattern_run.hpp"

namespace steelyard::beffio {
namespace {

using test::world;

class type_file : public testing::Test {
 protected:
  // Files whose names begin with a point: ROMIO hides that of the pointer.
  [[nodiscard]] std::size_t hidden_files() const {
    world().barrier();
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(directory_.path()))
      if (entry.path().filename().string().starts_with('.')) ++count;
    world().barrier();
    return count;
  }
  [[nodiscard]] Site site(WrittenFiles& written) {
    suites::FilePlace place;
    place.directory = directory_.path();
    written.enter(world(), place);
    return {.settings = &settings_, .written = &written, .team = &world(), .partition = 0};
  }

  test::Directory directory_{world()};
  Settings settings_ = test::tiny(world());
};

TEST_F(type_file, of_shared_pointers_has_the_file_of_the_pointer_as_soon_as_it_is_open) {
  settings_.pointer = Pointer::shared;
  WrittenFiles written(settings_);
  TypeFile file(site(written), PatternType::shared, Access::write);
  EXPECT_EQ(hidden_files(), file.implementation() == "ROMIO" ? 1 : 0);
  file.close();
}

TEST_F(type_file, of_individual_pointers_has_nothing_beside_it) {
  settings_.pointer = Pointer::individual;
  WrittenFiles written(settings_);
  TypeFile file(site(written), PatternType::shared, Access::write);
  EXPECT_EQ(hidden_files(), 0);
  file.close();
}

TEST_F(type_file, a_pattern_that_is_stopped_before_its_time_is_a_part) {
  WrittenFiles written(settings_);
  const Site here = site(written);
  TypeFile file(here, PatternType::separated, Access::write);
  const Pattern pattern = pattern_table(2 * mebi)[patterns_of(PatternType::separated).first];
  std::vector<std::uint64_t> memory(static_cast<std::size_t>(pattern.memory.count() / element_byte));
  PointFacts facts;
  facts.pattern = pattern;
  const auto status = [&](double scheduled_s) {
    PatternResult result;
    Length length;
    length.scheduled_s = scheduled_s;
    length.stop = [] { return true; };
    PatternRun run(
        {.site = here,
         .file = &file,
         .pattern = pattern,
         .origin = {world().rank(), pattern.number, 0},
         .memory = memory,
         .length = length},
        [](const PatternResult&, Mismatches&) { return false; }, result);
    EXPECT_EQ(run.run(0, 1), 0);
    EXPECT_EQ(result.calls, 1U);
    return point_record(facts, result, {}).status;
  };
  const auto stopped = status(1e6), satisfied = status(1e-9);
  EXPECT_EQ(satisfied, record::Status::ok);
  EXPECT_EQ(stopped, world().is_root() ? record::Status::partial : record::Status::ok);  // told by process 0
  file.close();
}

}  // namespace
}  // namespace steelyard::beffio
