// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "formats/imb/head.hpp"
#include "suites/imb/definition.hpp"

namespace steelyard::formats {

/// Benchmark and processes of a table.
struct ImbBanner {
  std::string benchmark;  // plain name
  int processes = 1;      // of one group
  int groups = 1;
  int world = 1;
  std::optional<std::pair<int, int>> map;
  imb::Mode mode = imb::Mode::none;
  std::string grid = {};                                  // "3x2", of neighbours in a grid
  std::optional<std::int64_t> threads = {}, window = {};  // of IMB-MT
  std::string topology = {};                              // "3x2", of collectives of neighbours
  std::optional<std::int64_t> neighbours = {};

  friend bool operator==(const ImbBanner&, const ImbBanner&) = default;
};

/// Printed name: "PingPong", or "Multi-PingPong" with more than one group, "Stencil2D (3 x 2)" on a grid.
[[nodiscard]] std::string printed_name(const ImbBanner& banner);

/// Lines between the two rules of a table, with rules of `width` characters and the empty line before, and
/// the mode of a benchmark that has modes.
[[nodiscard]] std::string imb_banner(const ImbBanner& banner, int width);

/// Text in place of a table of threads that none of the processes can run.
[[nodiscard]] std::string imb_no_executions(const std::string& benchmark, int width);

/// One value of a row: a member of the point's classic values.
struct ImbColumn {
  enum class Scale { one, microseconds, megabytes };

  std::string_view heading;
  std::string_view member;
  int decimals = 2;
  Scale scale = Scale::microseconds;
  bool zero_if_absent = false;
  double least = 0;                 // a smaller value that is not zero is printed as this
  std::string_view parameter = {};  // of the point, instead of a classic value
};

/// Columns of a kind of tables, after the group and the size.
struct ImbLayout {
  bool sized = true;      // has #bytes
  bool checkable = true;  // may have defects
  std::span<const ImbColumn> columns;
};

/// Form of the rows of one table.
struct ImbTable {
  const ImbLayout* layout = nullptr;
  std::string_view size_name = "message_byte";  // of the points' parameters
  bool by_thread = false;                       // #bytes are those of all threads of a process
  bool group = false;                           // column Group, with -multi 1
  bool defects = false;                         // last column, with results checking
  imb::Version version = imb::Version::v31;
};
[[nodiscard]] ImbTable imb_table(std::string_view benchmark, const ImbSetup& setup, imb::Version version);

/// Number of characters of a row, which is also the length of the rules.
[[nodiscard]] int width(const ImbTable& table);
[[nodiscard]] std::string heading(const ImbTable& table);
/// Group and size of a row, 13 characters each; blanks if the table has neither.
[[nodiscard]] std::string row_begin(const ImbTable& table, const record::PointRecord& point);
/// Row of numbers; "-" stands for a number that the record lacks.
[[nodiscard]] std::string row(const ImbTable& table, const record::PointRecord& point);

}  // namespace steelyard::formats
