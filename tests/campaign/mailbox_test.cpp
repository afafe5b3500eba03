// SPDX-License-Identifier: Apache-2.0
#include "campaign/mailbox.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <thread>

namespace steelyard::campaign {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds long_enough{20000};

/// The address as another host would use it: without the name that only this host knows.
std::string by_network(const std::string& address) {
  const auto words = address.substr(address.find(' '));
  return address.substr(0, address.find(' ')) + words.substr(0, words.find(' ', 1)) + " 127.0.0.1";
}

TEST(mailbox, takes_what_was_posted) {
  Mailbox box(false);
  std::thread sender([address = box.address()] { EXPECT_TRUE(post(address, R"({"rank": 3})")); });
  EXPECT_EQ(box.wait(long_enough), R"({"rank": 3})");
  sender.join();
}

TEST(mailbox, takes_messages_of_many_at_once) {
  Mailbox box(false);
  std::vector<std::thread> senders;
  for (int i = 0; i < 20; ++i)
    senders.emplace_back([address = box.address(), i] { EXPECT_TRUE(post(address, std::to_string(i))); });
  std::set<std::string> heard;
  while (heard.size() < senders.size()) heard.insert(box.wait(long_enough).value());
  for (auto& sender : senders) sender.join();
}

TEST(mailbox, takes_messages_from_other_hosts_if_it_is_to) {
  Mailbox box(true);
  if (box.address().find(' ') == std::string::npos) GTEST_SKIP() << "no network here";
  // the name on this host is another one's: only the port is left
  Mailbox other(false);
  std::thread sender([address = by_network(box.address())] { EXPECT_TRUE(post(address, "far")); });
  EXPECT_EQ(box.wait(long_enough), "far");
  sender.join();
}

TEST(mailbox, without_other_hosts_opens_no_port) {
  EXPECT_EQ(Mailbox(false).address().find(' '), std::string::npos);
}

TEST(mailbox, that_is_gone_is_told_to_the_sender) {
  const std::string address = Mailbox(false).address();
  EXPECT_FALSE(post(address, "late"));
  EXPECT_FALSE(post("", "to nobody"));
}

TEST(mailbox, ends_its_wait_when_it_is_woken_or_patience_ends) {
  Mailbox box(false);
  EXPECT_EQ(box.wait(milliseconds{1}), std::nullopt);
  box.wake();
  EXPECT_EQ(box.wait(std::nullopt), std::nullopt);
}

}  // namespace
}  // namespace steelyard::campaign
