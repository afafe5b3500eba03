// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>

namespace steelyard::formats {

/// Who runs a table.
struct ImbBanner {
  std::string benchmark;  // plain name
  int processes = 1;      // of one group
  int groups = 1;
  int world = 1;
  std::optional<std::pair<int, int>> map;

  friend bool operator==(const ImbBanner&, const ImbBanner&) = default;
};

/// "PingPong", or "Multi-PingPong" with more than one group.
[[nodiscard]] std::string printed_name(const ImbBanner& banner);

/// The lines between the two rules of a table, rules of `width` characters and the empty line before
/// included.
[[nodiscard]] std::string imb_banner(const ImbBanner& banner, int width);

}  // namespace steelyard::formats
