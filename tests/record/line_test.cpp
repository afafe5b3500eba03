// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <limits>
#include <random>

#include "record/conversion.hpp"
#include "record/json.hpp"
#include "record/written.hpp"
#include "samples.hpp"

namespace steelyard::record {
namespace {

using testing::HasSubstr;

std::string refusal(const std::string& line) {
  try {
    (void)from_line(line);
  } catch (const ReadError& error) {
    return error.what();
  }
  return "accepted";
}

/// A line of that record after a change of its JSON.
template <class Change>
std::string changed(const Body& body, Change change) {
  Json json = Json::parse(to_line(samples::enveloped(body)));
  change(json);
  return json.dump();
}

TEST(from_line, unknown_members_are_ignored) {
  const std::string line = changed(samples::full_point(), [](Json& j) {
    j["x_new"] = {{"deep", {1, 2}}};
    j["schedule"]["x_more"] = 1;
    j["metrics"]["time_s"]["x_p999"] = 2.0;
  });
  EXPECT_EQ(to_line(*from_line(line)), to_line(samples::enveloped(samples::full_point())));
}

TEST(from_line, unknown_type_gives_nothing) {
  EXPECT_EQ(from_line(changed(samples::full_event(), [](Json& j) { j["type"] = "hologram"; })), std::nullopt);
}

TEST(from_line, higher_version_is_refused_with_both_versions) {
  const std::string text = refusal(changed(samples::full_event(), [](Json& j) { j["format_version"] = 12; }));
  EXPECT_THAT(text, HasSubstr("12"));
  EXPECT_THAT(text, HasSubstr("version 1,"));
}

TEST(from_line, higher_version_is_refused_before_anything_else_is_looked_at) {
  const std::string line = R"({"format":"steelyard.result","format_version":2,"type":"new"})";
  EXPECT_THAT(refusal(line), HasSubstr("newer than version 1"));
}

TEST(from_line, other_json_is_refused) {
  EXPECT_THAT(refusal("{}"), HasSubstr("'format'"));
  EXPECT_THAT(refusal("[1]"), HasSubstr("'record'"));
  EXPECT_THAT(refusal("17"), HasSubstr("'record'"));
  EXPECT_THAT(refusal(R"({"format":"other","format_version":1,"type":"run"})"), HasSubstr("'format'"));
}

TEST(from_line, broken_json_is_refused) {
  EXPECT_THAT(refusal(""), HasSubstr("not valid JSON"));
  EXPECT_THAT(refusal("{\"format\":"), HasSubstr("not valid JSON"));
  EXPECT_THAT(refusal(std::string(4096, '\0')), HasSubstr("not valid JSON"));
  EXPECT_THAT(refusal("{\"a\":NaN}"), HasSubstr("not valid JSON"));
  EXPECT_THAT(refusal("{\"a\":1e999}"), HasSubstr("not valid JSON"));
  EXPECT_THAT(refusal("{\"a\":\"\xff\"}"), HasSubstr("not valid JSON"));
}

TEST(from_line, text_that_is_not_json_is_shown_in_our_own_words) {
  EXPECT_EQ(refusal("hello world"),
            "not valid JSON, as every line of a result file is: wrong at character 1 of 'hello world'");
  for (const char* text : {"", "\x01\x02", "{\"a\":", "{\"a\":1e999}"})
    EXPECT_THAT(refusal(text), testing::Not(HasSubstr("json.exception")));
}

TEST(from_line, deep_nesting_is_refused_before_it_can_exhaust_the_stack) {
  EXPECT_THAT(refusal(std::string(900000, '[')), HasSubstr("nested"));
  EXPECT_THAT(refusal(changed(samples::full_event(), [](Json& j) { j["text"] = std::string(900, '['); })),
              "accepted");
}

TEST(from_line, wrong_kind_of_member_is_named) {
  const Body point = samples::full_point();
  EXPECT_THAT(refusal(changed(point, [](Json& j) { j["processes"] = "two"; })), HasSubstr("'processes'"));
  EXPECT_THAT(refusal(changed(point, [](Json& j) { j["processes"] = 2.5; })), HasSubstr("'processes'"));
  EXPECT_THAT(refusal(changed(point, [](Json& j) { j["processes"] = 1e15; })), HasSubstr("'processes'"));
  EXPECT_THAT(refusal(changed(point, [](Json& j) { j["seq"] = 18446744073709551615U; })), HasSubstr("'seq'"));
  for (const std::int64_t seq : {std::int64_t{-1}, std::numeric_limits<std::int64_t>::max()})
    EXPECT_THAT(refusal(changed(point, [seq](Json& j) { j["seq"] = seq; })), HasSubstr("'seq'"));
  EXPECT_THAT(refusal(changed(point, [](Json& j) { j["status"] = "great"; })), HasSubstr("'status'"));
  EXPECT_THAT(refusal(changed(point, [](Json& j) { j["metrics"]["time_s"] = "fast"; })),
              HasSubstr("'time_s'"));
  EXPECT_THAT(refusal(changed(point,
                              [](Json& j) {
                                j["metrics"]["time_s"]["ci"] = {1, 2, 3};
                              })),
              HasSubstr("'ci'"));
  EXPECT_THAT(refusal(changed(point,
                              [](Json& j) {
                                j["group_ranks"] = {{0, "x"}};
                              })),
              HasSubstr("'group_ranks'"));
  EXPECT_THAT(refusal(changed(point, [](Json& j) { j["check"] = 5; })), HasSubstr("'check'"));
}

TEST(from_line, required_member_that_is_missing_is_named) {
  for (const char* name :
       {"type", "run", "session", "seq", "at_s", "key", "suite", "benchmark", "status", "processes"}) {
    const std::string line = changed(samples::full_point(), [name](Json& j) { j.erase(name); });
    EXPECT_THAT(refusal(line), HasSubstr(std::string("'") + name + "' is missing"));
  }
}

TEST(from_line, whole_number_written_as_a_decimal_is_accepted) {
  const auto record = from_line(changed(samples::full_point(), [](Json& j) { j["processes"] = 8.0; }));
  EXPECT_EQ(std::get<PointRecord>(record->body).processes, 8);
}

TEST(from_line, reason_code_of_a_later_version_keeps_its_text) {
  const auto record =
      from_line(changed(samples::full_point(), [](Json& j) { j["reason"]["code"] = "meteor"; }));
  EXPECT_EQ(std::get<PointRecord>(record->body).reason->text, "text");
}

TEST(hostile_text, every_byte_survives_or_becomes_the_replacement_character) {
  std::string all;
  for (int c = 0; c < 128; ++c) all += static_cast<char>(c);
  all += "\u00e9\u2028\U0001F600";
  EventRecord event = samples::full_event();
  event.text = all;
  const std::string line = samples::line_of(samples::enveloped(event));
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_EQ(std::get<EventRecord>(from_line(line)->body).text, all);
}

TEST(hostile_text, invalid_utf8_becomes_replacement_characters_everywhere) {
  RunRecord run = samples::full_run();
  run.command = {"steelyard", "\xff\xfe", "a\xc3(", "\xed\xa0\x80"};
  run.labels = {{"\x80", "\xc0\xaf"}};
  run.machine = Json{{"processor", "\xf4\x90\x80\x80"}};
  const std::string line = samples::line_of(samples::enveloped(run));
  const auto again = std::get<RunRecord>(from_line(line)->body);
  EXPECT_EQ(again.command[1], "\uFFFD\uFFFD");
  EXPECT_EQ(again.command[2], "a\uFFFD(");
  EXPECT_EQ(again.labels[0].first, "\uFFFD");
  EXPECT_EQ(valid_utf8("plain \u00e9"), "plain \u00e9");
  EXPECT_EQ(valid_utf8("a\xff"), "a\uFFFD");
}

TEST(hostile_text, is_replaced_where_the_library_does) {
  const std::string begins(
      "\x41\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0\xc1\xc2\xdf\xe0\xe1\xec\xed\xee\xef\xf0\xf1\xf3\xf4\xf5\xff");
  const std::string follows("\x41\x80\x8f\x90\x9f\xa0\xbf\xc2");
  const auto check = [](const std::string& text) {
    EXPECT_EQ(valid_utf8(text), Json::parse(Json(text).dump()).get<std::string>())
        << testing::PrintToString(text);
  };
  for (const char a : begins)
    for (const char b : follows)
      for (const char c : follows) {
        for (const char d : follows) check({a, b, c, d});
        check({'x', a, b, c});
        check({a, b, c});
        check({a, b});
      }
  for (const char a : begins) check({'x', a});
}

TEST(hostile_text, tabs_in_the_version_of_an_mpi_library_become_blanks) {
  EXPECT_EQ(one_line("MPICH Version:\t4.0.2"), "MPICH Version: 4.0.2");
  EXPECT_EQ(one_line("\n MPICH \t\x01\x7f 4\u00e9 \n"), "MPICH 4\u00e9");
  EXPECT_EQ(one_line(" \t"), "");
  RunRecord run = samples::full_run();
  run.mpi = Json{{"library", "MPICH Version:\t4.0.2"}, {"standard", "4.0"}, {"settings", {{"a", "\t"}}}};
  const auto again = std::get<RunRecord>(from_line(samples::line_of(samples::enveloped(run)))->body);
  EXPECT_EQ(again.mpi.json().at("library"), "MPICH Version: 4.0.2");
  EXPECT_EQ(again.mpi.json().at("settings").at("a"), "\t");
}

PointRecord point_without_documents() {
  PointRecord point = samples::full_point();
  point.check->first = {};
  point.imported = {};
  return point;
}

std::vector<std::string> seeds() {
  std::vector<std::string> lines;
  for (const Body& body : samples::full_bodies()) lines.push_back(to_line(samples::enveloped(body)));
  lines.push_back(to_line(samples::enveloped(point_without_documents())));
  return lines;
}

/// What a line says to a reader: its record, or why it is refused.
template <class Read>
std::string said(const Read& read) {
  try {
    const std::optional<Record> record = read();
    return record ? to_line(*record) : "a record of unknown type";
  } catch (const ReadError& error) {
    return error.what();
  }
}

/// Whether a line says the same where it is read as a text and where a tree is made of it.
void expect_alike(const std::string& line) {
  EXPECT_EQ(said([&] { return from_line(line); }), said([&] {
              std::optional<Record> record;
              detail::Elements elements;
              detail::read_tree(elements.read(line), record);
              return record;
            }))
      << line;
}

TEST(from_line, points_as_they_are_written_need_no_tree) {
  for (const PointRecord& point :
       {point_without_documents(), samples::bare_point(), samples::failed_point(), samples::point(8)}) {
    const std::string line = to_line(samples::enveloped(point, 7, 2));
    std::optional<Record> read;
    ASSERT_TRUE(detail::read_as_written(line, read)) << line;
    EXPECT_EQ(to_line(*read), line);
  }
}

TEST(from_line, beginning_of_a_point_is_known_without_what_is_behind_it) {
  const std::string line = to_line(samples::enveloped(samples::point(8), 7, 2));
  for (const std::string& text : {line, line.substr(0, line.find(R"(,"suite")"))}) {
    const auto found = detail::beginning_of_point(text);
    ASSERT_TRUE(found) << text;
    EXPECT_EQ(found->run, samples::run_id);
    EXPECT_EQ(found->session, 2);
    EXPECT_EQ(found->seq, 7);
    EXPECT_EQ(found->key, samples::point(8).key);
  }
}

TEST(from_line, beginnings_of_other_lines_are_not_taken_for_that_of_a_point) {
  const std::string line = to_line(samples::enveloped(samples::point(8), 7, 2));
  for (const auto& [word, by] : {std::pair(R"("type":"point")", R"("type":"table")"),
                                 {R"("seq":7)", R"("seq":-7)"},
                                 {R"("seq":7)", R"("seq":7.0)"},
                                 {R"("seq":7)", R"("seq": 7)"},
                                 {R"("key":")", R"("key":"\u0041)"},
                                 {R"("key":")", R"("name":")"},
                                 {R"("run":")", R"("run":7,"id":")"},
                                 {R"("format_version":1)", R"("format_version":2)"}}) {
    std::string changed = line;
    changed.replace(changed.find(word), std::string_view(word).size(), by);
    EXPECT_FALSE(detail::beginning_of_point(changed)) << changed;
  }
  EXPECT_FALSE(detail::beginning_of_point(line.substr(0, line.find(R"(","suite")"))));
  EXPECT_FALSE(detail::beginning_of_point(""));
}

TEST(from_line, a_point_has_nothing_of_the_one_whose_memory_it_takes) {
  auto other = point_without_documents();
  other.params = {
      {"a", 1.5}, {"message_byte", std::int64_t{4}}, {"z", std::string("a longer word of a parameter")}};
  std::get<Statistics>(other.metrics.front().second).batches.clear();
  std::vector<std::string> lines;
  for (const PointRecord& point :
       {point_without_documents(), other, samples::bare_point(), samples::failed_point(), samples::point(8)})
    lines.push_back(to_line(samples::enveloped(point, 7, 2)));
  lines.push_back(lines.back());
  const std::string_view counts = R"("threads":1,"groups":1,)";
  lines.back().erase(lines.back().find(counts), counts.size());
  for (const std::string& before : lines)
    for (const std::string& line : lines) {
      std::optional<Record> read;
      ASSERT_TRUE(detail::read_as_written(before, read));
      ASSERT_TRUE(detail::read_as_written(line, read));
      EXPECT_EQ(to_line(*read), to_line(*from_line(line))) << before;
    }
}

TEST(from_line, what_is_not_as_written_is_left_to_the_tree) {
  const std::string line = to_line(samples::enveloped(samples::point(8)));
  for (const auto& [word, by] : {std::pair(R"("key":)", R"("key":"x","key":)"),
                                 {R"("params":{)", R"("params":{"message_byte":1,)"},
                                 {R"("metrics":{)", R"("metrics":{"time_s":1,)"},
                                 {R"("seq":0)", R"("seq":0.0)"},
                                 {R"("seq":0)", R"("seq":-0)"},
                                 {R"("seq":0)", R"("seq":-1)"},
                                 {R"("at_s":0.0)", R"("at_s":1e400)"},
                                 {R"("at_s":0.0)", R"("at_s":01.0)"},
                                 {R"("at_s":0.0)", R"("at_s":1234567890123456789)"},
                                 {R"("status":"ok")", R"("status":"good")"},
                                 {R"("benchmark":")", R"("benchmark":"\u0041)"},
                                 {R"("benchmark":")", "\"benchmark\":\"\x01"},
                                 {R"("benchmark":")", "\"benchmark\":\"\u00e9"},
                                 {R"({"format")", R"( {"format")"},
                                 {R"("suite")", R"("x_new":[1],"suite")"}}) {
    std::string changed = line;
    const auto at = changed.find(word);
    ASSERT_NE(at, std::string::npos) << word << " in " << line;
    changed.replace(at, std::string_view(word).size(), by);
    std::optional<Record> read;
    EXPECT_FALSE(detail::read_as_written(changed, read)) << changed;
    expect_alike(changed);
  }
}

TEST(from_line, lines_behind_one_that_is_not_as_written_are_read_all_the_same) {
  detail::Elements elements;
  std::optional<Record> read;
  for (int i = 0; i < 100; ++i) {
    const std::string line = to_line(samples::enveloped(samples::point(i), i));
    detail::read_line(i % 50 == 3 ? ' ' + line : line, elements, read);
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(to_line(*read), line);
  }
}

TEST(from_line, numbers_of_a_text_are_the_nearest_ones) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 20000; ++round) {
    std::string text = std::to_string(random() >> random() % 60);
    text.insert(1, ".");
    if (text.size() == 2) text += '0';
    if (round % 2 == 0) text.insert(0, "-");
    if (round % 3 != 0) text += "e" + std::to_string(static_cast<int>(random() % 80) - 40);
    double nearest = 0;
    std::from_chars(text.data(), text.data() + text.size(), nearest);
    detail::WrittenText written(text);
    const auto number = written.number();
    ASSERT_FALSE(number.is_whole) << text;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(number.real), std::bit_cast<std::uint64_t>(nearest)) << text;
    ASSERT_TRUE(written.is_at_end()) << text;
  }
}

TEST(from_line, a_changed_character_says_the_same_with_a_tree_and_without) {
  constexpr std::string_view others = "\"0-,}e.\xff";
  const std::string line = to_line(samples::enveloped(point_without_documents()));
  for (std::size_t at = 0; at < line.size(); ++at) {
    std::string changed = line;
    changed[at] = others[at % others.size()];
    expect_alike(changed);
  }
}

/// Either refused as ReadError or read to something that can be written and read again.
void expect_sane(const std::string& line) {
  expect_alike(line);
  try {
    const auto record = from_line(line);
    if (!record) return;
    EXPECT_NO_THROW((void)from_line(to_line(*record))) << line;
  } catch (const ReadError&) {
    SUCCEED();
  }
}

TEST(fuzz, every_truncation_is_refused) {
  for (const std::string& line : seeds()) {
    for (std::size_t length = 0; length < line.size(); ++length) {
      EXPECT_THROW((void)from_line(line.substr(0, length)), ReadError);
    }
  }
}

TEST(fuzz, mutated_bytes_never_crash) {
  const std::string alphabet = "{}[]\",:.-+eE0123456789truefalsn\\u/ \n\t\x01\x80\xff";
  const auto lines = seeds();
  std::mt19937 random(1);
  const auto below = [&random](std::size_t n) { return random() % n; };
  for (int round = 0; round < 8000; ++round) {
    std::string line = lines[below(lines.size())];
    for (std::size_t edits = 1 + below(4); edits > 0; --edits) {
      const std::size_t at = below(line.size());
      const char c = alphabet[below(alphabet.size())];
      const auto kind = below(3);
      if (kind == 0) line[at] = c;
      if (kind == 1) line.insert(at, 1, c);
      if (kind == 2 && line.size() > 1) line.erase(at, 1 + below(8));
    }
    expect_sane(line);
  }
}

Json& some_member(Json& json, std::mt19937& random) {
  Json* at = &json;
  while (at->is_structured() && !at->empty() && (at == &json || random() % 4 != 0)) {
    auto next = at->begin();
    std::advance(next, static_cast<std::ptrdiff_t>(random() % at->size()));
    at = &*next;
  }
  return *at;
}

TEST(fuzz, members_of_any_other_kind_never_crash) {
  const std::vector<Json> kinds{nullptr,
                                true,
                                -1,
                                1e300,
                                18446744073709551615U,
                                "",
                                "text",
                                Json::array(),
                                Json::array({1, "a"}),
                                Json::object(),
                                Json{{"rule", 1}},
                                Json{{"median", "x"}}};
  const auto lines = seeds();
  std::mt19937 random(2);
  for (int round = 0; round < 4000; ++round) {
    Json json = Json::parse(lines[random() % lines.size()]);
    some_member(json, random) = kinds[random() % kinds.size()];
    expect_sane(json.dump());
  }
}

}  // namespace
}  // namespace steelyard::record
