// SPDX-License-Identifier: Apache-2.0
// Every point as it was recorded: csv and json.
#include <sstream>

#include "exports/formats.hpp"
#include "exports/output.hpp"
#include "formats/csv.hpp"

namespace steelyard::cli {

void export_csv(const Exported& what, const Values& values) {
  std::ostringstream out;
  const bool all = values.word("metrics") == "all";
  formats::write_csv(out, what.runs(), all ? formats::CsvMetrics::all : formats::CsvMetrics::primary);
  write_output(out.str(), values);
}

void export_json(const Exported& what, const Values& values) {
  std::ostringstream out;
  formats::write_json(out, what.content);
  write_output(out.str(), values);
}

}  // namespace steelyard::cli
