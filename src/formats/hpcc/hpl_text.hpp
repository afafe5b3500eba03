// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "record/records.hpp"
#include "suites/hpcc/settings.hpp"

/// Text of HPL: parameters, a row per combination, tail. Line and number formats are those of HPL 2.0, as in
/// hpccoutf.txt, or of HPL 2.3; the explaining lines are ours.
namespace steelyard::formats {

enum class HplVersion { v20, v23 };

/// "2.0", "2.3".
[[nodiscard]] std::string_view text(HplVersion version);

/// Title between rulers. `program` is the version of this program.
[[nodiscard]] std::string hpl_title(HplVersion version, std::string_view program);
/// Values of all options and the rule of the residual check; ends with an empty line.
[[nodiscard]] std::string hpl_parameters(const steelyard::hpcc::Settings& settings);

/// Times of the solver's phases between rulers, for a point that tells them; else empty.
[[nodiscard]] std::string hpl_detail(const record::PointRecord& point);
/// Picture of one iteration, two lines per process: its phases, and when a panel was on its way. For a point
/// that tells its timeline; else empty.
[[nodiscard]] std::string hpl_timeline(const record::PointRecord& point);

/// Rows of one run, in the order of the points, and their counts.
class HplRows {
 public:
  /// threshold: that of the residual check; not above 0: no check.
  HplRows(HplVersion version, double threshold) : version_(version), threshold_(threshold) {}

  /// Adds a point of benchmark HPL and the time at which its record was written. Returns its text.
  [[nodiscard]] std::string add(const record::PointRecord& point, std::int64_t unix_s);
  [[nodiscard]] std::string tail() const;

 private:
  [[nodiscard]] std::string head();
  [[nodiscard]] std::string result(const record::PointRecord& point, std::int64_t unix_s) const;
  [[nodiscard]] std::string check(const record::PointRecord& point) const;
  void count(const record::PointRecord& point);

  HplVersion version_;
  double threshold_;
  bool headed_ = false;
  int passed_ = 0, failed_ = 0, unchecked_ = 0, skipped_ = 0;
};

}  // namespace steelyard::formats
