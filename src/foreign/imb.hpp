// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "foreign/piece.hpp"
#include "suites/imb/definition.hpp"
#include "suites/imb/settings.hpp"

/// Parts of a text of IMB: its tables, and its calling sequence. Internal to this folder.
namespace steelyard::foreign {

/// Size of 1 Mbyte in a release, as far as it is known.
enum class Mbyte { binary, decimal, unknown };

/// Head of a table, above its rows.
struct ImbTable {
  std::string suite, benchmark;
  const imb::Definition* definition = nullptr;  // nullptr: none of ours
  record::Params params;                        // of all points, but for size, group and mode
  std::vector<std::string> unknown;             // of these
  std::string size_name = "message_byte";
  int processes = 0, groups = 1, idle = 0, threads = 1;
  int window = 0;  // 0: not said yet
  std::vector<std::string> heading;
  bool sized = true;
  bool of_threads = false;  // of IMB-MT: its #bytes are those of all threads of a process
  std::size_t line = 0;
};

/// Rows of a table, taken one by one; their points go into a piece at the end, when the unit of the rates is known.
class ImbRows {
 public:
  ImbRows(ImbTable table, Mbyte expected) : table_(std::move(table)), expected_(expected) {}

  /// True if the line is a row of the table or belongs to one. `last`: the last line of a text that was cut off.
  bool take(const Line& line, bool last, Piece& piece);
  void finish(Piece& piece);
  [[nodiscard]] const ImbTable& table() const { return table_; }

 private:
  struct Row {
    Point point;
    std::string rate;  // Mbytes/sec as printed; empty: no such column
    std::optional<double>
        ratio;  // of the rate that the time gives to the printed one, where it decides on the unit
  };
  void add(const Line& line, const std::vector<std::string_view>& words, Piece& piece);
  bool add_result(const Line& line, const std::vector<std::string_view>& words, Piece& piece);
  void put(std::string_view column, std::string_view word, Row& row);
  Row new_row(const Line& line);
  [[nodiscard]] bool is_there(const Row& row);
  [[nodiscard]] std::optional<double> ratio(const Row& row) const;
  [[nodiscard]] const char* bandwidth_name() const;
  [[nodiscard]] Mbyte unit(Piece& piece) const;

  ImbTable table_;
  Mbyte expected_;
  std::deque<Row> rows_;
  PointIndex index_;  // of `rows_`
  int decimals_above_ = -1;
  std::size_t odd_ = 0, odd_line_ = 0;  // rows with other columns than the heading, and where the first is
};

/// Settings that the words of a calling sequence give.
struct ImbCall {
  imb::Settings settings;
  std::vector<std::string>
      unknown;  // parameters that a word may have changed in a way that cannot be read, sorted
  bool seen = false, allocation_said = false;
};

/// Reads the words of a calling sequence, program first, beside the defaults of its part and release. Words of
/// IMB and of our own front-ends are known; one that is not makes every parameter unknown that such a word may stand for.
[[nodiscard]] ImbCall imb_call(const std::vector<std::string_view>& words, imb::Settings defaults);

}  // namespace steelyard::foreign
