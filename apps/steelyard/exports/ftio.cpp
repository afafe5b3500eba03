// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <sstream>

#include "errors.hpp"
#include "exports/formats.hpp"
#include "exports/output.hpp"
#include "exports/runs.hpp"
#include "formats/ftio/text.hpp"

namespace steelyard::cli {

void export_ftio(const Exported& what, const Values& values) {
  std::ostringstream out;
  for (const record::Run& run : what.runs()) {
    if (std::ranges::find(run.points, "ftio", &record::PointRecord::suite) == run.points.end())
      throw UsageError("--to ftio: run " + run.id + " has no points of ftio");
    if (!is_whole(run, "ftio") && !values.on("partial"))
      throw UsageError("the records of run " + run.id + " lack the end of the run",
                       "--partial writes what there is");
    const auto writer = formats::ftio_text(out);
    writer->run(run.head);
    for (const record::PointRecord& point : run.points) writer->point(point);
    writer->end(end_of(run, {"ftio"}).value_or(record::EndRecord{}));
  }
  write_output(out.str(), values);
}

}  // namespace steelyard::cli
