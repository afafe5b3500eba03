// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "record/records.hpp"

/// Reasons why a number deserves less trust than it seems to, in words that stand beside it.
namespace steelyard::analysis {

/// Half-width of an interval, relative to the median, above which it is worth a remark.
inline constexpr double wide_half_width = 0.2;

/// Half of the 95 % interval of the primary metric over its median, or of the time if the metric has no
/// interval; nullopt if neither has one.
[[nodiscard]] std::optional<double> half_width(const record::PointRecord& point);
/// The same of the interval of a metric, as relative_interval() gives it.
[[nodiscard]] std::optional<double> half_width(const record::PointRecord& point, std::string_view metric);

/// 95 % interval of a value, relative to it: end / value - 1. The value seldom lies in its middle.
struct RelativeInterval {
  double low = 0, high = 0;
  /// The lower end of what is never zero: one that would lie there or below is as many times lower as the upper end is
  /// higher.
  [[nodiscard]] double low_above_zero() const { return low > -1 ? low : 1 / (1 + high) - 1; }
};
/// Interval of a metric of the point; of a rate without one, that which follows from the interval of the time.
[[nodiscard]] std::optional<RelativeInterval> relative_interval(const record::PointRecord& point,
                                                                std::string_view metric);

struct Doubt {
  std::string code;   // the flag that tells it, or "wide_interval"
  std::string words;  // "+-35 %", "noisy", "too small to stand for this machine"
};

/// Doubts of a point that has values, gravest first; none for others. `metric`: whose interval may be wide; else the
/// primary one's.
[[nodiscard]] std::vector<Doubt> doubts(const record::PointRecord& point, std::string_view metric = {});
/// Their words in one line, empty without any.
[[nodiscard]] std::string doubts_in_words(const record::PointRecord& point, std::string_view metric = {});

/// The same behind what weighs more: "partial, wrong data: point budget, noisy". `metric`: whose interval is meant where
/// that is wide; else the primary one's.
[[nodiscard]] std::string standing_in_words(const record::PointRecord& point, std::string_view metric = {});

/// Whether the point was measured with processes that took turns on the processors: no value made of it is official, for
/// the reason `crowded_words`.
[[nodiscard]] bool is_crowded(const record::PointRecord& point);
inline constexpr std::string_view crowded_words = "more processes than cores";

/// Words by which a run warns of all points that bear the doubt, as "95 % interval wider than +-20 %"; empty
/// if the doubt is a remark at its point only.
[[nodiscard]] std::string_view warned_as(std::string_view doubt);

/// Whether a run warns of points that bear the doubt: in those words, or one by one where they do not stand for the
/// machine.
[[nodiscard]] bool is_warned_of(std::string_view doubt);

/// How much the visits of points resemble those before them, over all that have six or more: intervals of such points
/// hold less often than they say. Source: docs/methodology.md, "Statistics".
class VisitResemblance {
 public:
  void add(const record::PointRecord& point);
  void add(const VisitResemblance& other);
  /// "successive visits of a point resemble each other ..."; empty if they do not, or if too few tell it.
  [[nodiscard]] std::string in_words() const;

 private:
  double products_ = 0;  // lag-1 correlations of points' visits times their number, + 1 each
  double visits_ = 0, freedom_ = 0;
  std::int64_t points_ = 0;
};

/// Warnings of a run: its events of severity warning and error, and the doubts about its points, which are
/// counted. The same sentence counts once.
class Warnings {
 public:
  void event(const record::EventRecord& event);
  /// The later record of a key replaces the earlier one.
  void point(const record::PointRecord& point);

  /// How many different warnings there are.
  [[nodiscard]] std::int64_t count() const;
  /// How many points bear a doubt, of how many that have values.
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> points_in_doubt() const;
  /// A line each; of one kind the first three, then how many more there are.
  [[nodiscard]] std::vector<std::string> lines() const;

 private:
  struct Kind {
    std::string code;
    std::vector<std::string> texts;
  };
  [[nodiscard]] std::vector<Kind> kinds() const;
  [[nodiscard]] std::string doubtful(const std::string& code, std::string_view what) const;

  std::vector<Kind> told_;                                  // by events, in their order
  std::map<std::string, std::vector<std::string>> doubts_;  // codes of every point that has values
  std::map<std::string, std::string> unfit_;  // points that do not stand for the machine, and why
  std::map<std::string, VisitResemblance> visits_;
};

// Whether what a run wrote and read may never have reached a disk. Pure.

/// Why the files of b_eff_io among `points` may have lain in memory while they were measured, without a
/// full stop: "the files of b_eff_io (1.77 GiB) can lie in memory (22.6 GiB)". Judged by the partition
/// that gives the value of the system. Empty if they went beyond the memory, were dropped from it, or if
/// either size is unknown.
[[nodiscard]] std::string beffio_in_memory(const record::RunRecord& head,
                                           std::span<const record::PointRecord> points);
/// The same for the largest matrix of FTIO, which gives its value.
[[nodiscard]] std::string ftio_in_memory(const record::RunRecord& head,
                                         std::span<const record::PointRecord> points);

// Machine states as records tell them. Source: docs/methodology.md, "Machine states".

/// Whether the two states agree in every probe that both have.
[[nodiscard]] bool same_state(const record::State& one, const record::State& other);

/// Time that a run spent in states of similar c2c_s, the exchange time of cache lines, which depends on the
/// processors that work and on how far apart they lie. A figure that was measured in a moment belongs to the
/// state of that moment.
class StatesOfRun {
 public:
  StatesOfRun() = default;
  explicit StatesOfRun(std::span<const record::PointRecord> points);
  void add(const record::PointRecord& point);
  /// To be called when all points were added, before anything is asked.
  void end();
  /// Whether a fifth or more of the time that was measured in known states was spent in other states than
  /// that of most visits of the point; false if its state is not known.
  [[nodiscard]] bool others_than_of(const record::PointRecord& point) const;

 private:
  [[nodiscard]] std::optional<double> share_like(const record::PointRecord& point) const;
  [[nodiscard]] double seconds_up_to(double c2c_s) const;

  std::vector<std::pair<double, double>> seconds_up_to_;  // c2c_s, and the seconds in states up to it
};

}  // namespace steelyard::analysis
