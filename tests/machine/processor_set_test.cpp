// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <cerrno>

#include "machine/processors.hpp"
#include "machine/text.hpp"

namespace steelyard::machine {
namespace {

using ::testing::ElementsAre;
using Words = std::span<ProcessorSet::Word>;

TEST(processor_set, has_numbers_beyond_1024) {
  const ProcessorSet set{1500, 0, 63, 64, 1023, 1024, 8191, 1500, -1};
  EXPECT_THAT(set.list(), ElementsAre(0, 63, 64, 1023, 1024, 1500, 8191));
  EXPECT_EQ(set.count(), 7);
  EXPECT_TRUE(set.contains(1500));
  for (const int outside : {-1, 1, 1025, 8190, 8192, 1 << 20}) EXPECT_FALSE(set.contains(outside)) << outside;
}

TEST(processor_set, empty_one_has_no_processor) {
  EXPECT_EQ(ProcessorSet().count(), 0);
  EXPECT_THAT(ProcessorSet().list(), ElementsAre());
  EXPECT_FALSE(ProcessorSet().contains(0));
}

TEST(processor_set, is_that_of_the_kernels_list_and_back) {
  const auto* text = "0-3,1022-1026,2047";
  EXPECT_EQ(format_cpu_list(ProcessorSet(parse_cpu_list(text)).list()), text);
}

TEST(processor_set, of_the_same_processors_is_the_same_with_more_room) {
  ProcessorSet wide{3};
  wide.words().resize(100);
  EXPECT_EQ(wide, ProcessorSet{3});
  EXPECT_NE(wide, (ProcessorSet{3, 1100}));
}

TEST(own_processors, are_there_where_each_thread_finds_one) {
  const auto enough = [](std::vector<ProcessorSet> sets) { return have_own_processors(sets); };
  EXPECT_TRUE(enough({{0}, {1}, {2, 3}, {2, 3}}));
  EXPECT_TRUE(enough({{0, 1, 2}, {0, 1, 2}, {2}}));
  EXPECT_FALSE(enough({{0, 1}, {0, 1}, {0, 1}}));
  EXPECT_FALSE(enough({{0}, {0}, {0, 1, 2, 3}})) << "two are kept to one";
  EXPECT_FALSE(enough({{0, 1, 2}, {0, 1, 2}, {2}, {1}}));
  EXPECT_FALSE(enough({{0, 1}, {1, 2}, {0, 2}, {0, 1}})) << "four on three";
  EXPECT_FALSE(enough({{0, 1}, {1, 2}, {0, 2}, {0, 1}, {3, 4, 5}})) << "four of them on three";
  EXPECT_TRUE(enough({{0, 1}, {0}, {1, 2}, {2, 3}})) << "each makes the one before it move";
  EXPECT_FALSE(enough({{}, {0}}));
}

// A kernel for so many processors, that allows numbers 5 and the last one. It refuses shorter masks.
ReadMask kernel_for(std::size_t processors, std::vector<std::size_t>& asked) {
  return [processors, &asked](Words words) {
    asked.push_back(words.size_bytes() * 8);
    if (asked.back() < processors) return EINVAL;
    const ProcessorSet allowed{5, static_cast<int>(processors) - 1};
    std::ranges::copy(allowed.words(), words.begin());
    return 0;
  };
}

TEST(processors_of_thread, are_read_whatever_room_the_kernel_wants) {
  for (const int processors : {64, 1024, 1025, 5000, 8192}) {
    std::vector<std::size_t> asked;
    const auto found = processors_of_thread(kernel_for(static_cast<std::size_t>(processors), asked));
    ASSERT_TRUE(found) << processors;
    EXPECT_EQ(*found, (ProcessorSet{5, processors - 1})) << processors;
    EXPECT_EQ(asked.front(), 1024U);
  }
}

TEST(processors_of_thread, are_not_known_where_the_kernel_refuses_always) {
  int asked = 0;
  const auto always = [&asked](int error) { return [&asked, error](Words) { return ++asked, error; }; };
  EXPECT_FALSE(processors_of_thread(always(EPERM)));
  EXPECT_EQ(asked, 1);
  EXPECT_FALSE(processors_of_thread(always(EINVAL)));
  EXPECT_LT(asked, 20);
}

TEST(processors_of_thread, are_those_to_which_it_is_kept) {
  const auto before = processors_of_thread();
  ASSERT_TRUE(before);
  ASSERT_GT(before->count(), 0);
  const ProcessorSet last{before->list().back()};
  EXPECT_TRUE(keep_thread_to(last));
  EXPECT_EQ(processors_of_thread(), last);
  EXPECT_FALSE(keep_thread_to({}));
  EXPECT_TRUE(keep_thread_to(*before));
  EXPECT_EQ(processors_of_thread(), before);
}

}  // namespace
}  // namespace steelyard::machine
