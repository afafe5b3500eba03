// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "record/walk.hpp"

/// Records of chosen runs for readers that keep them. Internal to this folder.
namespace steelyard::record::detail {

/// Taker of a run and the number of its points.
using RoomTaker = std::function<void(std::string_view run, std::size_t points)>;

/// As scan() of the chosen runs, with a maker or an empty one. Before the first record `room`, if any, gets what lies before the reader, where the
/// runs were looked for: memory that grows point by point is moved and used for the first time again and again.
FileContent scan_chosen(const std::filesystem::path& input, const RunChoice& choice, const RoomTaker& room,
                        const TextMaker& maker, const TextConsumer& consumer);

/// Run of the last record of a file; empty where the end of the file alone does not tell it, as that of a compressed one.
[[nodiscard]] std::string last_run_of(const std::filesystem::path& file);

}  // namespace steelyard::record::detail
