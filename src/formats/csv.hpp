// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <string>
#include <string_view>

#include "record/file.hpp"

namespace steelyard::formats {

/// Appends a field of CSV by RFC 4180.
void append_csv_field(std::string& line, std::string_view field);

enum class CsvMetrics { all, primary };

/// Appends the rows of a point, for CsvText.
void append_csv_rows(std::string& rows, CsvMetrics metrics, const record::RunRecord& head,
                     const record::Envelope& envelope, const record::PointRecord& point);

/// Writer of CSV by RFC 4180: one row per point and metric, fixed columns (docs/records.md, "CSV"); version
/// in the name of the last, empty column: steelyard_csv_1. Nothing is written before the first point or the
/// end, so that a file that cannot be read leaves no output.
class CsvText {
 public:
  explicit CsvText(std::ostream& out) : out_(out) {}
  /// Writes the rows of the next point.
  void point(std::string_view rows);
  /// Writes the heading if there was no point.
  void end() { begin(); }

 private:
  void begin();

  std::ostream& out_;
  bool begun_ = false;
};

/// Writer of one JSON document {"format":"steelyard.result-set","format_version":1,"records":[...]}, begun
/// with the first record or the end.
class JsonText {
 public:
  explicit JsonText(std::ostream& out) : out_(out) {}
  /// Writes the line of the next record.
  void record(std::string_view line);
  /// Closes the document.
  void end();

 private:
  void begin();

  std::ostream& out_;
  std::string_view separator_;  // before the next record; empty while nothing is written
};

}  // namespace steelyard::formats
