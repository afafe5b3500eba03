// SPDX-License-Identifier: Apache-2.0
#include "exports/ftio.hpp"

#include <algorithm>
#include <sstream>

#include "errors.hpp"
#include "formats/ftio/text.hpp"

namespace steelyard::cli {

std::string export_ftio(std::span<const record::Run> runs) {
  std::ostringstream out;
  for (const record::Run& run : runs) {
    if (std::ranges::find(run.points, "ftio", &record::PointRecord::suite) == run.points.end())
      throw UsageError("--to ftio: run " + run.id + " has no points of ftio");
    const auto writer = formats::ftio_text(out);
    writer->run(run.head);
    for (const record::PointRecord& point : run.points) writer->point(point);
    writer->end(run.end.value_or(record::EndRecord{}));
  }
  return out.str();
}

}  // namespace steelyard::cli
