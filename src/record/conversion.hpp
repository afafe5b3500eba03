// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "record/file.hpp"
#include "record/json.hpp"
#include "record/records.hpp"

/// Between records and JSON values. Of this room alone.
namespace steelyard::record::detail {

inline constexpr std::string_view format_name = "steelyard.result";
inline constexpr int format_version = 1;

/// The text is not JSON: what a write that was cut off leaves behind.
class BrokenLine : public ReadError {
 public:
  using ReadError::ReadError;
};

/// The object of a line. Throws BrokenLine for text that is not JSON, ReadError for JSON that is nested
/// deeper than any record.
[[nodiscard]] Json parse_line(std::string_view line);

[[nodiscard]] Json to_json(const Record& record);
/// Nothing for an unknown type. Throws ReadError that names the member.
[[nodiscard]] std::optional<Record> from_json(const Json& json);

[[nodiscard]] Json to_json(const Value& value);
[[nodiscard]] Json to_json(const Params& params);
[[nodiscard]] Json to_json(const Members& members);
[[nodiscard]] Json to_json(const Metric& metric);
[[nodiscard]] Json to_json(const Reason& reason);
[[nodiscard]] Json to_json(const Schedule& schedule);
[[nodiscard]] Json to_json(const Check& check);
[[nodiscard]] Json to_json(const State& state);

/// Throws NotANumber that names the first member whose number is not finite.
void require_finite(const Json& json);

}  // namespace steelyard::record::detail
