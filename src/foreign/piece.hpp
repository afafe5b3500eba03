// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "foreign/blocks.hpp"
#include "record/json.hpp"
#include "record/records.hpp"

/// Result of a reader for one output: points and facts, before they become the records of runs.
namespace steelyard::foreign {

/// Description of texts by the user.
struct Description {
  std::optional<int> processes, threads, nodes, processes_per_node;
  std::string mpi, machine, host;
  record::Params params;                // of points: window, type, ...
  std::string started_utc;              // empty: not told
  std::string started_from = "option";  // or path
  int minutes_before_utc = 0;
  bool zone_told = false;
  std::optional<Format> format;
};

/// A sentence about one line.
struct Remark {
  std::string code;  // of an event
  std::size_t line = 0;
  std::string text;
  bool of_all =
      true;  // a warning is about all points of its piece; else the reader flags those that it is about
};

/// Thrown if one block cannot be read. what() is a sentence without the line.
class Refusal : public std::runtime_error {
 public:
  Refusal(std::size_t line, const std::string& what) : std::runtime_error(what), line_(line) {}
  [[nodiscard]] std::size_t line() const { return line_; }

 private:
  std::size_t line_;
};

/// Block that lacks a part which its program always prints: another program may have written in between.
class Incomplete : public Refusal {
 public:
  using Refusal::Refusal;
};

[[nodiscard]] record::Reason because(record::ReasonCode code, std::string text);

/// Point while it is read; `record` has neither key nor processes if the text does not tell them.
struct Point {
  Point() = default;
  Point(std::string_view suite, std::string_view benchmark, std::size_t line);

  record::PointRecord record;
  std::size_t line = 0;
  std::vector<std::string> unknown = {};  // parameters that this text cannot tell
  std::string over_time, over_ranks, printed;
  std::optional<double> step;

  /// Takes the number of a word as a metric; the first one becomes primary. A word that is no number, or
  /// below 0, makes the point `failed` and returns false; 0 is below what could be printed.
  bool take(const char* metric, std::string_view word, Scale scale = one);
  /// Notes a number that is not the point's value, by the program's own name; words that are no number are left out.
  void note(const char* name, std::string_view word, Scale scale = one);
  /// Notes a number that is known: finite ones only.
  void note(const char* name, double value);
  void fail(std::string_view word);
  void flag(const char* name);
  void set(const char* name, std::int64_t value) { record.params[name] = value; }
  void set(const char* name, std::string_view value) { record.params[name] = record::valid_utf8(value); }
};

/// Index of points in a list by suite, benchmark, parameters and number of processes: found by a hash, so
/// that a row of a long table takes no longer than one of a short table.
class PointIndex {
 public:
  using PointAt = const record::PointRecord& (*)(const void* list, std::size_t i);

  /// Index of the first point like that one; nullopt if there is none. Points behind those that were looked
  /// at before are taken in first.
  [[nodiscard]] std::optional<std::size_t> find(const record::PointRecord& like, std::size_t size,
                                                const void* list, PointAt at);
  /// Number of comparisons of two points.
  [[nodiscard]] std::size_t comparisons() const { return comparisons_; }

 private:
  std::unordered_multimap<std::size_t, std::size_t> places_;
  std::size_t size_ = 0, comparisons_ = 0;
};

/// Output of one start of a program, or a part of it.
struct Piece {
  Piece(const Block& block, std::string release = {});

  Format format;
  std::string release, variant;
  std::size_t first_line, last_line;
  std::optional<int> processes, threads, nodes;
  std::string started_utc;
  std::deque<Point> points = {};
  std::vector<record::SummaryRecord> summaries = {};
  record::Json machine = {}, config = {}, layout = {};
  std::string mpi = {};
  std::vector<Remark> remarks = {};
  std::map<std::string, std::string> assumed = {};  // name, value and why
  std::size_t strange = 0;
  std::size_t rows = 0, odd_rows = 0;  // of tables; odd: with other columns than the heading
  bool of_two_tables = false;          // rows that its program prints once are there twice
  std::vector<Remark> refused = {};    // tables of which nothing can be read
  PointIndex index = {};               // of `points`
  std::size_t comparisons = 0;         // comparisons of points, those of the index aside
  std::string launcher;
  bool truncated = false;

  void remark(const char* code, std::size_t line, std::string text) {
    remarks.push_back({code, line, std::move(text)});
  }
};
using Pieces = std::vector<Piece>;

/// Point of that suite, benchmark and parameters; nullptr if there is none. Rows about one point belong together.
[[nodiscard]] Point* find_point(Piece& piece, const Point& like);

/// True if the end of a row that may be the last of a text is missing: it has no line end, and its last word
/// is no number with as many decimals as the one above, -1 if there is none.
[[nodiscard]] bool may_be_cut(const Line& line, std::string_view last_word, int decimals_above);
/// Number of digits behind the decimal point of a word.
[[nodiscard]] int decimals(std::string_view word);

/// True if a text warns that something went wrong.
[[nodiscard]] bool is_warning(std::string_view text);

/// Parsed JSON of a block: `nan` and `inf` outside of texts, which JSON does not know, are null; a document
/// that was cut off is closed behind its last whole member. Throws Refusal.
[[nodiscard]] record::Json json_of(const Block& block);

/// Member of an object; null if it has none of that name.
[[nodiscard]] const record::Json& member_in(const record::Json& object, std::string_view name);
/// Value of an object under a name: a finite number, a text; nullopt or empty if it has none of that kind.
[[nodiscard]] std::optional<double> real_in(const record::Json& object, std::string_view name);
[[nodiscard]] std::string word_in(const record::Json& object, std::string_view name);

}  // namespace steelyard::foreign
