// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "record/records.hpp"

/// How far a row of a live table can be trusted.
namespace steelyard::formats {

enum class Colour { none, yellow, bold_red };

struct Verdict {
  std::string text;
  Colour colour = Colour::none;
};

/// Wrong data, a status other than ok with its reason, and what makes its values doubtful.
[[nodiscard]] Verdict live_verdict(const record::PointRecord& point);

/// The text, in its colour if there are any.
[[nodiscard]] std::string painted(const Verdict& verdict, bool colours);

/// Whether the point has values.
[[nodiscard]] bool has_values(const record::PointRecord& point);

}  // namespace steelyard::formats
