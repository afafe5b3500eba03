// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "record/file.hpp"
#include "record/json.hpp"
#include "report/report.hpp"

/// Points as a report needs them. Internal to this folder.
namespace steelyard::report {

struct Row {
  const record::PointRecord* point = nullptr;
  std::size_t run = 0;       // of ReportInput::runs
  std::string variant = {};  // parameters other than the length that vary: "op=MPI_SUM mode=aggregate"
  std::optional<double> length_byte = {};
  std::optional<double> median = {}, low = {}, high = {}, p99 = {}, max = {},
                        n = {};       // of the primary metric
  std::optional<double> byte_s = {};  // where the primary metric is none
};

/// "4 threads", as a variant names them; empty for one.
[[nodiscard]] std::string threads_words(const record::PointRecord& point);

/// A parameter as a word; empty for null.
[[nodiscard]] std::string word(const record::Value& value);

/// Rows of all points of all runs, run by run in the order of the records.
[[nodiscard]] std::vector<Row> rows(const std::vector<record::Run>& runs);

/// Rows of one benchmark of one suite that tell the same metric.
struct Benchmark {
  std::string suite, name, metric;  // metric: the primary one of its points
  std::vector<const Row*> rows;
  bool only = true;  // the benchmark has no other primary metric
};
/// Benchmarks in the order of their first points, metrics of one benchmark one after the other. Points
/// without a metric stand with the first one.
[[nodiscard]] std::vector<Benchmark> benchmarks(const std::vector<Row>& rows);

/// Meaning of a flag of a point; of an unknown flag its words.
[[nodiscard]] std::string sentence_of(const std::string& flag);

/// Unit that a value is shown in: factor from the base unit, and the unit's name. Times in us or ms, rates
/// with a decimal prefix; by the largest of the values.
struct Scale {
  double factor = 1;
  std::string unit;
};
[[nodiscard]] Scale scale_of(std::string_view base_unit, double largest);

/// `count` indices of 0 .. size - 1, evenly spread, the ends among them; all where there are no more.
[[nodiscard]] std::vector<std::size_t> evenly(std::size_t size, std::size_t count);
/// `count` indices of a list, in order: first of those that are said to matter, then of others, each evenly spread.
[[nodiscard]] std::vector<std::size_t> evenly(const std::vector<bool>& matters, std::size_t count);

// Free-form members of records as words. Internal to this folder.

/// A value in words, lists with blanks between; at most 300 bytes and dots. Empty for null.
[[nodiscard]] std::string text_of(const record::Json& json);

/// The member at a JSON pointer ("/build/flags"); empty where there is none.
[[nodiscard]] std::string at(const record::Document& document, const char* pointer);

}  // namespace steelyard::report
