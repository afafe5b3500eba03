// SPDX-License-Identifier: Apache-2.0
// The file of a type as it lies on the disk behind its opening.
#include "suites/beffio/type_file.hpp"

#include <gmock/gmock.h>

#include "beffio_campaign.hpp"

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

}  // namespace
}  // namespace steelyard::beffio
