// SPDX-License-Identifier: Apache-2.0
// Records that are read one by one are those that are read together.
#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>

#include "record/conversion.hpp"
#include "record/element.hpp"
#include "record/value.hpp"
#include "record/walk.hpp"
#include "samples.hpp"

namespace steelyard::record {
using detail::Elements;

namespace {

class ResultFile {
 public:
  ResultFile() { out_.open(path_); }
  ~ResultFile() { std::filesystem::remove(path_); }
  ResultFile(const ResultFile&) = delete;
  ResultFile& operator=(const ResultFile&) = delete;

  ResultFile& add(const Body& body, const std::string& run, int session = 1) {
    out_ << line(body, run, session) << std::endl;
    return *this;
  }
  /// Adds a record with a word of its line exchanged.
  ResultFile& add_changed(const Body& body, const std::string& run, std::string_view word,
                          std::string_view by) {
    std::string changed = line(body, run, 1);
    const auto at = changed.find(word);
    EXPECT_NE(at, std::string::npos) << word;
    out_ << changed.replace(at, word.size(), by) << std::endl;
    return *this;
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::string line(const Body& body, const std::string& run, int session) {
    Record record = samples::enveloped(body, seq_++, session);
    record.envelope.run = run;
    return to_line(record);
  }
  static std::filesystem::path place() {
    static int number = 0;
    const auto name = "one_by_one_" + std::to_string(getpid()) + "_" + std::to_string(++number) + ".jsonl";
    return std::filesystem::temp_directory_path() / name;
  }
  std::filesystem::path path_ = place();
  std::ofstream out_;
  std::int64_t seq_ = 0;
};

RunRecord head_of(const std::string& series) {
  RunRecord head = samples::bare_run();
  head.series = series;
  return head;
}

using Lines = std::vector<std::string>;

RunChoice choice_of(const std::string& which) {
  return which == "series" ? RunChoice{RunChoice::Kind::series, {}} : parse_run_choice(which);
}

Lines one_by_one(const ResultFile& file, const std::string& which) {
  Lines lines;
  const auto take = [&](const RunRecord& head, const Envelope& envelope, const PointRecord& point) {
    lines.push_back(head.series + to_line({envelope, point}));
  };
  walk_runs(file.path(), choice_of(which), {[](const Run&) {}, take});
  return lines;
}

/// The same from texts that are made ahead.
Lines as_texts(const ResultFile& file, const std::string& which) {
  Lines lines;
  const auto make = [](const RunRecord& head, const Envelope& envelope, const PointRecord& point,
                       std::string& text) {
    text = head.series + to_line({envelope, point});
  };
  walk_runs(file.path(), choice_of(which),
            {[](const Run&) {}, {}, make, [&lines](std::string_view text) { lines.emplace_back(text); }});
  return lines;
}

Lines together(const ResultFile& file, const std::string& which) {
  Lines lines;
  for (const Run& run : runs(read(file.path(), choice_of(which))))
    for (std::size_t i = 0; i < run.points.size(); ++i)
      lines.push_back(run.head.series + to_line({run.envelopes[i], run.points[i]}));
  return lines;
}

void expect_alike(const ResultFile& file) {
  for (const char* which : {"last", "first", "all", "series"}) {
    EXPECT_FALSE(together(file, which).empty()) << which;
    EXPECT_EQ(one_by_one(file, which), together(file, which)) << which;
    EXPECT_EQ(as_texts(file, which), together(file, which)) << which;
  }
}

TEST(walk_runs, of_one_run) {
  ResultFile file;
  expect_alike(file.add(head_of("s"), "a").add(samples::point(1, 1.0), "a").add(samples::full_point(), "a"));
}

TEST(walk_runs, last_record_of_a_key_stands_at_the_place_of_the_first) {
  ResultFile file;
  file.add(head_of("old"), "a").add(samples::point(1, 1.0), "a").add(samples::point(2, 2.0), "a");
  file.add(head_of("new"), "a", 2).add(samples::point(3, 3.0), "a", 2).add(samples::point(1, 4.0), "a", 2);
  expect_alike(file);
  EXPECT_EQ(one_by_one(file, "last").size(), 3U);
}

TEST(walk_runs, a_key_of_two_runs_is_two_points) {
  ResultFile file;
  file.add(head_of("s"), "a").add(samples::point(1, 1.0), "a");
  file.add(head_of("t"), "b").add(samples::point(1, 2.0), "b").add(samples::point(2, 2.0), "b");
  expect_alike(file);
  EXPECT_EQ(one_by_one(file, "all").size(), 3U);
}

TEST(walk_runs, runs_that_lie_in_turns) {
  ResultFile file;
  file.add(head_of("s"), "a").add(head_of("t"), "b").add(samples::point(1, 1.0), "a");
  expect_alike(file.add(samples::point(2, 2.0), "b").add(samples::point(1, 3.0), "a"));
}

TEST(walk_runs, refuses_what_is_not_there) {
  ResultFile file;
  file.add(head_of("s"), "a").add(samples::point(1, 1.0), "a").add(head_of("s"), "b");
  EXPECT_THROW(one_by_one(file, "c"), ReadError);
}

TEST(walk_runs, tells_each_run_before_its_points) {
  ResultFile file;
  EndRecord cut, whole;
  cut.status = "interrupted";
  whole.status = "complete";
  file.add(head_of("s"), "a").add(samples::point(1, 1.0), "a").add(cut, "a");
  file.add(head_of("t"), "a", 2).add(samples::point(2, 2.0), "a", 2).add(whole, "a", 2);
  file.add(head_of("u"), "b").add(cut, "b").add(head_of("v"), "b", 2);  // goes on, and has no end any more
  Lines lines;
  const auto told = [&](const record::Run& run) {  // not the Run of a test
    lines.push_back(run.id + run.head.series + (run.end ? run.end->status : "cut off"));
  };
  walk_runs(file.path(), parse_run_choice("all"),
            {told, [&](const auto&, const auto&, const PointRecord& point) { lines.push_back(point.key); }});
  EXPECT_EQ(lines,
            (Lines{"atcomplete", samples::point(1, 1.0).key, samples::point(2, 2.0).key, "bvcut off"}));
}

TEST(walk_runs, of_a_series_are_its_launches_one_point_at_a_time) {
  ResultFile file;
  file.add(head_of("s"), "a").add(samples::point(1, 1.0), "a");
  file.add(head_of("t"), "b").add(samples::point(2, 2.0), "b");
  file.add(head_of("s"), "c").add(samples::point(1, 3.0), "c");
  expect_alike(file);
  std::string ids;
  std::size_t kept = 0;
  const auto told = [&](const record::Run& run) {
    ids += run.id;
    kept += run.points.size();
  };
  walk_runs(file.path(), choice_of("series"), {told, [](const auto&, const auto&, const auto&) {}});
  EXPECT_EQ(ids, "ac");
  EXPECT_EQ(kept, 0U);
}

TEST(walk_runs, tells_of_a_line_that_is_damaged_within_a_value) {
  ResultFile file;
  file.add(head_of("s"), "a").add(samples::point(1, 1.0), "a");
  file.add_changed(samples::point(2, 2.0), "a", "\"type\"", "\"more\":NaN,\"type\"")
      .add(samples::point(3, 3.0), "a");
  expect_alike(file);
  FileContent told;
  EXPECT_EQ(read_runs(file.path(), {}, &told).size(), 1U);
  const auto walked =
      walk_runs(file.path(), {}, {[](const auto&) {}, [](const auto&, const auto&, const auto&) {}});
  EXPECT_EQ(walked.damaged_lines, 1);
  EXPECT_EQ(walked.damaged_lines, told.damaged_lines);
  EXPECT_EQ(walked.first_damage, told.first_damage);
}

/// Its names stand before the damage, where the first walk through the file reads them.
TEST(walk_runs, takes_no_point_from_a_line_that_is_damaged_behind_its_names) {
  ResultFile file;
  file.add(head_of("s"), "a").add_changed(samples::point(1, 1.0), "a", "\"metrics\"", "\"metrics");
  file.add(samples::point(1, 2.0), "a").add(samples::point(2, 2.0), "a");
  file.add_changed(samples::point(2, 3.0), "a", "\"metrics\"", "\"metrics");
  expect_alike(file);
  EXPECT_EQ(one_by_one(file, "last").size(), 2U);
  file.add_changed(samples::point(2, 3.0), "b", "\"metrics\"",
                   "\"metrics");  // of a run without any whole line
  expect_alike(file);
  EXPECT_EQ(one_by_one(file, "last").size(), 2U);
}

TEST(walk_runs, reads_a_run_beside_one_of_a_newer_version) {
  ResultFile file;
  file.add_changed(head_of("s"), "a", "\"format_version\":1", "\"format_version\":99");
  file.add(head_of("t"), "b").add(samples::point(1, 1.0), "b");
  EXPECT_EQ(one_by_one(file, "last"), together(file, "last"));
  EXPECT_EQ(one_by_one(file, "last").size(), 1U);
  EXPECT_THROW(one_by_one(file, "all"), ReadError);
}

TEST(walk_runs, passes_over_what_is_written_meanwhile) {
  ResultFile file;
  file.add(head_of("s"), "a").add(samples::point(1, 1.0), "a").add(samples::point(2, 2.0), "a");
  Lines lines;
  const auto begins = [&](const record::Run& run) {
    lines.push_back(run.id);
    file.add(samples::point(1, 9.0), "a", 2).add(head_of("s"), "b").add(samples::point(1, 3.0), "b");
  };
  walk_runs(file.path(), choice_of("all"), {begins, [&](const auto&, const auto&, const PointRecord& point) {
                                              lines.push_back(point.key);
                                            }});
  EXPECT_EQ(lines, (Lines{"a", samples::point(1, 1.0).key, samples::point(2, 2.0).key}));
}

/// Points of a file that is walked through as that of a lone run; nullopt: it is none.
std::optional<Lines> of_lone_run(const ResultFile& file) {
  Lines lines;
  const auto begins = [&](const Run& run) { lines.push_back(run.id); };
  const auto take = [&](const RunRecord& head, const Envelope& envelope, const PointRecord& point) {
    lines.push_back(head.series + to_line({envelope, point}));
  };
  return walk_lone_run(file.path(), {begins, take}) ? std::optional(lines) : std::nullopt;
}

TEST(walk_lone_run, takes_the_points_of_a_run_that_is_alone) {
  ResultFile file;
  file.add(head_of("s"), "a").add(samples::point(1, 1.0), "a").add(samples::full_point(), "a");
  const auto found = of_lone_run(file.add(samples::full_end(), "a"));
  ASSERT_TRUE(found);
  Lines expected{"a"};
  for (const std::string& line : together(file, "last")) expected.push_back(line);
  EXPECT_EQ(*found, expected);
  EXPECT_EQ(expected.size(), 3U);
}

TEST(walk_lone_run, leaves_files_that_hold_more) {
  ResultFile twice, resumed, two, in_turns, headless, newer;
  twice.add(head_of(""), "a").add(samples::point(1, 1.0), "a").add(samples::point(2, 1.0), "a");
  EXPECT_TRUE(of_lone_run(twice));
  EXPECT_FALSE(of_lone_run(twice.add(samples::point(1, 2.0), "a")));
  resumed.add(head_of(""), "a").add(samples::point(1, 1.0), "a");
  EXPECT_FALSE(of_lone_run(resumed.add(head_of(""), "a", 2).add(samples::point(2, 2.0), "a", 2)));
  EXPECT_FALSE(of_lone_run(two.add(head_of(""), "a").add(samples::point(1, 1.0), "b")));
  in_turns.add(head_of(""), "a").add(samples::point(1, 1.0), "b");
  EXPECT_FALSE(of_lone_run(in_turns.add(samples::point(1, 1.0), "a")));
  EXPECT_FALSE(of_lone_run(headless.add(samples::point(1, 1.0), "a").add(head_of(""), "a")));
  newer.add(head_of(""), "a");
  EXPECT_FALSE(of_lone_run(
      newer.add_changed(samples::point(1, 1.0), "a", "\"format_version\":1", "\"format_version\":99")));
}

TEST(walk_lone_run, finds_one_key_that_comes_twice_among_many) {
  constexpr std::int64_t points = 3000;
  ResultFile file;
  file.add(head_of(""), "a");
  for (std::int64_t i = 1; i <= points; ++i) file.add(samples::point(i, 1.0), "a");
  EXPECT_EQ(of_lone_run(file).value_or(Lines()).size(), std::size_t{points} + 1);
  file.add(samples::point(1234, 2.0), "a");
  EXPECT_FALSE(of_lone_run(file));
  EXPECT_EQ(one_by_one(file, "last"), together(file, "last"));
}

/// Keys of the points of a lone run, and of those that the sieve took; nullopt: it is none.
std::optional<std::pair<Run, Lines>> without_full_points(const ResultFile& file) {
  Lines taken;
  const auto sieve = [&](const Envelope& envelope, const PointRecord& point) {
    const bool takes = point.key != samples::full_point().key;
    if (takes) taken.push_back(envelope.run + point.key);
    return takes;
  };
  FileContent told;
  auto run = read_lone_run(file.path(), sieve, told);
  return run ? std::optional(std::pair(std::move(*run), std::move(taken))) : std::nullopt;
}

TEST(read_lone_run, keeps_all_but_the_points_that_the_sieve_takes) {
  ResultFile file;
  file.add(head_of("s"), "a").add(samples::point(1, 1.0), "a").add(samples::table(2), "a");
  file.add(samples::full_point(), "a").add(samples::point(2, 1.0), "a").add(samples::full_summary(), "a");
  const auto found = without_full_points(file.add(samples::full_event(), "a").add(samples::full_end(), "a"));
  ASSERT_TRUE(found);
  const auto& [run, taken] = *found;
  EXPECT_EQ(taken, (Lines{"a" + samples::point(1, 1.0).key, "a" + samples::point(2, 1.0).key}));
  const auto whole = read_runs(file.path()).at(0);
  ASSERT_EQ(run.points.size(), 1U);
  EXPECT_EQ(to_line({run.envelopes.at(0), run.points[0]}),
            to_line({whole.envelopes.at(1), whole.points.at(1)}));
  EXPECT_EQ(run.id, whole.id);
  EXPECT_EQ(run.head.series, whole.head.series);
  EXPECT_EQ(run.tables.size(), 1U);
  EXPECT_EQ(run.summaries.size(), 1U);
  EXPECT_EQ(run.events.size(), 1U);
  EXPECT_TRUE(run.end);
  EXPECT_FALSE(without_full_points(file.add(samples::point(1, 2.0), "a"))) << "a key twice";
}

TEST(read_runs, of_a_series_are_the_launches_of_the_last_run) {
  ResultFile file;
  file.add(head_of("s"), "a").add(head_of("t"), "b").add(head_of("s"), "c");
  const auto found = read_runs(file.path(), {RunChoice::Kind::series, {}});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].id, "a");
  EXPECT_EQ(found[1].id, "c");
  EXPECT_EQ(read_runs(file.path()).at(0).id, "c");
}

/// Numbers, texts, names and blanks that one reader could see otherwise than the other; read without a library for speed
/// too, in a program of its own.
TEST(elements, are_what_the_library_reads) {
  for (const std::string line :
       {R"({"a":1,"b":-1,"c":0,"d":-0,"e":1.5,"f":1e3,"g":-2.5E-7,"h":18446744073709551615,"i":1e-400})",
        R"( { "a" : [ ] , "b" : { } , "c" : [ 1 , [ 2 , "x" ] ] , "d" : null, "e" : true , "f" : false } )",
        R"({"a":"plain","b":"esc\"aped","c":"\u00e4","ä":"ö","d":""})", R"({"":1,"a":{"a":{"a":[[[[1]]]]}}})",
        "[1,2,3]", "17", R"("text")", "18446744073709551616"}) {
    EXPECT_EQ(Elements().read(line).json().dump(), Json::parse(line).dump()) << line;
  }
}

TEST(elements, of_a_name_that_comes_twice_the_last_counts) {
  EXPECT_EQ(Elements().read(R"({"a":{"b":[1,2]},"c":2,"a":3})").json().dump(), R"({"c":2,"a":3})");
  EXPECT_EQ(Elements().read(R"([{"a":1,"a":[{"d":1}],"a":{}},4])").json().dump(), R"([{"a":{}},4])");
}

TEST(elements, keep_nothing_of_the_line_before) {
  Elements elements;
  for (const std::string broken : {"[1", R"({"a":)", R"({"a":{"b":"x"},"c")", "[[{"}) {
    EXPECT_THROW(elements.read(broken), ReadError);
    for (const std::string line : {R"({"a":[[1,{"b":"x"}]],"c":2})", "{}", R"({"c":null})"})
      EXPECT_EQ(elements.read(line).json().dump(), line);
  }
}

TEST(elements, end_at_no_byte_that_is_zero) {
  using namespace std::string_literals;
  for (const std::string& line : {"{\"a\":1}\0"s, "{\"a\":1}\0\0}"s, "\0{}"s, "{\"a\":\"\0\"}"s})
    EXPECT_THROW(Elements().read(line), ReadError) << line;
}

TEST(numbers, are_spelled_as_the_library_spells_them) {
  const std::pair<double, std::string_view> spelled[]{
      {0.0, "0.0"},
      {-0.0, "-0.0"},
      {1, "1.0"},
      {-12.5, "-12.5"},
      {1e14, "100000000000000.0"},
      {123456789012345, "123456789012345.0"},
      {1e15, "1e+15"},
      {1234567890123456, "1.234567890123456e+15"},
      {0.1, "0.1"},
      {0.00012345, "0.00012345"},
      {0.0001, "0.0001"},
      {1e-5, "1e-05"},
      {-1.5e-7, "-1.5e-07"},
      {0.1 + 0.2, "0.30000000000000004"},
      {5e-324, "5e-324"},
      {std::numeric_limits<double>::max(), "1.7976931348623157e+308"},
      {std::numeric_limits<double>::infinity(), "null"},
      {std::numeric_limits<double>::quiet_NaN(), "null"}};
  for (const auto& [number, text] : spelled) {
    EXPECT_EQ(Json(number).dump(), text);
    EXPECT_EQ(Json(number).dump(-1, Json::Letters::ascii), text);  // by the library
  }
}

TEST(numbers, read_back_as_they_were) {
  std::uint64_t bits = 1;
  for (int i = 0; i < 20'000; ++i) {
    bits = bits * 6364136223846793005 + 1442695040888963407;
    const auto number = std::bit_cast<double>(bits);
    if (!std::isfinite(number)) continue;
    const Json json(number);
    EXPECT_EQ(Json::parse(json.dump()).get<double>(), number);
    EXPECT_LE(json.dump().size(), json.dump(-1, Json::Letters::ascii).size());
  }
}

TEST(elements, are_refused_where_the_library_refuses) {
  for (const std::string line : {"",
                                 "{",
                                 "{}}",
                                 "[1,]",
                                 R"({"a":01})",
                                 R"({"a":1.})",
                                 R"({"a":.5})",
                                 R"({"a":+1})",
                                 R"({"a":1e})",
                                 R"({"a" 1})",
                                 R"({a:1})",
                                 R"({"a":1,})",
                                 R"(["a)",
                                 "[1 2]",
                                 "tru",
                                 "nul",
                                 "{\"a\":\"\n\"}",
                                 "[-]",
                                 "1e999",
                                 "[\"\xff\"]"}) {
    EXPECT_THROW(static_cast<void>(Json::parse(line)), JsonError) << line;
    EXPECT_THROW(Elements().read(line), ReadError) << line;
  }
}

TEST(sha256, of_pieces_is_that_of_the_whole) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += static_cast<char>(i);
  for (const std::size_t piece : {1U, 55U, 56U, 63U, 64U, 65U, 200U}) {
    Sha256 sum;
    for (std::size_t at = 0; at < text.size(); at += piece) sum.add(std::string_view(text).substr(at, piece));
    EXPECT_EQ(sum.text(), sha256(text)) << piece;
  }
}

}  // namespace
}  // namespace steelyard::record
