// SPDX-License-Identifier: Apache-2.0
#include "machine/topology.hpp"

#include <gmock/gmock.h>

#include "machine/compression.hpp"
#include "machine/environment.hpp"
#include "machine/source.hpp"
#include "machine/text.hpp"

namespace {

using namespace steelyard::machine;
using testing::HasSubstr;
using testing::Not;

constexpr const char* example = R"(<topology version="2.0">
  <object type="Machine" os_index="0">
    <info name="HostName" value="fast17"/>
    <info name="DMIProductSerial" value="S1"/>
    <info name="DMIProductUUID" value="U1"/>
    <info name="DMIChassisAssetTag" value="T1"/>
    <info name="LinuxCgroup" value="/user-1000"/>
    <info name="OSName" value="Linux"/>
    <object type="OSDev" name="enxaabbccddeeff" osdev_type="2">
      <info name="Address" value="aa:bb:cc:dd:ee:ff"/>
    </object>
    <object type="OSDev" name="mlx5_0" osdev_type="3">
      <info name="NodeGUID" value="0002:c903"/>
      <info name="Port1GID0" value="fe80::1"/>
      <info name="Port1State" value="4"/>
    </object>
  </object>
</topology>
)";

TEST(topology, what_identifies_the_machine_is_taken_out) {
  const auto text = without_identity(example);
  for (const auto* secret :
       {"fast17", "S1", "U1", "T1", "user-1000", "aabbccddeeff", "aa:bb", "c903", "fe80"})
    EXPECT_THAT(text, Not(HasSubstr(secret)));
}

TEST(topology, everything_else_stays) {
  const auto text = without_identity(example);
  for (const auto* part : {R"(<topology version="2.0">)", R"(<info name="OSName" value="Linux"/>)",
                           R"(<object type="OSDev" name="enx" osdev_type="2">)",
                           R"(<info name="Port1State" value="4"/>)", "</topology>"})
    EXPECT_THAT(text, HasSubstr(part));
}

TEST(topology, cut_off_xml_does_no_harm) {
  const std::string_view text(example);
  for (std::size_t length = 0; length < text.size(); ++length)
    EXPECT_THAT(without_identity(text.substr(0, length)), Not(HasSubstr("fast17\"/>")));
}

TEST(base64, has_the_values_of_rfc_4648) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64("\xFF\xFE\xFD"), "//79");
}

TEST(gzip, what_is_packed_can_be_unpacked) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += std::to_string(i * 7919 % 1000);
  const auto small = packed(text);
  if (!small) GTEST_SKIP() << "built without zlib";
  EXPECT_LT(small->size(), text.size());
  EXPECT_EQ(unpacked(*small), text);
  EXPECT_EQ(unpacked("no gzip"), std::nullopt);
  EXPECT_EQ(unpacked(small->substr(0, small->size() / 2)), std::nullopt);
}

TEST(topology, of_this_machine_is_packed_or_missing_with_a_reason) {
  const auto machine = describe_machine().json();
  if (machine["topology"].is_null()) {
    EXPECT_FALSE(machine["missing"]["topology"].get<std::string>().empty());
    return;
  }
  const auto data = machine["topology"]["data"].get<std::string>();
  EXPECT_LE(data.size(), 65536);
  EXPECT_TRUE(data.starts_with("H4sI")) << "gzip's head in base64";
}

}  // namespace
