// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/warnings.hpp"
#include "formats/live/verdict.hpp"

namespace steelyard::formats {

/// Short table of a suite of IMB: a row per benchmark with the time of its shortest message and its best
/// bandwidth, for IMB-EXT those of both modes; for IMB-IO a row per way to reach a file with the best
/// bandwidth of each action. With several numbers of processes the largest is shown, of groups side by side
/// the slowest of each size, which the row says.
class ShortImb {
 public:
  void add(const record::PointRecord& point);
  /// Returns the table of the added points and a list of the points left out, and forgets them; empty if
  /// none was added.
  [[nodiscard]] std::string take(bool colours, bool utf8);

 private:
  /// Data of a point that the rows need.
  struct Seen {
    std::string key;
    std::optional<std::int64_t> bytes, group;
    std::optional<double> value, rate_byte_s;
    bool is_time = true, wrong = false;
    record::Status status = record::Status::ok;
    std::string reason = {}, figure = {};
    std::vector<analysis::Doubt> doubts = {};
    double half_width = 0;
  };
  /// Points of one benchmark, number of processes and set of parameters.
  struct Measured {
    std::string benchmark;
    int processes = 1;
    std::map<std::string, std::string> params = {};
    std::vector<Seen> points = {};
    std::size_t planned = 0;
    int groups = 1;  // at once, of so many processes each
  };
  using SeenPoints = std::vector<const Seen*>;
  /// Points of a row that stand for all of them.
  struct Ends {
    const Seen *shortest = nullptr, *longest = nullptr, *best = nullptr;
    std::size_t measured = 0;
  };

  static Seen seen(const record::PointRecord& point);
  /// Points with the largest number of processes of each benchmark.
  [[nodiscard]] std::vector<const Measured*> widest() const;
  [[nodiscard]] std::string name(const Measured& one, std::string_view without = {}) const;
  /// Whether the first of two points of one size is the slower one.
  [[nodiscard]] static bool is_slower(const Seen& one, const Seen& other);
  /// Points that count: of groups side by side the slowest of each size.
  [[nodiscard]] static SeenPoints counted(const Measured& one);
  [[nodiscard]] static Ends ends(const Measured& one);
  [[nodiscard]] std::string row(const Measured& one, bool colours, bool utf8) const;
  [[nodiscard]] static std::string value_of(const Seen& point, bool utf8);
  [[nodiscard]] static std::string end_of(const Ends& of, bool utf8);
  [[nodiscard]] static std::string row_of_modes(const std::string& name,
                                                const std::array<const Measured*, 2>& modes, bool colours,
                                                bool utf8);
  [[nodiscard]] std::string modes(std::vector<const Measured*>& rows, bool colours, bool utf8) const;
  [[nodiscard]] std::string matrix(std::vector<const Measured*>& rows, bool colours) const;
  [[nodiscard]] std::string rows(const std::vector<const Measured*>& list, bool colours, bool utf8) const;
  [[nodiscard]] std::string fewer() const;
  [[nodiscard]] static Verdict remark(const std::vector<const Measured*>& of, const SeenPoints& shown,
                                      std::size_t taken = 0);

  std::string suite_;
  std::vector<Measured> measured_;  // in the order of their first points
  LeftOut left_out_;
};

}  // namespace steelyard::formats
