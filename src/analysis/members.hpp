// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "record/records.hpp"

/// Values that a point's record holds under a name: in its classic values, else in its parameters. Pure.
namespace steelyard::analysis {

/// Returns nullptr if the record has no such value.
[[nodiscard]] const record::Value* member(const record::PointRecord& point, std::string_view name);
/// Returns nullopt if the value is absent or null. Throws std::domain_error if it is no number.
[[nodiscard]] std::optional<double> number_if(const record::PointRecord& point, std::string_view name);
/// As number_if, but throws std::invalid_argument if there is none.
[[nodiscard]] double number(const record::PointRecord& point, std::string_view name);
/// Returns an empty string if the value is absent or no text.
[[nodiscard]] std::string words(const record::PointRecord& point, std::string_view name);

/// Adds a value to a summary; null where there is none.
void put(record::SummaryRecord& summary, std::string_view name, std::optional<double> value);

}  // namespace steelyard::analysis
