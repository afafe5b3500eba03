// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <system_error>

#include "errors.hpp"
#include "exports/formats.hpp"
#include "exports/output.hpp"
#include "exports/runs.hpp"
#include "formats/gnuplot/files.hpp"
#include "report/report.hpp"

namespace steelyard::cli {
namespace {

/// What the report of this run has beside its points.
analysis::Tables tables_of(const record::Run& run) {
  report::ReportInput material;
  material.runs = {run};
  return report::tables(report::parts(material));
}

void tell(const std::string& directory, const std::vector<formats::NamedText>& files) {
  const auto plots =
      std::ranges::count_if(files, [](const auto& file) { return file.name.ends_with(".gp"); });
  std::cout << plots << " plots in " << directory << ", each drawn by: gnuplot NAME.gp\n"
            << "not drawn, but in the report:";
  std::string_view separator = " ";
  for (const auto what : formats::gnuplot_leaves_out()) {
    std::cout << separator << what;
    separator = "; ";
  }
  std::cout << std::endl;
}

}  // namespace

void export_gnuplot(const Exported& what, const Values& values) {
  const auto runs = what.runs();
  const record::Run& run = one_run(runs, "gnuplot's files");
  const auto files = formats::gnuplot_files(run, tables_of(run));
  if (files.empty()) throw UsageError("the records of run " + run.id + " lack points that can be drawn");
  const std::string directory = values.word_or("output", "gnuplot");
  if (directory == "-") throw UsageError("--output: several files cannot go to standard output");
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) throw Refused("cannot create '" + directory + "': " + error.message());
  for (const auto& file : files)
    write_output(file.text, directory + '/' + file.name,
                 values.on("overwrite") ? Existing::replaced : Existing::refused);
  tell(directory, files);
}

}  // namespace steelyard::cli
