// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "record/records.hpp"

/// Verdict on a row of a live table: how far it can be trusted.
namespace steelyard::formats {

enum class Colour { none, magenta, bold_red };  // which light and dark terminals both show well

struct Verdict {
  std::string text;
  Colour colour = Colour::none;
};

/// Columns of a line of the brief form.
inline constexpr std::size_t brief_columns = 120;

/// Number of columns that the terminal shows: bytes that do not continue a UTF-8 character, without codes of colour.
[[nodiscard]] std::size_t shown_columns(const std::string& text);
/// Text with each line cut to so many columns; dots mark a cut.
[[nodiscard]] std::string clipped(const std::string& text, std::size_t columns = brief_columns);
/// Text in which what has no room in so many columns stands below its line, indented: remarks behind a row of a table,
/// and the rest of a sentence.
[[nodiscard]] std::string narrowed(const std::string& text, std::size_t columns);
/// First of `words`, gravest first, and as many more as so many columns hold; the others are counted: "noisy +2".
[[nodiscard]] std::string fitted(const std::vector<std::string>& words, std::size_t columns);

/// Verdict on a point: wrong data, a status other than ok with its reason, and the doubts about its values:
/// all of it, or as much as fits into so many columns.
[[nodiscard]] Verdict live_verdict(const record::PointRecord& point,
                                   std::optional<std::size_t> columns = std::nullopt);

/// Text of a verdict, in its colour if `colours`.
[[nodiscard]] std::string painted(const Verdict& verdict, bool colours);

/// Count of doubtful points of an experiment whose points have no rows, with the reasons.
class DoubtCount {
 public:
  void add(const record::PointRecord& point);
  /// Line of a summary, "of 40 loops: 5 noisy, 2 interval wider than +-20 %"; empty without doubts.
  [[nodiscard]] std::string line(std::string_view many) const;

 private:
  std::vector<std::pair<std::string, std::size_t>> found_;  // words, gravest first; points
  std::size_t points_ = 0;
};

/// Skipped points of one table, printed in one line.
class LeftOut {
 public:
  /// Adds a skipped point. `name` stands in the line if the points of a table have names of their own.
  void add(const record::PointRecord& point, const std::string& name = {});
  [[nodiscard]] bool any() const { return !reasons_.empty(); }
  /// Line "  12 sizes not measured: needs 3 GiB (11); takes too long (1)", with its end; forgets the points.
  /// Empty if there are none. The most frequent reasons come first, two of them for points without names.
  /// Points are called as in the suite.
  [[nodiscard]] std::string take(std::string_view suite);

 private:
  struct Reason {
    std::string text;
    std::size_t points = 0;
    std::vector<std::string> names = {};
  };
  std::vector<Reason> reasons_;  // in the order of their first points
};

// Lines common to the live tables of several suites.

/// Line "  what   text" with its end; `text` begins in column 39.
[[nodiscard]] std::string summary_line(std::string_view what, std::string_view text);
/// Number of the summary; nullopt if it has none of that name.
[[nodiscard]] std::optional<double> summary_value(const record::SummaryRecord& summary,
                                                  std::string_view name);
/// Lines that tell whether the summary is official, with a line for every reason against it; brief: the first
/// reason and the number of others. Empty if the summary does not tell.
[[nodiscard]] std::string official_lines(const record::SummaryRecord& summary, bool brief = false);
/// Line that the files may have lain in memory, and why; empty if the summary does not tell that.
[[nodiscard]] std::string page_cache_line(const record::SummaryRecord& summary);
/// Line of wrong data with where they begin, or of the failure with its reason.
[[nodiscard]] std::string what_is_wrong(const record::PointRecord& point);

}  // namespace steelyard::formats
