// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <stdexcept>

#include "beff/options.hpp"
#include "beff/report.hpp"
#include "errors.hpp"
#include "exports/formats.hpp"
#include "exports/runs.hpp"
#include "suites/beff/definition.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

using Strings = std::vector<std::string>;

std::filesystem::path prefix_of_six(const Values& values) {
  const std::string word = values.word_or("output", "b_eff");
  if (word == "-")
    throw UsageError("--output: six files cannot go to standard output, '-' names a prefix of none");
  try {
    return parse_prefix(word);
  } catch (const units::ParseError& error) {
    throw UsageError(std::string("--output: ") + error.what());
  }
}

void refuse_other_suites(const record::Run& run) {
  const auto is_beff = [](const record::PointRecord& point) { return point.suite == beff::suite_name; };
  if (!std::ranges::any_of(run.points, is_beff))
    throw UsageError("the records of run " + run.id + " lack points of suite b-eff");
}

analysis::BeffRun understood(const record::Run& run) {
  try {
    return analysis::BeffRun(run.points);
  } catch (const std::invalid_argument& error) {
    throw UsageError("the records of run " + run.id + " make no b_eff: " + error.what());
  }
}

// What the files of a whole run have.
Strings missing(const record::Run& run) {
  const auto beff = understood(run);
  Strings list;
  if (beff.missing() > 0)
    list.push_back(std::to_string(beff.missing()) + " loops that failed or were skipped");
  if (!beff.complete())
    list.push_back(std::to_string(analysis::beff_length_count - beff.cube().lengths().size()) + " of " +
                   std::to_string(analysis::beff_length_count) + " message lengths");
  if (!beff.b_eff() && list.empty()) list.emplace_back("rings or random polygons");
  if (!is_whole(run, beff::suite_name)) list.emplace_back("the end of the run");
  return list;
}

}  // namespace

void export_beff(const Exported& what, const Values& values) {
  const auto runs = what.runs();
  const record::Run& run = one_run(runs, "--to b-eff: the files");
  const auto to = prefix_of_six(values);
  refuse_other_suites(run);
  if (const auto lacks = missing(run); !lacks.empty() && !values.on("partial"))
    throw UsageError("the records of run " + run.id + " lack " + listed(lacks),
                     "--partial writes what there is");
  const auto existing = values.on("overwrite") ? formats::Existing::overwrite : formats::Existing::refuse;
  formats::check_beff_files(to, existing);
  const record::EndRecord* end = run.end ? &*run.end : nullptr;
  formats::write_beff_files(to, beff_report(run.head, run.points, end, to), existing);
}

}  // namespace steelyard::cli
