// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "record/clipped.hpp"

/// Result of an analysis before it has any form: terminal text, CSV, JSON, Markdown and HTML render the same
/// object, so that they show the same numbers.
namespace steelyard::analysis {

enum class ColumnKind { text, number, flags };
/// Audience of a column. Forms for the eye leave out columns that repeat in every row; forms for programs
/// leave out wording.
enum class Audience { all, readers, programs };

struct Column {
  std::string key;    // member name in JSON, heading in CSV
  std::string title;  // heading for the eye
  std::string unit;   // of all numbers of the column; empty: none, or told by another column
  ColumnKind kind = ColumnKind::text;
  Audience shown = Audience::all;
};

/// Column for programs alone, whose key says what it is.
[[nodiscard]] inline Column for_programs(const char* key, ColumnKind kind = ColumnKind::number) {
  return {key, key, "", kind, Audience::programs};
}

/// Cell of a table; empty: not available.
struct Cell {
  using Value = std::variant<std::monostate, std::string, std::int64_t, double>;
  Cell() = default;
  Cell(std::string text) : value(std::move(text)) {}    // NOLINT(google-explicit-constructor)
  Cell(const char* text) : value(std::string(text)) {}  // NOLINT(google-explicit-constructor)
  Cell(double number) : value(number) {}                // NOLINT(google-explicit-constructor)
  Cell(std::int64_t count) : value(count) {}            // NOLINT(google-explicit-constructor)
  Cell(int count) : value(std::int64_t{count}) {}       // NOLINT(google-explicit-constructor)
  template <class T>
  Cell(const std::optional<T>& held) {  // NOLINT(google-explicit-constructor)
    if (held) *this = Cell(*held);
  }
  /// Cell of a number that counts.
  [[nodiscard]] static Cell whole(const std::optional<double>& number) {
    return number ? Cell(record::clipped<std::int64_t>(*number)) : Cell();
  }

  Value value;
  int decimals = -1;      // for the eye; -1: three significant digits
  bool doubtful = false;  // for the eye in parentheses
};

struct Table {
  std::string id;
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows = {};  // one cell per column
  std::string needed = {};  // key of a column: rows that are empty there are not shown to readers
};

/// A heading, sentences, at most one table (without columns: none), and what explains it.
struct Section {
  std::string id;
  std::string title;
  std::vector<std::string> text = {};
  Table table = {};
  std::vector<std::string> notes = {};
};

/// A section of one table, which has its id.
[[nodiscard]] inline Section table_section(const std::string& id, std::string title,
                                           std::vector<Column> columns = {}) {
  return {id, std::move(title), {}, {id, std::move(columns)}};
}

using Tables = std::vector<Section>;

}  // namespace steelyard::analysis
