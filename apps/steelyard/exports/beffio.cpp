// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include "beff/options.hpp"
#include "beffio/report.hpp"
#include "errors.hpp"
#include "exports/formats.hpp"
#include "exports/runs.hpp"
#include "suites/beffio/definition.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

std::filesystem::path prefix_of_four(const Values& values) {
  const std::string word = values.word_or("output", "b_eff_io");
  if (word == "-")
    throw UsageError("--output: four files cannot go to standard output, '-' names a prefix of none");
  try {
    return parse_prefix(word);
  } catch (const units::ParseError& error) {
    throw UsageError(std::string("--output: ") + error.what());
  }
}

/// What the files of a whole run have.
void refuse_incomplete(const record::Run& run) {
  std::string lacks;
  try {
    const analysis::BeffioRun all(run.points);
    if (all.missing() > 0) lacks = std::to_string(all.missing()) + " patterns that failed or were skipped";
    if (all.best("seed") == nullptr && lacks.empty()) lacks = "patterns";
  } catch (const std::invalid_argument& error) {
    throw UsageError("the records of run " + run.id + " make no b_eff_io: " + error.what());
  }
  if (lacks.empty() && !is_whole(run, beffio::suite_name)) lacks = "the end of the run";
  if (!lacks.empty())
    throw UsageError("the records of run " + run.id + " lack " + lacks, "--partial writes what there is");
}

}  // namespace

void export_beffio(const Exported& what, const Values& values) {
  const auto runs = what.runs();
  const record::Run& run = one_run(runs, "--to b-eff-io: the files");
  const auto to = prefix_of_four(values);
  if (!values.on("partial")) refuse_incomplete(run);
  const auto existing = values.on("overwrite") ? formats::Existing::overwrite : formats::Existing::refuse;
  formats::check_beffio_files(to, existing);
  const record::EndRecord* end = run.end ? &*run.end : nullptr;
  try {
    formats::write_beffio_files(to, beffio_report(run.head, run.points, end, to), existing);
  } catch (const std::invalid_argument& error) {
    throw UsageError("the records of run " + run.id + " make no b_eff_io: " + error.what());
  }
}

}  // namespace steelyard::cli
