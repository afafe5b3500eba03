// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "samples.hpp"

namespace steelyard::record {
namespace {

using samples::Scratch;
using testing::ElementsAre;

Writer writer_in(const Scratch& scratch, Writer::Mode mode = Writer::Mode::create, int session = 1,
                 std::int64_t seq = 0) {
  return {scratch.path(), mode, samples::run_id, session, seq};
}

PointRecord so_far(std::int64_t message_byte) {
  PointRecord point = samples::point(message_byte);
  point.status = Status::partial;
  point.reason =
      Reason{ReasonCode::interrupted, "stopped before the rule was satisfied", {}, {}, {}, {}, {}, {}};
  return point;
}

/// "4 partial" for a point of 4 byte.
std::vector<std::string> points_of(const Scratch& scratch) {
  constexpr std::string_view member = "message_byte=";
  std::vector<std::string> found;
  const auto all = runs(read(scratch.path()));
  for (const PointRecord& point : all.at(0).points) {
    const auto size = point.key.substr(point.key.find(member) + member.size());
    found.push_back(size.substr(0, size.find(';')) + " " + std::string(text(point.status)));
  }
  return found;
}

bool is_kept(const Scratch& scratch) {
  return std::filesystem::exists(scratch.path() / "unfinished.jsonl");
}

/// A session that was killed: one point recorded, two unfinished.
void killed(const Scratch& scratch) {
  Writer writer = writer_in(scratch);
  writer.write(samples::bare_run());
  writer.keep_unfinished({so_far(1), so_far(2)});
  writer.write(samples::point(1));
  writer.keep_unfinished({so_far(1), so_far(2), so_far(4)});
}

TEST(unfinished_points, of_a_killed_session_are_read_until_they_have_a_record) {
  const Scratch scratch;
  killed(scratch);
  EXPECT_THAT(points_of(scratch), ElementsAre("1 ok", "2 partial", "4 partial"));
}

TEST(unfinished_points, are_no_part_of_the_result_file_itself) {
  const Scratch scratch;
  killed(scratch);
  EXPECT_EQ(runs(read(scratch.result())).at(0).points.size(), 1U);
}

TEST(unfinished_points, become_records_before_a_resume) {
  const Scratch scratch;
  killed(scratch);
  take_in_unfinished(scratch.path());
  EXPECT_FALSE(is_kept(scratch));
  EXPECT_THAT(points_of(scratch), ElementsAre("1 ok", "2 partial", "4 partial"));
  const auto content = read(scratch.result());
  for (std::size_t i = 0; i < content.records.size(); ++i)
    EXPECT_EQ(content.records[i].envelope.seq, static_cast<std::int64_t>(i));
  samples::note_lines(scratch.result());
}

TEST(unfinished_points, become_records_before_another_run_is_appended) {
  const Scratch scratch;
  killed(scratch);
  {
    Writer writer{scratch.path(), Writer::Mode::append, "20261121T083000Z-00000001", 1, 0};
    writer.write(samples::bare_run());
    writer.keep_unfinished({so_far(8)});
  }
  const auto all = runs(read(scratch.path(), {RunChoice::Kind::all, {}}));
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].points.size(), 3U);
  EXPECT_EQ(all[1].points.size(), 1U);
}

TEST(unfinished_points, that_are_finished_leave_no_file) {
  const Scratch scratch;
  Writer writer = writer_in(scratch);
  writer.write(samples::bare_run());
  writer.keep_unfinished({so_far(1)});
  EXPECT_TRUE(is_kept(scratch));
  writer.write(samples::point(1));
  writer.keep_unfinished({});
  EXPECT_FALSE(is_kept(scratch));
  EXPECT_THAT(points_of(scratch), ElementsAre("1 ok"));
}

TEST(unfinished_points, of_an_earlier_session_do_not_count) {
  const Scratch scratch;
  killed(scratch);
  samples::put(scratch.path() / "kept", samples::content(scratch.path() / "unfinished.jsonl"));
  {
    Writer writer = writer_in(scratch, Writer::Mode::append, 2, 9);
    writer.write(samples::bare_run());
  }
  std::filesystem::rename(scratch.path() / "kept", scratch.path() / "unfinished.jsonl");
  EXPECT_THAT(points_of(scratch), ElementsAre("1 ok", "2 partial", "4 partial"));
  EXPECT_EQ(read(scratch.path()).records.size(), read(scratch.result()).records.size());
}

TEST(unfinished_points, that_are_torn_are_left_alone) {
  const Scratch scratch;
  killed(scratch);
  const auto file = scratch.path() / "unfinished.jsonl";
  samples::put(file, samples::content(file).substr(0, 100));
  EXPECT_THAT(points_of(scratch), ElementsAre("1 ok"));
}

TEST(unfinished_points, are_nothing_to_a_stream) {
  std::ostringstream stream;
  Writer writer(stream, samples::run_id, 1, 0);
  writer.keep_unfinished({so_far(1)});
  EXPECT_TRUE(stream.str().empty());
}

TEST(unfinished, a_pipe_of_its_name_is_not_waited_for) {
  const Scratch scratch;
  writer_in(scratch).write(samples::bare_run());
  ASSERT_EQ(::mkfifo((scratch.path() / "unfinished.jsonl").c_str(), 0600), 0);
  EXPECT_EQ(read(scratch.path()).records.size(), 1U);
  take_in_unfinished(scratch.path());
  EXPECT_TRUE(is_kept(scratch));
}

}  // namespace
}  // namespace steelyard::record
