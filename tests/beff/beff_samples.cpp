// SPDX-License-Identifier: Apache-2.0
// beff_samples DIRECTORY: files of made-up runs, each in a directory of its own, for the tools that read
// them.
#include <filesystem>
#include <iostream>

#include "beff_sources.hpp"

namespace {

using namespace steelyard;

struct Sample {
  const char* name;
  analysis::BeffExperiment experiment;
  formats::BeffFilesOptions options = {};
};

void write(const std::filesystem::path& directory, const Sample& sample) {
  std::filesystem::create_directories(directory / sample.name);
  const auto files = formats::files_of(formats::hostile(beff_run_record(sample.experiment)),
                                       beff_points(sample.experiment), sample.options);
  formats::write_files(directory / sample.name / sample.options.prefix, files.named(),
                       formats::Existing::overwrite);
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) {
    std::cerr << "usage: beff_samples DIRECTORY\n";
    return 2;
  }
  const Sample samples[] = {
      {"eight", {}},
      {"two", {.processes = 2, .longest = Bytes{134217728}}},
      {"shortened", {.shortened = true, .byte_s = 3e10}, {.prefix = "it's.a#b_eff", .colour = true}},
      {"one_method",
       {.processes = 3,
        .polygons = 2,
        .without_methods = {1, 2},
        .mark = "MOD",
        .because = "2 polygons\n#1 & co_x"},
       {.prefix = "b_eff", .y_range = std::pair{1.0, 1e5}}}};
  for (const Sample& sample : samples) write(words[1], sample);
}
