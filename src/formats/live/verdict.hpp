// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "record/records.hpp"

/// How far a row of a live table can be trusted.
namespace steelyard::formats {

enum class Colour { none, yellow, bold_red };

struct Verdict {
  std::string text;
  Colour colour = Colour::none;
};

/// Columns of a line of the brief form.
inline constexpr std::size_t brief_columns = 120;

/// Columns that the terminal shows: bytes that do not continue a UTF-8 character.
[[nodiscard]] std::size_t shown_columns(const std::string& text);
/// Each line of the text in so many columns; what is cut off is told by dots.
[[nodiscard]] std::string clipped(const std::string& text, std::size_t columns = brief_columns);
/// The first of `words`, gravest first, and as many more as so many columns hold; the others are counted: "noisy +2".
[[nodiscard]] std::string fitted(const std::vector<std::string>& words, std::size_t columns);

/// Wrong data, a status other than ok with its reason, and what makes its values doubtful: all of it, or what fits into so
/// many columns.
[[nodiscard]] Verdict live_verdict(const record::PointRecord& point,
                                   std::optional<std::size_t> columns = std::nullopt);

/// The text, in its colour if there are any.
[[nodiscard]] std::string painted(const Verdict& verdict, bool colours);

/// Whether the point has values.
[[nodiscard]] bool has_values(const record::PointRecord& point);

/// How many points of an experiment whose points have no rows are doubtful, and why.
class DoubtCount {
 public:
  void add(const record::PointRecord& point);
  /// A line of a summary, "of 40 loops: 5 noisy, 2 interval wider than +-20 %"; empty without doubts.
  [[nodiscard]] std::string line(std::string_view many) const;

 private:
  std::vector<std::pair<std::string, std::size_t>> found_;  // words, gravest first; points
  std::size_t points_ = 0;
};

/// Skipped points of one table, told in one line.
class LeftOut {
 public:
  /// `name` stands in the line where the points of a table have names of their own.
  void add(const record::PointRecord& point, const std::string& name = {});
  [[nodiscard]] bool any() const { return !reasons_.empty(); }
  /// "  12 sizes not measured: needs 3 GiB (11); takes too long (1)", ended, and forgets; empty without any. The most
  /// frequent reasons come first, and of points without names two are told. Points are called as those of the suite.
  [[nodiscard]] std::string take(std::string_view suite);

 private:
  struct Reason {
    std::string text;
    std::size_t points = 0;
    std::vector<std::string> names = {};
  };
  std::vector<Reason> reasons_;  // in the order of their first points
};

// Lines that the live tables of several suites say alike.

/// "  what   text", ended; `text` begins in column 39.
[[nodiscard]] std::string summary_line(std::string_view what, std::string_view text);
/// A number of the summary, if it holds one of that name.
[[nodiscard]] std::optional<double> summary_value(const record::SummaryRecord& summary,
                                                  std::string_view name);
/// Whether the summary is official, with a line for every reason why not, or brief: the first one and how many
/// more there are. Empty if it does not tell.
[[nodiscard]] std::string official_lines(const record::SummaryRecord& summary, bool brief = false);
/// That its files may have lain in memory, and why. Empty if the summary does not say so.
[[nodiscard]] std::string page_cache_line(const record::SummaryRecord& summary);
/// Wrong data with where they begin, or the failure with its reason, on one line.
[[nodiscard]] std::string what_is_wrong(const record::PointRecord& point);

}  // namespace steelyard::formats
