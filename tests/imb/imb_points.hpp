// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <locale>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/imb/text.hpp"
#include "record/records.hpp"

/// Records for the tests of writers.
namespace steelyard::formats {

/// The part of an IMB run that its text depends on.
struct ImbRun {
  std::string suite = "imb-mpi1";
  std::string version = "3.1";
  std::optional<int> multi = {};
  std::string map = {};  // "2x3"; empty = none
  bool check = false;
  bool show_tail = false;
  bool user_sizes = false;
  std::int64_t listed_sizes = 0;
  std::int64_t min_byte = 0, max_byte = 4194304;
  std::int64_t off_cache_byte = 0, off_cache_line_byte = 0;
  std::string remarks = {};
  std::vector<std::string> benchmarks = {"PingPong", "Allreduce"};
  int world = 2;
};
[[nodiscard]] record::RunRecord run_record(const ImbRun& run = {});

/// One row of a table. Numbers in microseconds and byte/s, as they come to lie in `classic`.
struct ImbPoint {
  std::string benchmark = "PingPong";
  int processes = 2;
  int groups = 1;
  std::optional<std::int64_t> byte = 0;
  std::optional<int> group = {};
  std::string map = {};
  std::string mode = {};  // "aggregate"
  std::string suite = "imb-mpi1";
  std::int64_t repetitions = 1000;
  double t_min_us = 1, t_max_us = 3, t_avg_us = 2;
  std::optional<double> bandwidth_byte_s = {}, message_rate_op_s = {}, defects = {};
  std::vector<double> tail_us = {};
};
[[nodiscard]] record::PointRecord point_record(const ImbPoint& point = {});

/// The same point without a result.
[[nodiscard]] record::PointRecord no_result(const ImbPoint& point, record::Status status,
                                            record::Reason reason);

/// A reason with nothing but these two.
[[nodiscard]] record::Reason because(record::ReasonCode code, std::string text = "");

[[nodiscard]] record::EndRecord end_record(std::int64_t failed = 0, std::string status = "complete");

/// A point that its table's time limit has ended, as the engine records it.
[[nodiscard]] record::PointRecord out_of_time(const ImbPoint& point);

/// What a writer makes of these records; without end record if none is given.
[[nodiscard]] std::string imb_output(const record::RunRecord& run,
                                     const std::vector<record::PointRecord>& points,
                                     const std::optional<record::EndRecord>& end = std::nullopt,
                                     const ImbTextOptions& options = {});
/// The same from the first banner on.
[[nodiscard]] std::string imb_tables(const ImbRun& run, const std::vector<ImbPoint>& points);

/// Dates and numbers with decimals replaced by placeholders of fixed width, so that layouts can be compared.
[[nodiscard]] std::string masked(const std::string& text);

/// Numbers as 1.234,5.
struct Commas : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
  char do_thousands_sep() const override { return '.'; }
  std::string do_grouping() const override { return "\3"; }
};

/// A text in which ~ at the end of a line stands for a blank.
[[nodiscard]] std::string visible_blanks(std::string text);

}  // namespace steelyard::formats
