// SPDX-License-Identifier: Apache-2.0
#include "beffio/options.hpp"

#include <gmock/gmock.h>

#include "process/errors.hpp"
#include "words.hpp"

namespace steelyard::cli {
namespace {

using test::invoke;
using test::refusal;
using test::Strings;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const Place eight{8, (4 * gibi).count(), {}, (2 * gibi).count()};

beffio::Settings settings(const Strings& words) {
  return beffio_settings(invoke("b-eff-io", words).values, eight);
}
std::string wrong(const Strings& words) {
  return refusal("b-eff-io", words);
}

TEST(beffio_words, without_words_the_rule_is_followed) {
  const auto s = settings({});
  EXPECT_THAT(s.partitions, ElementsAre(2, 4, 8));
  EXPECT_EQ(s.total_s, 1800);
  EXPECT_EQ(s.memory_mebibyte, 2048);
  EXPECT_EQ(s.system_mebibyte, 8 * 2048);
  EXPECT_EQ(beffio::largest_chunk(s), 16 * mebi);
  EXPECT_THAT(beffio::departures(s), IsEmpty());
  EXPECT_FALSE(s.most_byte || s.cache_byte || s.keep || s.drop_cache);
}

TEST(beffio_words, the_memory_of_the_system_is_that_of_its_nodes) {
  Place place{4, (16 * gibi).count(), {}, (64 * gibi).count() / 3};  // three processes on one node
  place.nodes_memory_byte = (128 * gibi).count();
  const auto words = invoke("b-eff-io", {});
  EXPECT_EQ(beffio_settings(words.values, place).system_mebibyte, 128 * 1024);
}

TEST(beffio_words, every_word_arrives) {
  const auto s =
      settings({"-MB",      "512",        "-MT",    "4096",      "-N",        "1,8",        "-T",
                "60",       "-e",         "3",      "-noshared", "-unique",   "-norewrite", "-keep",
                "-formula", "2.x",        "-order", "partition", "-control",  "each",       "-align",
                "4Mi",      "-dropcache", "-cache", "100",       "-maxbytes", "1Gi"});
  EXPECT_EQ(s.memory_mebibyte, 512);
  EXPECT_EQ(s.system_mebibyte, 4096);
  EXPECT_THAT(s.partitions, ElementsAre(1, 8));
  EXPECT_EQ(s.total_s, 60);
  EXPECT_EQ(s.told_errors, 3);
  EXPECT_EQ(s.pointer, beffio::Pointer::individual);
  EXPECT_TRUE(s.unique && s.keep && s.drop_cache);
  EXPECT_EQ(s.rewriting, beffio::Rewriting::scatter_only);
  EXPECT_EQ(s.formula, beffio::Formula::release2);
  EXPECT_EQ(s.order, beffio::Order::by_partition);
  EXPECT_EQ(s.control, beffio::Control::each);
  EXPECT_EQ(s.align, 4 * mebi);
  EXPECT_EQ(s.cache_byte, (100 * mebi).count());
  EXPECT_EQ(s.most_byte, gibi.count());
}

TEST(beffio_words, random_access_and_the_limits_of_the_largest_chunk) {
  EXPECT_FALSE(settings({}).random || settings({}).largest_together);
  const auto s = settings({"-random", "-mpart", "16"});
  EXPECT_TRUE(s.random);
  EXPECT_EQ(s.largest_together, 16 * gibi);
  EXPECT_EQ(settings({"-mpart", "2"}).largest_together, 2 * gibi);
  EXPECT_THAT(wrong({"-mpart", "4"}), HasSubstr("mpart"));
}

TEST(beffio_words, volume_that_does_not_hold_every_pattern_once_is_refused_with_what_it_takes) {
  const Place small{2, gibi.count(), {}, gibi.count()};
  const Strings words{"-MB", "16", "-N", "2", "-maxbytes"};
  const auto with = [&](const std::string& most) {
    auto all = words;
    all.push_back(most);
    return prepare_beffio(invoke("b-eff-io", all), small);
  };
  try {
    static_cast<void>(with("1000000"));
    FAIL() << "it must be refused";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("-maxbytes"));
    EXPECT_THAT(error.what(), HasSubstr("MiB"));
  }
  EXPECT_NO_THROW(static_cast<void>(with("1Gi")));
}

TEST(beffio_words, words_of_the_release_that_change_nothing_are_taken) {
  EXPECT_THAT(beffio::departures(settings({"-rewrite", "-nounique"})), IsEmpty());
}

TEST(beffio_words, wrong_words_are_refused) {
  EXPECT_THAT(wrong({"-N", "1,x"}), HasSubstr("'x' is no number of processes"));
  EXPECT_THAT(wrong({"-N", "0"}), HasSubstr("-N: '0' is no number of processes"));
  EXPECT_THAT(wrong({"-partitions", "0"}), HasSubstr("-partitions: '0' is no number of processes"));
  EXPECT_THAT(wrong({"-N", "1,2,3,4,5,6,7,8,9,10,11"}), HasSubstr("more than 10 partitions"));
  EXPECT_THAT(wrong({"-align", "1500000"}), HasSubstr("multiple of 1Mi"));
  EXPECT_THAT(wrong({"-align", "2Gi"}), HasSubstr("at most 1Gi"));
  EXPECT_THAT(wrong({"-T", "0"}), HasSubstr("must be above 0"));
  EXPECT_THROW(settings({"-N", "9"}), UsageError);
  EXPECT_THROW(settings({"-rewrite", "-norewrite"}), UsageError);
  EXPECT_THROW(settings({"-i", "/nonexistent/hints"}), UsageError);
}

TEST(beffio_words, largest_chunk_must_fit_into_memory) {
  const Place small{2, (8 * mebi).count(), {}, gibi.count()};
  EXPECT_NO_THROW(static_cast<void>(prepare_beffio(invoke("b-eff-io", {}), small)));
  EXPECT_THROW(static_cast<void>(prepare_beffio(invoke("b-eff-io", {"-MB", "4096"}), small)), UsageError);
  const Place unknown{2, 0, {}, 0};
  EXPECT_THROW(static_cast<void>(prepare_beffio(invoke("b-eff-io", {}), unknown)), std::runtime_error);
}

}  // namespace
}  // namespace steelyard::cli
