// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "record/records.hpp"

/// Points of HPC Challenge in the live table: a line each, the rate in its own unit. Of this folder alone.
namespace steelyard::formats {

class LiveHpcc {
 public:
  [[nodiscard]] static bool takes(const record::PointRecord& point) { return point.suite == "hpcc"; }
  /// What stands above the lines of one number of processes and threads.
  [[nodiscard]] static std::string subject(const record::PointRecord& point);
  [[nodiscard]] static std::string heading();
  /// Whether the point has a row in a brief table: of the kernels of STREAM the triad, and what went wrong.
  [[nodiscard]] static bool stands_for_its_test(const record::PointRecord& point);
  /// "StarSTREAM Triad": the test with its kernel, where it has several.
  [[nodiscard]] static std::string name(const record::PointRecord& point);
  /// Benchmark, size, rate with its unit, time of one pass; without what was not measured.
  [[nodiscard]] static std::string row(const record::PointRecord& point);
};

}  // namespace steelyard::formats
