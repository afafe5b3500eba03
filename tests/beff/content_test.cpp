// SPDX-License-Identifier: Apache-2.0
#include "suites/beff/content.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

using namespace steelyard::beff;

namespace {

constexpr Message message{.sender = 3, .receiver = 1, .slot = 1, .k = 7, .bytes = 100};

template <class Content>
std::int64_t errors(const std::vector<std::byte>& received, const Message& expected) {
  Mismatches wrong;
  Content::compare(received.data(), expected, wrong);
  return wrong.result().errors;
}

template <class Content>
std::vector<std::byte> written(const Message& m) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(m.bytes));
  Content::write(bytes.data(), m);
  return bytes;
}

}  // namespace

TEST(stamps, a_wrong_first_or_last_byte_is_found) {
  auto bytes = written<Stamps>(message);
  EXPECT_EQ(errors<Stamps>(bytes, message), 0);
  bytes.front() ^= std::byte{1};
  EXPECT_EQ(errors<Stamps>(bytes, message), 1);
  bytes.back() ^= std::byte{1};
  EXPECT_EQ(errors<Stamps>(bytes, message), 2);
}

TEST(stamps, of_one_byte_agree_with_each_other) {
  const Message one{.sender = 0, .receiver = 1, .slot = 3, .k = 0, .bytes = 1};
  EXPECT_EQ(errors<Stamps>(written<Stamps>(one), one), 0);
}

TEST(whole_content, every_single_byte_counts) {
  const auto bytes = written<WholeContent>(message);
  EXPECT_EQ(errors<WholeContent>(bytes, message), 0);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    auto damaged = bytes;
    damaged[i] ^= std::byte{0x10};
    ASSERT_EQ(errors<WholeContent>(damaged, message), 1) << i;
  }
}

TEST(whole_content, a_message_of_another_sender_slot_or_place_is_found) {
  const auto bytes = written<WholeContent>(message);
  for (const Message& other : {Message{2, 1, 1, 7, 100}, Message{3, 0, 1, 7, 100}, Message{3, 1, 0, 7, 100}})
    EXPECT_GT(errors<WholeContent>(bytes, other), 50);
  auto shifted = bytes;
  std::rotate(shifted.begin(), shifted.begin() + 1, shifted.end());
  EXPECT_GT(errors<WholeContent>(shifted, message), 50);
}

TEST(whole_content, a_message_that_never_came_is_found_whatever_the_buffer_held) {
  std::vector<std::byte> buffer = written<WholeContent>(message);  // a stale copy of what is expected
  WholeContent::prepare(buffer.data(), message);
  EXPECT_EQ(errors<WholeContent>(buffer, message), message.bytes);
}

TEST(mismatches, name_the_first_one) {
  Mismatches wrong;
  wrong.add(message, 5, std::byte{1}, std::byte{2});
  wrong.add(message, 6, std::byte{1}, std::byte{2});
  EXPECT_EQ(wrong.result().errors, 2);
  EXPECT_EQ(wrong.result().first, "rank 1, from rank 3, slot 1, byte 5: found 1, expected 2");
}
