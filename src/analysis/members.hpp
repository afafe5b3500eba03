// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "record/records.hpp"

/// What a point's record says under a name: in its classic values, else in its parameters. Pure.
namespace steelyard::analysis {

/// nullptr if it says nothing.
[[nodiscard]] const record::Value* member(const record::PointRecord& point, std::string_view name);
/// Nothing if it is absent or null. Throws std::domain_error if it is no number.
[[nodiscard]] std::optional<double> number_if(const record::PointRecord& point, std::string_view name);
/// As number_if; throws std::invalid_argument if there is none.
[[nodiscard]] double number(const record::PointRecord& point, std::string_view name);
/// Empty if it is absent or no text.
[[nodiscard]] std::string words(const record::PointRecord& point, std::string_view name);

/// Adds a value to a summary; null where there is none.
void put(record::SummaryRecord& summary, std::string_view name, std::optional<double> value);

}  // namespace steelyard::analysis
