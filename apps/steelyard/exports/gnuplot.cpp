// SPDX-License-Identifier: Apache-2.0
#include "exports/gnuplot.hpp"

#include <filesystem>
#include <system_error>

#include "errors.hpp"
#include "formats/gnuplot.hpp"
#include "exports/output.hpp"

namespace steelyard::cli {

void export_gnuplot(std::span<const record::Run> runs, const Values& values) {
  if (runs.size() != 1)
    throw UsageError("gnuplot's files are of one run, not of " + std::to_string(runs.size()),
                     "--run last, first or an id chooses one");
  const auto files = formats::gnuplot_files(runs.front());
  if (files.empty())
    throw UsageError("the records of run " + runs.front().id + " lack points over message lengths");
  const std::string directory = values.word_or("output", "gnuplot");
  if (directory == "-") throw UsageError("--output: several files cannot go to standard output");
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) throw Refused("cannot create '" + directory + "': " + error.message());
  for (const auto& file : files)
    write_output(file.text, directory + '/' + file.name,
                 values.on("overwrite") ? Existing::replaced : Existing::refused);
}

}  // namespace steelyard::cli
