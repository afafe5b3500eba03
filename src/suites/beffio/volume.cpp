// SPDX-License-Identifier: Apache-2.0
#include "suites/beffio/volume.hpp"

#include <algorithm>

namespace steelyard::beffio {
namespace {

constexpr std::int64_t parts_kept = 20;

}  // namespace

std::int64_t VolumeGuard::within_space(const Space& space, std::int64_t reserve_byte) {
  const std::int64_t kept = std::max(space.total_byte / parts_kept, reserve_byte);
  return std::max<std::int64_t>(0, space.free_byte - kept);
}

std::optional<std::int64_t> VolumeGuard::left(const Progress& progress) const {
  if (!most_) return std::nullopt;
  return std::max<std::int64_t>(0, *most_ - progress.written_byte);
}

std::optional<std::int64_t> VolumeGuard::share(const Progress& progress, int units) const {
  const auto all = left(progress);
  if (!all || progress.units_left <= 0) return all;
  return static_cast<std::int64_t>(static_cast<double>(*all) * units / progress.units_left);
}

}  // namespace steelyard::beffio
