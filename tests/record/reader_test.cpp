// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <numeric>
#include <stdexcept>
#ifdef STEELYARD_HAVE_ZLIB
#include <zlib.h>
#endif

#include "record/walk.hpp"
#include "samples.hpp"

namespace steelyard::record {
namespace {

using samples::Scratch;
using testing::HasSubstr;

std::string line(const Body& body, std::int64_t seq = 0, const std::string& run = samples::run_id) {
  Record record = samples::enveloped(body, seq);
  record.envelope.run = run;
  return samples::line_of(record) + "\n";
}

std::string refusal(const std::filesystem::path& input, const RunChoice& choice = {}) {
  try {
    (void)read(input, choice);
  } catch (const ReadError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(reader, directory_and_file_give_the_same) {
  const Scratch scratch;
  samples::put(scratch.result(), line(samples::bare_run()) + line(samples::point(8), 1));
  EXPECT_EQ(read(scratch.path()).records.size(), 2U);
  EXPECT_EQ(read(scratch.result()).records.size(), 2U);
}

TEST(reader, incomplete_last_line_is_counted) {
  const Scratch scratch;
  const std::string torn = line(samples::point(8), 1).substr(0, 100);
  samples::put(scratch.result(), line(samples::bare_run()) + torn);
  const FileContent content = read(scratch.path());
  EXPECT_EQ(content.records.size(), 1U);
  EXPECT_EQ(content.torn_bytes, 100);
}

TEST(reader, last_line_of_zeros_is_torn) {
  const Scratch scratch;
  samples::put(scratch.result(), line(samples::bare_run()) + std::string(5000, '\0'));
  EXPECT_EQ(read(scratch.path()).torn_bytes, 5000);
}

TEST(reader, complete_last_line_without_line_end_is_a_record) {
  const Scratch scratch;
  std::string text = line(samples::bare_run()) + line(samples::point(8), 1);
  text.pop_back();
  samples::put(scratch.result(), text);
  EXPECT_EQ(read(scratch.path()).records.size(), 2U);
  EXPECT_EQ(read(scratch.path()).torn_bytes, 0);
}

TEST(reader, damaged_lines_are_left_out_and_counted) {
  const Scratch scratch;
  const std::string damaged = std::string("{\"broken\n") + "[1,\n";
  samples::put(scratch.result(),
               line(samples::bare_run()) + damaged + line(samples::point(8), 1) + "{\"torn");
  const auto content = read(scratch.path());
  EXPECT_EQ(content.records.size(), 2U);
  EXPECT_EQ(content.damaged_lines, 2);
  EXPECT_THAT(content.first_damage, HasSubstr(scratch.result().string() + ":2: not valid JSON"));
  EXPECT_EQ(content.torn_bytes, 6);
}

TEST(reader, file_without_one_whole_line_is_refused_with_file_and_line) {
  const Scratch scratch;
  samples::put(scratch.result(), std::string("{\"broken\n") + "{\"more\n");
  EXPECT_THAT(refusal(scratch.path()), HasSubstr(scratch.result().string() + ":1: not valid JSON"));
}

TEST(read_runs, refuses_damaged_lines_where_nobody_asks_for_their_number) {
  const Scratch scratch;
  samples::put(scratch.result(), line(samples::bare_run()) + "{\n" + line(samples::point(8), 1));
  FileContent told;
  EXPECT_EQ(read_runs(scratch.path(), {}, &told).size(), 1U);
  EXPECT_EQ(told.damaged_lines, 1);
  EXPECT_THROW((void)read_runs(scratch.path()), ReadError);
}

TEST(read_runs, names_the_damage_of_a_run_record) {
  const Scratch scratch;
  samples::put(scratch.result(), "{\"form\n" + line(samples::point(8), 1));
  FileContent told;
  std::string text;
  try {
    (void)read_runs(scratch.path(), {}, &told);
  } catch (const ReadError& error) {
    text = error.what();
  }
  EXPECT_THAT(text, testing::AllOf(HasSubstr(scratch.result().string() + ":1: not valid JSON"),
                                   HasSubstr("without it run " + samples::run_id + " has no run record")));
}

TEST(reader, wrong_member_is_refused_with_file_and_line_also_at_the_end) {
  const Scratch scratch;
  std::string wrong = line(samples::point(8), 1);
  wrong.replace(wrong.find("\"status\":\"ok\""), 13, "\"status\":\"no\"");
  samples::put(scratch.result(), line(samples::bare_run()) + "\n" + wrong);
  EXPECT_THAT(refusal(scratch.path()), HasSubstr(":3: member 'status'"));
}

TEST(reader, higher_version_is_refused) {
  const Scratch scratch;
  std::string newer = line(samples::bare_run());
  newer.replace(newer.find("\"format_version\":1"), 18, "\"format_version\":2");
  samples::put(scratch.result(), newer);
  EXPECT_THAT(refusal(scratch.path()), HasSubstr(":1: format version 2 is newer than version 1"));
}

TEST(reader, unknown_types_are_counted_and_empty_lines_skipped) {
  const Scratch scratch;
  std::string unknown = line(samples::full_event(), 1);
  unknown.replace(unknown.find("\"type\":\"event\""), 14, "\"type\":\"vibes\"");
  samples::put(scratch.result(), line(samples::bare_run()) + "\n  \r\n" + unknown + unknown);
  const FileContent content = read(scratch.path());
  EXPECT_EQ(content.unknown_types, 2);
  EXPECT_EQ(content.records.size(), 1U);
}

TEST(reader, windows_line_ends_are_accepted) {
  const Scratch scratch;
  std::string text = line(samples::bare_run());
  text.back() = '\r';
  text += '\n';
  samples::put(scratch.result(), text);
  EXPECT_EQ(read(scratch.path()).records.size(), 1U);
}

TEST(reader, missing_and_empty_inputs_are_refused_by_name) {
  const Scratch scratch;
  EXPECT_THAT(refusal(scratch.path()), HasSubstr(scratch.result().string() + ": No such file"));
  samples::put(scratch.result(), "");
  EXPECT_THAT(refusal(scratch.path()), HasSubstr("no steelyard records"));
  samples::put(scratch.result(), "Some other text\n");
  EXPECT_THAT(refusal(scratch.path()), HasSubstr("no steelyard records"));
}

TEST(reader, line_longer_than_the_format_allows_is_refused) {
  const Scratch scratch;
  EventRecord event = samples::full_event();
  event.text.assign(max_line_byte, 'x');
  samples::put(scratch.result(), to_line(samples::enveloped(samples::bare_run())) + "\n" +
                                     to_line(samples::enveloped(event, 1)) + "\n");
  EXPECT_THAT(refusal(scratch.path()), HasSubstr(":2: longer than 1048576 bytes"));
}

TEST(reader, standard_input_is_a_dash) {
  const Scratch scratch;
  samples::put(scratch.result(), line(samples::bare_run()));
  std::FILE* const file = std::fopen(scratch.result().c_str(), "rb");
  ASSERT_NE(file, nullptr);
  const int saved = ::dup(STDIN_FILENO);
  ::dup2(::fileno(file), STDIN_FILENO);
  EXPECT_EQ(read("-").records.size(), 1U);
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
  std::fclose(file);
}

class three_runs : public testing::Test {
 protected:
  three_runs() {
    std::string text;
    for (const std::string& id : ids)
      text += line(samples::bare_run(), 0, id) + line(samples::point(8), 1, id);
    samples::put(scratch.result(), text);
  }
  [[nodiscard]] std::string id_of(const RunChoice& choice) const {
    const FileContent content = read(scratch.path(), choice);
    EXPECT_EQ(content.records.size(), 2U);
    return content.records.front().envelope.run;
  }
  const std::vector<std::string> ids{"20260101T000000Z-00000001", "20260101T000000Z-00000002",
                                     "20260101T000000Z-00000003"};
  const Scratch scratch;
};

TEST_F(three_runs, last_is_the_default) {
  EXPECT_EQ(id_of({}), ids[2]);
  EXPECT_EQ(id_of(parse_run_choice("last")), ids[2]);
}

TEST_F(three_runs, first_and_id_choose_one) {
  EXPECT_EQ(id_of(parse_run_choice("first")), ids[0]);
  EXPECT_EQ(id_of(parse_run_choice(ids[1])), ids[1]);
}

TEST_F(three_runs, all_gives_every_record) {
  EXPECT_EQ(read(scratch.path(), parse_run_choice("all")).records.size(), 6U);
}

TEST_F(three_runs, unknown_id_is_refused_with_those_there_are) {
  const std::string text = refusal(scratch.path(), parse_run_choice("20200101T000000Z-00000009"));
  for (const std::string& id : ids) EXPECT_THAT(text, HasSubstr(id));
}

TEST_F(three_runs, scan_hands_over_one_by_one_and_keeps_nothing) {
  int count = 0;
  const FileContent content = scan(scratch.path(), [&count](Record&&) { ++count; });
  EXPECT_EQ(count, 6);
  EXPECT_TRUE(content.records.empty());
}

/// A result long enough that several threads make records of it: run record, then points with seq 1, 2, ...
class long_result : public testing::Test {
 protected:
  static constexpr std::int64_t points = 4000;

  long_result() {
    for (std::int64_t seq = 1; seq <= points; ++seq) lines.push_back(line(samples::point(seq), seq));
  }
  void put() const {
    std::string text = line(samples::bare_run());
    for (const std::string& one : lines) text += one;
    samples::put(scratch.result(), text);
  }
  [[nodiscard]] std::vector<std::int64_t> numbers(FileContent* told = nullptr) const {
    std::vector<std::int64_t> list;
    const auto take = [&list](Record&& record) { list.push_back(record.envelope.seq); };
    FileContent content = scan(scratch.path(), take);
    if (told != nullptr) *told = std::move(content);
    return list;
  }

  std::vector<std::string> lines;
  const Scratch scratch;
};

TEST_F(long_result, records_come_in_the_order_of_their_lines) {
  put();
  std::vector<std::int64_t> expected(points + 1);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(numbers(), expected);
}

TEST_F(long_result, texts_come_with_the_records_that_they_are_made_of) {
  lines[5] = "{\"broken\n";
  put();
  std::int64_t count = 0;
  const auto make = [](const Record& record, std::string& text) { append_line(text, record); };
  scan(scratch.path(), {}, make, [&](const Record& record, std::string_view text) {
    ++count;
    EXPECT_EQ(text, to_line(record));
  });
  EXPECT_EQ(count, points);
}

TEST_F(long_result, damage_anywhere_is_counted_and_the_first_is_named) {
  lines[1999] = "{\"broken\n";
  lines[3000] = "[\n";
  lines.back().resize(50);
  put();
  FileContent told;
  EXPECT_EQ(numbers(&told).size(), static_cast<std::size_t>(points) + 1 - 3);
  EXPECT_EQ(told.damaged_lines, 2);
  EXPECT_THAT(told.first_damage, HasSubstr(":2001: not valid JSON"));
  EXPECT_EQ(told.torn_bytes, 50);
}

TEST_F(long_result, what_lies_before_a_wrong_line_is_handed_over) {
  lines[2999].replace(lines[2999].find("\"status\":\"ok\""), 13, "\"status\":\"no\"");
  put();
  std::int64_t last = 0;
  try {
    scan(scratch.path(), [&last](Record&& record) { last = record.envelope.seq; });
    ADD_FAILURE() << "accepted";
  } catch (const ReadError& error) {
    EXPECT_THAT(error.what(), HasSubstr(":3001: member 'status'"));
  }
  EXPECT_EQ(last, 2999);
}

TEST_F(long_result, so_is_what_lies_before_a_line_that_is_too_long) {
  lines[2999] = std::string(max_line_byte + 1, 'x') + '\n';
  put();
  std::int64_t last = 0;
  const auto take = [&last](Record&& record) { last = record.envelope.seq; };
  EXPECT_THROW(scan(scratch.path(), take), ReadError);
  EXPECT_EQ(last, 2999);
}

TEST_F(long_result, the_consumer_may_throw) {
  put();
  const auto refuse = [](Record&& record) {
    if (record.envelope.seq == 2000) throw std::out_of_range("enough");
  };
  EXPECT_THROW(scan(scratch.path(), refuse), std::out_of_range);
}

TEST_F(long_result, lines_of_other_runs_are_passed_over) {
  for (std::size_t i = 0; i < lines.size(); i += 2)
    lines[i] = line(samples::point(8), 1, "20260101T000000Z-00000001");
  lines[1] = "{\"broken\n";
  put();
  std::int64_t count = 0;
  const FileContent content = scan(scratch.path(), parse_run_choice(samples::run_id), [&](Record&& record) {
    ++count;
    EXPECT_EQ(record.envelope.run, samples::run_id);
  });
  EXPECT_EQ(count, points / 2);  // the run record, and one point is damaged
  EXPECT_EQ(content.damaged_lines, 1);
}

/// Runs and numbers of the records of the last run, which the end of a file mostly tells.
using Seen = std::vector<std::pair<std::string, std::int64_t>>;
Seen of_last_run(const std::filesystem::path& input) {
  Seen list;
  scan(input, RunChoice(),
       [&list](Record&& record) { list.emplace_back(record.envelope.run, record.envelope.seq); });
  return list;
}

TEST_F(long_result, the_last_run_is_that_of_the_last_record_however_the_file_ends) {
  const std::string other = "20260101T000000Z-00000001";
  const auto of_other = line(samples::point(8), points + 1, other);
  lines.insert(lines.begin(), of_other);
  Seen own{{samples::run_id, 0}};
  for (std::int64_t seq = 1; seq <= points; ++seq) own.emplace_back(samples::run_id, seq);
  PointRecord longest = samples::point(8);
  longest.flags.emplace_back(std::size_t{100} << 10, 'x');
  const auto ends_with = [this](const std::string& end) {
    lines.push_back(end);
    put();
    lines.pop_back();
    return of_last_run(scratch.path());
  };
  EXPECT_EQ(ends_with(""), own);
  EXPECT_EQ(ends_with("\n \n"), own);
  EXPECT_EQ(ends_with(of_other.substr(0, of_other.size() / 2)), own) << "a torn line";
  EXPECT_EQ(ends_with(std::string(std::size_t{100} << 10, '\0')), own)
      << "torn, and longer than what is looked at";
  EXPECT_EQ(ends_with("{\"run\":\"" + other + "\",\"type\":\"of a later version\"}\n"), own);
  const Seen others{{other, points + 1}, {other, points + 1}};
  EXPECT_EQ(ends_with(of_other), others);
  EXPECT_EQ(ends_with(line(longest, points + 1, other)), others) << "longer than what is looked at";
}

#ifdef STEELYARD_HAVE_ZLIB
void put_compressed(const std::filesystem::path& file, const std::string& text) {
  const gzFile out = ::gzopen(file.c_str(), "wb");
  ASSERT_NE(out, nullptr);
  EXPECT_EQ(::gzwrite(out, text.data(), static_cast<unsigned>(text.size())), static_cast<int>(text.size()));
  ::gzclose(out);
}

TEST(compressed, file_and_directory_are_read) {
  const Scratch scratch;
  const auto file = scratch.path() / "result.jsonl.gz";
  put_compressed(file, line(samples::bare_run()) + line(samples::point(8), 1));
  EXPECT_EQ(read(file).records.size(), 2U);
  EXPECT_EQ(read(scratch.path()).records.size(), 2U);
}

TEST(compressed, file_that_ends_too_early_is_refused) {
  const Scratch scratch;
  const auto file = scratch.path() / "result.jsonl.gz";
  std::string text = line(samples::bare_run());
  for (int i = 0; i < 500; ++i) text += line(samples::point(i, 1.0 / (i + 1)), i + 1);
  put_compressed(file, text);
  std::filesystem::resize_file(file, std::filesystem::file_size(file) / 2);
  EXPECT_THAT(refusal(file), HasSubstr(file.string()));
}
#else
TEST(compressed, file_is_refused_with_a_way_out) {
  const Scratch scratch;
  samples::put(scratch.result(), "\x1f\x8b\x08");
  EXPECT_THAT(refusal(scratch.result()), HasSubstr("gunzip"));
}
#endif

}  // namespace
}  // namespace steelyard::record
