// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <ostream>
#include <span>

#include "record/file.hpp"

namespace steelyard::formats {

enum class CsvMetrics { all, primary };

/// RFC 4180, one row per point and metric, fixed columns (docs/records.md, "CSV"); version in the name of the
/// last, empty column: steelyard_csv_1.
void write_csv(std::ostream& out, std::span<const record::Run> runs, CsvMetrics metrics);

/// One JSON document {"format":"steelyard.result-set","format_version":1,"records":[...]}.
void write_json(std::ostream& out, const record::FileContent& content);

}  // namespace steelyard::formats
