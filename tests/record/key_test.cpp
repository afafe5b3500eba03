// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "record/file.hpp"
#include "record/json.hpp"

namespace steelyard::record {
namespace {

std::string key_of(const Params& params) {
  return make_key("imb-mpi1", "PingPong", 2, 1, 1, params);
}

TEST(key, names_are_in_ascii_order_with_processes_among_them) {
  const Params params{{"type", "MPI_FLOAT"}, {"op", "MPI_SUM"}, {"message_byte", std::int64_t{4096}}};
  EXPECT_EQ(make_key("imb-mpi1", "Allreduce", 2, 1, 1, params),
            "imb-mpi1/Allreduce;message_byte=4096;op=MPI_SUM;processes=2;type=MPI_FLOAT");
}

TEST(key, threads_and_groups_appear_only_when_they_are_not_one) {
  EXPECT_EQ(make_key("hpcc", "HPL", 4, 1, 1, {}), "hpcc/HPL;processes=4");
  EXPECT_EQ(make_key("hpcc", "HPL", 4, 2, 3, {}), "hpcc/HPL;groups=3;processes=4;threads=2");
}

TEST(key, separators_and_control_characters_are_percent_coded) {
  EXPECT_EQ(key_of({{"a", "x;y=z%\n\x7f"}}), "imb-mpi1/PingPong;a=x%3By%3Dz%25%0A%7F;processes=2");
  EXPECT_EQ(make_key("imb-io", "a/b;c", 1, 1, 1, {}), "imb-io/a%2Fb%3Bc;processes=1");
}

TEST(key, values_are_spelled_as_in_json) {
  EXPECT_EQ(key_of({{"a", nullptr}, {"b", true}, {"c", 0.1}, {"d", 4.0}, {"e", std::vector<double>{1, 0.5}}}),
            "imb-mpi1/PingPong;a=null;b=true;c=0.1;d=4.0;e=[1.0,0.5];processes=2");
  EXPECT_EQ(key_of({{"a", std::vector<double>{}}, {"b", std::int64_t{-3}}}),
            "imb-mpi1/PingPong;a=[];b=-3;processes=2");
}

TEST(key, different_text_makes_different_keys) {
  EXPECT_NE(key_of({{"a", "x;b=1"}}), key_of({{"a", "x"}, {"b", std::int64_t{1}}}));
  EXPECT_NE(key_of({{"a", "%3B"}}), key_of({{"a", ";"}}));
}

TEST(key, invalid_utf8_is_replaced_as_in_the_file) {
  EXPECT_EQ(key_of({{"a", "\xff"}}), "imb-mpi1/PingPong;a=\xEF\xBF\xBD;processes=2");
}

TEST(key, number_that_is_not_finite_is_refused) {
  EXPECT_THROW((void)key_of({{"a", std::numeric_limits<double>::quiet_NaN()}}), NotANumber);
  EXPECT_THROW((void)key_of({{"a", std::vector<double>{std::numeric_limits<double>::infinity()}}}),
               NotANumber);
}

TEST(sha256, vectors_of_the_standard) {
  EXPECT_EQ(sha256(""), "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "sha256:248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1000000, 'a')),
            "sha256:cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(sha256, lengths_around_a_block_are_padded_right) {
  EXPECT_EQ(sha256(std::string(55, 'a')),
            "sha256:9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
  EXPECT_EQ(sha256(std::string(56, 'a')),
            "sha256:b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
  EXPECT_EQ(sha256(std::string(64, 'a')),
            "sha256:ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}

TEST(value, number_takes_whole_and_real_and_refuses_the_rest) {
  EXPECT_EQ(number(std::int64_t{3}), 3.0);
  EXPECT_EQ(number(0.5), 0.5);
  EXPECT_THROW((void)number("3"), std::domain_error);
  EXPECT_THROW((void)number(true), std::domain_error);
  EXPECT_THROW((void)number(nullptr), std::domain_error);
}

TEST(value, whole_number_has_no_fraction_and_a_size_that_a_double_counts) {
  EXPECT_EQ(record::whole(-3.0), -3);
  EXPECT_EQ(record::whole(0x1p53), std::int64_t{1} << 53);
  for (const double wrong : {0.5, 0x1p54, 1e300, -1e300, std::nan("")})
    EXPECT_THROW((void)record::whole(wrong), std::domain_error) << wrong;
}

TEST(value, find_gives_the_member_or_nothing) {
  const Members members{{"b", 1.0}, {"a", 2.0}};
  const Params params{{"b", 1.0}, {"a", 2.0}};
  ASSERT_NE(find(members, "a"), nullptr);
  ASSERT_NE(find(params, "a"), nullptr);
  EXPECT_EQ(number(*find(members, "a")), 2.0);
  EXPECT_EQ(number(*find(params, "a")), 2.0);
  EXPECT_EQ(find(members, "c"), nullptr);
  EXPECT_EQ(find(params, "c"), nullptr);
}

TEST(document, copies_are_independent_and_null_is_empty) {
  Document first(Json{{"a", 1}});
  Document second = first;
  second.json()["a"] = 2;
  EXPECT_EQ(first.json()["a"], 1);
  EXPECT_TRUE(Document().empty());
  EXPECT_TRUE(Document(Json::object()).empty());
  EXPECT_FALSE(first.empty());
  first = std::move(second);
  EXPECT_EQ(first.json()["a"], 2);
}

TEST(time, run_id_and_time_have_their_form) {
  EXPECT_THAT(make_run_id(), testing::MatchesRegex("[0-9]{8}T[0-9]{6}Z-[0-9a-f]{8}"));
  EXPECT_THAT(utc_now(), testing::MatchesRegex("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"));
  EXPECT_NE(make_run_id(), make_run_id());
}

}  // namespace
}  // namespace steelyard::record
