// SPDX-License-Identifier: Apache-2.0
// Every point as it was recorded: csv and json.
#include "exports/formats.hpp"
#include "exports/output.hpp"
#include "formats/csv.hpp"

namespace steelyard::cli {

void export_csv(const Exported& what, const Values& values) {
  const bool all = values.word("metrics") == "all";
  const auto write = [&](std::ostream& out) {
    formats::CsvText text(out, all ? formats::CsvMetrics::all : formats::CsvMetrics::primary);
    what.each_point([&text](const auto& head, const auto& envelope, const auto& point) {
      text.point(head, envelope, point);
    });
    text.end();
  };
  write_output(write, values);
}

void export_json(const Exported& what, const Values& values) {
  const auto write = [&](std::ostream& out) {
    formats::JsonText text(out);
    what.each_record([&text](record::Record&& record) { text.record(record); });
    text.end();
  };
  write_output(write, values);
}

}  // namespace steelyard::cli
