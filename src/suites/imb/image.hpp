// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "suites/imb/checker.hpp"

namespace steelyard::imb {

/// The bytes of one side of a point in a checked repetition.
class Image {
 public:
  /// `before` the operation nothing that must arrive is there; `expected` afterwards.
  enum class Kind { before, expected };

  [[nodiscard]] static Image sent(const CheckedSides& sides, int rank, int processes);
  [[nodiscard]] static Image received(const CheckedSides& sides, int processes, std::vector<Segment> segments,
                                      std::optional<SumSegment> sum);

  /// Memory bytes first .. first + out.size() - 1 of the slot in use; `out` holds `untouched` before, and
  /// keeps it where there is no message. `first` is a multiple of two elements.
  void fill(Kind kind, std::uint64_t repetition, std::int64_t first, std::span<std::byte> out) const;

  /// Bytes that are compared as one element.
  [[nodiscard]] std::size_t granule() const;
  [[nodiscard]] double deviation(const std::byte* found, const std::byte* expected) const;

 private:
  void fill_message(Kind kind, std::uint64_t repetition, std::int64_t first, std::span<std::byte> out) const;
  void fill_segment(const Segment& segment, Kind kind, std::uint64_t repetition, std::int64_t first,
                    std::span<std::byte> out) const;
  void fill_sum(Kind kind, std::uint64_t repetition, std::int64_t first, std::span<std::byte> out) const;

  DataType type_ = DataType::byte;
  std::int64_t stride_ = 1;
  std::int64_t period_ = 0;
  bool is_sent_ = false;
  std::vector<Segment> segments_;
  std::optional<SumSegment> sum_;
  std::optional<Summands> after_, before_;
};

}  // namespace steelyard::imb
