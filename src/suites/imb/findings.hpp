// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "measure/workload.hpp"
#include "suites/imb/contents.hpp"

/// What checks of received data have in common.
namespace steelyard::imb {

/// Bytes on either side of an area that a check may write.
inline constexpr std::int64_t guard_byte = 64;

/// The bytes on either side of an area, given back when the check ends.
class Surroundings {
 public:
  explicit Surroundings(const Area& area);
  Surroundings(const Surroundings&) = delete;
  Surroundings& operator=(const Surroundings&) = delete;
  ~Surroundings();

 private:
  std::byte* before_;
  std::byte* after_;
  std::array<std::byte, 2 * guard_byte> kept_{};
};

struct Difference {
  std::string_view side;
  std::int64_t at = 0;
  std::byte found{}, expected{};
  double size = 1;
};

/// Counts differences of one repetition and tells the first one.
class Findings {
 public:
  Findings(int rank, std::uint64_t repetition, measure::CheckResult& result)
      : rank_(rank), repetition_(repetition), result_(result) {}
  void add(const Difference& difference);

 private:
  int rank_;
  std::uint64_t repetition_;
  measure::CheckResult& result_;
};

}  // namespace steelyard::imb
