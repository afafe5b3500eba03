// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "record/records.hpp"

namespace steelyard::formats::hpcc {

/// "key=value" for every classic member of the summary record, in its order, the value one word: whole numbers
/// as such, others in plain decimal notation with a digit on both sides of the point; an exponent only for
/// keys whose format has one and for numbers beyond 10^15 or below 10^-15.
[[nodiscard]] std::string summary_lines(const record::SummaryRecord& summary);

}  // namespace steelyard::formats::hpcc
