// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <limits>
#include <memory>
#include <sstream>
#include <thread>

#include "record/json.hpp"
#include "samples.hpp"

namespace {
int interruptions = 0;
}  // namespace

// In the place of the system's own: file systems of networks and of users end it where a signal comes.
extern "C" int fdatasync(int file) {
  if (interruptions <= 0) return fsync(file);
  --interruptions;
  errno = EINTR;
  return -1;
}

namespace steelyard::record {
namespace {

using samples::Scratch;
using testing::AllOf;
using testing::HasSubstr;

Writer writer_in(const std::filesystem::path& directory, Writer::Mode mode = Writer::Mode::create) {
  return {directory, mode, samples::run_id, 1, 0};
}

template <class Action>
std::string refusal(Action action) {
  try {
    action();
  } catch (const WriteError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(writer, empty_file_of_a_process_that_was_killed_early_is_no_result) {
  const Scratch scratch;
  samples::put(scratch.result(), "");
  EXPECT_EQ(refusal([&] { writer_in(scratch.path()).write(samples::bare_run()); }), "accepted");
  EXPECT_THAT(refusal([&] { writer_in(scratch.path()); }), HasSubstr("exists and is not overwritten"));
}

TEST(writer, what_is_written_is_read) {
  const Scratch scratch;
  {
    Writer writer = writer_in(scratch.path());
    for (const Body& body : samples::full_bodies()) writer.write(body);
  }
  samples::note_lines(scratch.result());
  const FileContent content = read(scratch.path());
  ASSERT_EQ(content.records.size(), samples::full_bodies().size());
  for (std::size_t i = 0; i < content.records.size(); ++i) {
    EXPECT_EQ(content.records[i].envelope.seq, static_cast<std::int64_t>(i));
    EXPECT_EQ(content.records[i].envelope.run, samples::run_id);
  }
  EXPECT_EQ(content.records[0].envelope.at_s, 0);
}

TEST(writer, signal_that_comes_while_records_are_brought_to_disk_ends_nothing) {
  const Scratch scratch;
  Writer writer = writer_in(scratch.path());
  interruptions = 2;
  EXPECT_EQ(refusal([&] { writer.write(samples::bare_run()); }), "accepted");
  EXPECT_EQ(interruptions, 0);
}

TEST(writer, directory_is_created_with_its_parents) {
  const Scratch scratch;
  const auto directory = scratch.path() / "a" / "b";
  Writer writer = writer_in(directory);
  writer.write(samples::bare_run());
  EXPECT_EQ(writer.path(), directory / "result.jsonl");
  EXPECT_TRUE(writer.locked());
  EXPECT_EQ(read(directory).records.size(), 1U);
}

TEST(writer, existing_file_is_not_overwritten) {
  const Scratch scratch;
  samples::put(scratch.result(), "precious");
  EXPECT_THAT(refusal([&] { (void)writer_in(scratch.path()); }),
              AllOf(HasSubstr(scratch.result().string()), HasSubstr("--resume"), HasSubstr("--append")));
  EXPECT_EQ(samples::content(scratch.result()), "precious");
}

TEST(writer, one_that_got_the_lock_late_does_not_mix_its_records_with_those_of_another) {
  const Scratch scratch;
  auto first = std::make_unique<Writer>(writer_in(scratch.path()));
  const std::jthread ends([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    first->write(samples::bare_run());
    first.reset();
  });
  EXPECT_THAT(refusal([&] { (void)writer_in(scratch.path()); }), HasSubstr("exists and is not overwritten"));
  EXPECT_EQ(read(scratch.path()).records.size(), 1U);
}

TEST(writer, compressed_records_are_not_hidden_by_new_ones) {
  const Scratch scratch;
  samples::put(scratch.path() / "result.jsonl.gz", "records");
  for (const auto mode : {Writer::Mode::create, Writer::Mode::append})
    EXPECT_THAT(refusal([&] { (void)writer_in(scratch.path(), mode); }), HasSubstr("would hide"));
  EXPECT_FALSE(std::filesystem::exists(scratch.result()));
}

TEST(writer, link_to_nowhere_is_not_followed_by_create) {
  const Scratch scratch;
  std::filesystem::create_symlink(scratch.path() / "elsewhere", scratch.result());
  EXPECT_THAT(refusal([&] { (void)writer_in(scratch.path()); }), HasSubstr("not overwritten"));
  EXPECT_FALSE(std::filesystem::exists(scratch.path() / "elsewhere"));
}

TEST(writer, append_continues_the_file) {
  const Scratch scratch;
  writer_in(scratch.path()).write(samples::bare_run());
  Writer second(scratch.path(), Writer::Mode::append, samples::run_id, 2, 17);
  second.write(samples::point(8));
  const FileContent content = read(scratch.path());
  ASSERT_EQ(content.records.size(), 2U);
  EXPECT_EQ(content.records[1].envelope.seq, 17);
  EXPECT_EQ(content.records[1].envelope.session, 2);
}

TEST(writer, second_writer_is_refused_while_the_first_lives) {
  const Scratch scratch;
  {
    const Writer first = writer_in(scratch.path());
    EXPECT_THAT(refusal([&] { (void)writer_in(scratch.path(), Writer::Mode::append); }),
                HasSubstr("another steelyard"));
    EXPECT_THAT(refusal([&] { (void)cut_torn_line(scratch.path()); }), HasSubstr("another steelyard"));
  }
  EXPECT_NO_THROW((void)writer_in(scratch.path(), Writer::Mode::append));
}

TEST(writer, second_writer_waits_for_a_first_one_that_is_ending) {
  const Scratch scratch;
  auto first = std::make_unique<Writer>(writer_in(scratch.path()));
  const std::jthread ends([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    first.reset();
  });
  EXPECT_NO_THROW((void)writer_in(scratch.path(), Writer::Mode::append));
}

TEST(writer, end_of_a_writer_is_waited_for_no_longer_than_told) {
  const Scratch scratch;
  EXPECT_TRUE(wait_for_writer(scratch.path(), std::chrono::seconds(100)));  // there is no file
  const Writer first = writer_in(scratch.path());
  const auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE(wait_for_writer(scratch.path(), std::chrono::seconds(1)));
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
}

TEST(writer, file_that_is_removed_or_moved_is_told_at_the_next_record_that_is_synced) {
  for (const bool moved : {false, true}) {
    const Scratch scratch;
    Writer writer = writer_in(scratch.path() / "r");
    writer.write(samples::bare_run());
    if (moved)
      std::filesystem::rename(scratch.path() / "r", scratch.path() / "elsewhere");
    else
      std::filesystem::remove_all(scratch.path() / "r");
    EXPECT_THAT(refusal([&] { writer.write(samples::full_end()); }), HasSubstr("was removed or moved"));
  }
}

TEST(writer, file_that_another_one_takes_the_place_of_is_told) {
  const Scratch scratch;
  Writer writer = writer_in(scratch.path());
  writer.write(samples::bare_run());
  samples::put(scratch.path() / "other", samples::content(scratch.result()));
  std::filesystem::rename(scratch.path() / "other", scratch.result());
  EXPECT_THAT(refusal([&] { writer.write(samples::full_end()); }), HasSubstr("was removed or moved"));
}

TEST(writer, file_that_went_on_since_it_was_read_is_refused_and_stays) {
  const Scratch scratch;
  writer_in(scratch.path()).write(samples::bare_run());
  const std::string before = samples::content(scratch.result());
  const auto going_on = [&](std::size_t read_byte) {
    Writer(scratch.path(), Writer::Mode::append, samples::run_id, 2, 1, static_cast<std::int64_t>(read_byte))
        .write(samples::bare_run());
  };
  EXPECT_THAT(refusal([&] { going_on(before.size() - 1); }), HasSubstr("went on meanwhile"));
  EXPECT_EQ(samples::content(scratch.result()), before);
  EXPECT_EQ(refusal([&] { going_on(before.size()); }), "accepted");
  EXPECT_THAT(refusal([&] { going_on(before.size()); }), HasSubstr("went on meanwhile"));
}

TEST(writer, directory_that_cannot_be_made_is_named) {
  const Scratch scratch;
  samples::put(scratch.path() / "file", "");
  EXPECT_THAT(refusal([&] { (void)writer_in(scratch.path() / "file" / "sub"); }),
              HasSubstr("cannot be created"));
}

TEST(writer, record_too_long_for_a_line_is_refused_with_its_key) {
  std::ostringstream out;
  Writer writer(out, samples::run_id, 1, 0);
  PointRecord point = samples::point(8);
  point.classic = {{"text", std::string(max_line_byte, 'x')}};
  EXPECT_THAT(refusal([&] { writer.write(point); }), HasSubstr(point.key));
  EXPECT_TRUE(out.str().empty());
}

TEST(writer, longest_line_is_written_and_read) {
  const Scratch scratch;
  EventRecord event = samples::full_event();
  const std::size_t around = to_line(samples::enveloped(event, 1)).size() - event.text.size();
  event.text.assign(max_line_byte - around - 64, 'x');  // 64: room for a time of any length
  {
    Writer writer = writer_in(scratch.path());
    writer.write(samples::bare_run());
    writer.write(event);
  }
  const auto content = read(scratch.path());
  EXPECT_EQ(std::get<EventRecord>(content.records.at(1).body).text, event.text);
}

TEST(writer, number_that_is_not_finite_writes_nothing) {
  const Scratch scratch;
  Writer writer = writer_in(scratch.path());
  writer.write(samples::bare_run());
  const std::string before = samples::content(scratch.result());
  EXPECT_THROW(writer.write(samples::point(8, std::numeric_limits<double>::quiet_NaN())), NotANumber);
  EXPECT_EQ(samples::content(scratch.result()), before);
  writer.write(samples::point(8));
  EXPECT_EQ(read(scratch.path()).records.at(1).envelope.seq, 1) << "the refused record takes no number";
}

TEST(writer, nothing_is_added_to_a_file_that_is_no_result) {
  const Scratch scratch;
  std::string newer = to_line(samples::enveloped(samples::bare_run())) + "\n";
  const std::string version = R"("format_version":1)";
  newer.replace(newer.find(version), version.size(), R"("format_version":7)");
  for (const std::string& text : {std::string("precious"), std::string("pre\ncious\n"), newer,
                                  std::string("\x1f\x8b\x08\0\0\n\0", 7), std::string("{}\n")}) {
    const auto victim = scratch.path() / "victim";
    samples::put(victim, text);
    std::filesystem::create_symlink(victim, scratch.result());
    EXPECT_THAT(refusal([&] { (void)writer_in(scratch.path(), Writer::Mode::append); }),
                HasSubstr("is no result of steelyard"))
        << text;
    EXPECT_THAT(refusal([&] { (void)cut_torn_line(scratch.path()); }), HasSubstr("is no result")) << text;
    EXPECT_EQ(samples::content(victim), text);
    std::filesystem::remove(scratch.result());
  }
}

TEST(writer, results_are_added_to_through_a_link_and_where_another_tool_wrote_them) {
  const Scratch scratch;
  std::string spaced = to_line(samples::enveloped(samples::bare_run())) + "\n";
  spaced.insert(1, " ");
  samples::put(scratch.path() / "other", spaced);
  std::filesystem::create_symlink("other", scratch.result());
  EXPECT_EQ(refusal([&] { (void)writer_in(scratch.path(), Writer::Mode::append); }), "accepted");
}

TEST(writer, device_is_refused) {
  const Scratch scratch;
  std::filesystem::create_symlink("/dev/null", scratch.result());
  EXPECT_THAT(refusal([&] { (void)writer_in(scratch.path(), Writer::Mode::append); }),
              HasSubstr("is no result"));
}

/// No file of this process may grow beyond the limit while this lives.
class SizeLimit {
 public:
  explicit SizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limited{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limited);
  }
  ~SizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  SizeLimit(const SizeLimit&) = delete;
  SizeLimit& operator=(const SizeLimit&) = delete;

 private:
  void (*handler_)(int);
  rlimit before_{};
};

TEST(writer, line_that_space_cuts_short_is_taken_back) {
  const Scratch scratch;
  Writer writer = writer_in(scratch.path());
  writer.write(samples::bare_run());
  std::string told;
  int written = 0;
  {
    const SizeLimit limit(5000);
    told = refusal([&] {
      for (; written < 100; ++written) writer.write(samples::point(written));
    });
  }
  EXPECT_THAT(told, HasSubstr("cannot be written"));
  EXPECT_GT(written, 1);
  EXPECT_EQ(samples::content(scratch.result()).back(), '\n');
  EXPECT_LT(std::filesystem::file_size(scratch.result()), 5000U);
  writer.write(samples::full_event());
  const FileContent content = read(scratch.path());
  EXPECT_EQ(content.torn_bytes, 0);
  EXPECT_EQ(content.records.size(), static_cast<std::size_t>(written) + 2);
  EXPECT_EQ(content.records.back().envelope.seq, written + 1);
}

TEST(writer, stream_that_fails_is_told) {
  std::ostringstream out;
  Writer writer(out, samples::run_id, 1, 0);
  EXPECT_TRUE(writer.path().empty());
  EXPECT_TRUE(writer.locked());
  out.setstate(std::ios::badbit);
  EXPECT_THAT(refusal([&] { writer.write(samples::full_event()); }), HasSubstr("stream"));
}

TEST(writer, ten_thousand_points_are_written_and_read) {
  const Scratch scratch;
  {
    Writer writer = writer_in(scratch.path());
    writer.write(samples::bare_run());
    for (int i = 0; i < 10000; ++i) writer.write(samples::point(i, 1.0 / (i + 1)));
  }
  const auto run = runs(read(scratch.path())).at(0);
  ASSERT_EQ(run.points.size(), 10000U);
  EXPECT_EQ(std::get<Statistics>(run.points[6].metrics[0].second).median, 1.0 / 7);
  EXPECT_EQ(run.next_seq, 10001);
}

TEST(cut_torn_line, incomplete_line_goes_into_a_file_of_its_own) {
  const Scratch scratch;
  const std::string whole = to_line(samples::enveloped(samples::bare_run())) + "\n";
  samples::put(scratch.result(), whole + "{\"torn");
  EXPECT_EQ(cut_torn_line(scratch.path()), 6);
  EXPECT_EQ(samples::content(scratch.result()), whole);
  EXPECT_EQ(samples::content(scratch.path() / "result.jsonl.torn"), "{\"torn");
  EXPECT_EQ(cut_torn_line(scratch.path()), 0);
}

TEST(cut_torn_line, long_and_only_lines_are_found) {
  const Scratch scratch;
  const std::string torn = "{\"" + std::string(300000, 'x');
  const std::string whole = to_line(samples::enveloped(samples::bare_run())) + "\n";
  samples::put(scratch.result(), whole + torn);
  EXPECT_EQ(cut_torn_line(scratch.path()), static_cast<std::int64_t>(torn.size()));
  EXPECT_EQ(samples::content(scratch.result()), whole);
  samples::put(scratch.result(), whole.substr(0, 12));
  EXPECT_EQ(cut_torn_line(scratch.path()), 12);
  EXPECT_EQ(samples::content(scratch.result()), "");
}

TEST(cut_torn_line, complete_line_without_line_end_gets_it) {
  const Scratch scratch;
  const std::string whole = to_line(samples::enveloped(samples::bare_run())) + "\n";
  samples::put(scratch.result(), whole + "{\"a\":1}");
  EXPECT_EQ(cut_torn_line(scratch.path()), 0);
  EXPECT_EQ(samples::content(scratch.result()), whole + "{\"a\":1}\n");
}

TEST(cut_torn_line, append_does_it_too) {
  const Scratch scratch;
  const std::string whole = to_line(samples::enveloped(samples::bare_run())) + "\n";
  samples::put(scratch.result(), whole + "{\"torn");
  writer_in(scratch.path(), Writer::Mode::append).write(samples::point(8));
  EXPECT_EQ(read(scratch.path()).records.size(), 2U);
}

TEST(cut_torn_line, file_that_is_not_there_is_told) {
  const Scratch scratch;
  EXPECT_THAT(refusal([&] { (void)cut_torn_line(scratch.path()); }), HasSubstr("No such file"));
}

}  // namespace
}  // namespace steelyard::record
