// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <sstream>
#include <stdexcept>

#include "record/json.hpp"
#include "record/records.hpp"
#include "samples.hpp"

namespace steelyard::record {
namespace {

/// Columns of the table whose rows these parts hold, in this order.
Json joined(std::vector<TableRecord> parts) {
  for (std::size_t i = 1; i < parts.size(); ++i) EXPECT_TRUE(append_rows(parts[0], parts[i]));
  return parts.at(0).columns.json();
}

TEST(split_table, table_that_fits_stays_whole) {
  EXPECT_EQ(split_table(samples::table(100)).size(), 1U);
  EXPECT_EQ(split_table(samples::table(0)).size(), 1U);
}

TEST(split_table, parts_fit_into_lines_and_join_to_the_whole) {
  const TableRecord whole = samples::table(100000);
  const auto parts = split_table(whole);
  ASSERT_GT(parts.size(), 2U);
  for (const TableRecord& part : parts) {
    EXPECT_LT(to_line(samples::enveloped(part)).size(), max_line_byte);
    EXPECT_EQ(part.parts, static_cast<int>(parts.size()));
    EXPECT_EQ(part.key, whole.key);
  }
  EXPECT_EQ(joined(parts), whole.columns.json());
}

TEST(split_table, columns_of_different_length_are_refused) {
  TableRecord table = samples::table(3);
  table.columns.json()["from_rank"].push_back(1);
  EXPECT_THROW((void)split_table(table), std::domain_error);
  table.columns = Document();
  EXPECT_THROW((void)split_table(table), std::domain_error);
  table.columns = Json{{"from_rank", 1}};
  EXPECT_THROW((void)split_table(table), std::domain_error);
}

TEST(split_table, row_that_fits_nowhere_is_refused) {
  TableRecord table = samples::table(1);
  table.columns.json()["from_rank"][0] = std::string(max_line_byte, 'x');
  EXPECT_THROW((void)split_table(table), WriteError);
}

TEST(append_rows, parts_with_other_columns_are_refused) {
  auto parts = split_table(samples::table(100000));
  const Json first = parts[0].columns.json();
  parts[1].columns.json().erase("latency_s");
  EXPECT_FALSE(append_rows(parts[0], parts[1]));
  EXPECT_EQ(parts[0].columns.json(), first);
}

TEST(writer, long_table_is_written_in_parts) {
  std::ostringstream out;
  Writer writer(out, samples::run_id, 1, 0);
  writer.write(samples::table(100000));
  std::istringstream lines(out.str());
  std::vector<TableRecord> parts;
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LT(line.size(), max_line_byte);
    parts.push_back(std::get<TableRecord>(from_line(line)->body));
  }
  EXPECT_EQ(joined(parts), samples::table(100000).columns.json());
}

}  // namespace
}  // namespace steelyard::record
