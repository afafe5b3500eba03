// SPDX-License-Identifier: Apache-2.0
// Tables in every form; hostile texts stay texts.
#include <gtest/gtest.h>

#include <clocale>

#include "formats/tables/tables.hpp"
#include "record/json.hpp"

namespace steelyard::formats {
namespace {

using analysis::Audience;
using analysis::Cell;
using analysis::ColumnKind;

analysis::Tables sample(const std::string& name = "a,\"b\"") {
  analysis::Section section{"s", "Title", {"A sentence."}, {}, {"a note"}};
  section.table = {"t",
                   {{"name", "name", "", ColumnKind::text},
                    {"value", "value", "GB/s", ColumnKind::number},
                    {"flags", "", "", ColumnKind::flags},
                    {"hidden", "hidden", "", ColumnKind::number, Audience::programs}},
                   {},
                   "value"};
  Cell doubtful(295.3);
  doubtful.doubtful = true;
  section.table.rows = {{name, 0.39401906, std::string(), 1}, {"b", doubtful, "V1", 2}, {"c", {}, {}, 3}};
  return {section};
}

TEST(text_form, numbers_have_three_digits_and_doubts_parentheses) {
  EXPECT_EQ(tables_text(sample("a")),
            "Title\n-----\nA sentence.\nname  value\n       GB/s\na     0.394\nb     (295)  [V1]\na note\n");
}

TEST(text_form, control_characters_do_not_reach_the_terminal) {
  const auto evil = sample("\x1b[31mred\rred\x7f");
  for (const std::string& text : {tables_text(evil), tables_markdown(evil)})
    EXPECT_EQ(text.find_first_of("\x1b\r\x7f"), std::string::npos) << text;
}

TEST(every_form, shows_control_characters_by_their_escape) {
  const auto evil = sample("\x1b[31m\xc2\x9b");
  for (const std::string& text :
       {tables_text(evil), tables_csv(evil, "t"), tables_html(evil), tables_latex(evil, "t")}) {
    EXPECT_NE(text.find("x1b"), std::string::npos) << text;
    EXPECT_NE(text.find("u009b"), std::string::npos) << text;
    EXPECT_EQ(text.find_first_of("\x1b\x9b"), std::string::npos) << text;
  }
}

TEST(text_form, a_word_longer_than_a_line_keeps_no_other_text_from_being_broken) {
  analysis::Section section{"s", "", {}, {"t", {}, {}, {}}, {}};
  section.table.columns = {{"name", "name", "", ColumnKind::text}, {"value", "value", "", ColumnKind::text}};
  const std::string long_word(60, 'x');
  section.table.rows = {{"caches", long_word}, {"select", "hpcc/HPL hpcc/StarDGEMM hpcc/PTRANS"}};
  EXPECT_EQ(section_text(section, 36), "name    value\ncaches  " + long_word +
                                           "\nselect  hpcc/HPL hpcc/StarDGEMM\n        hpcc/PTRANS\n");
}

TEST(csv_form, every_row_and_the_whole_number) {
  EXPECT_EQ(tables_csv(sample(), "t"),
            "name,value,flags,hidden\n\"a,\"\"b\"\"\",0.39401906,,1\nb,295.3,V1,2\nc,,,3\n");
  EXPECT_EQ(tables_csv(sample(), "other"), "");
}

TEST(json_form, nothing_is_null) {
  const auto json = tables_json(sample());
  EXPECT_EQ(json[0]["rows"][0][1], 0.39401906);
  EXPECT_TRUE(json[0]["rows"][2][1].is_null());
  EXPECT_EQ(json[0]["columns"][1]["unit"], "GB/s");
}

TEST(markup_forms, names_stay_texts) {
  const std::string evil = "</script><img src=x onerror=alert(1)>|`x`";
  const std::string html = tables_page(sample(evil), evil), markdown = tables_markdown(sample(evil));
  EXPECT_EQ(html.find("<img"), std::string::npos);
  EXPECT_EQ(html.find("</script"), std::string::npos);
  EXPECT_EQ(html.find("http"), html.find("http-equiv"));
  EXPECT_EQ(markdown.find("<img"), std::string::npos);
  EXPECT_NE(markdown.find("\\|\\`x\\`"), std::string::npos);
}

TEST(all_forms, do_not_depend_on_the_locale) {
  const std::string text = tables_text(sample()), csv = tables_csv(sample(), "t");
  if (std::setlocale(LC_ALL, "de_DE.UTF-8") == nullptr) GTEST_SKIP() << "no locale with a decimal comma here";
  EXPECT_EQ(tables_text(sample()), text);
  EXPECT_EQ(tables_csv(sample(), "t"), csv);
  std::setlocale(LC_ALL, "C");
}

}  // namespace
}  // namespace steelyard::formats
