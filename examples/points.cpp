// SPDX-License-Identifier: Apache-2.0
// Reads a result file: median and 95 % interval of every time that was measured.
#include <cstdio>

#include "record/file.hpp"

using namespace steelyard;

int main(int argc, char** argv) try {
  const auto content = record::read(argc > 1 ? argv[1] : ".");  // a directory or a file; the last run in it
  for (const auto& run : record::runs(content)) {               // sessions of a resumed run are merged
    for (const auto& point : run.points) {
      for (const auto& [name, metric] : point.metrics) {
        const auto* time = std::get_if<record::Statistics>(&metric);
        if (name != "time_s" || !time || !time->median || !time->ci) continue;
        std::printf("%-60s %12.3f us  %.3f .. %.3f\n", point.key.c_str(), *time->median * 1e6,
                    time->ci->first * 1e6, time->ci->second * 1e6);
      }
    }
  }
} catch (const record::ReadError& error) {
  std::fprintf(stderr, "points: %s\n", error.what());
  return 2;
}
