// SPDX-License-Identifier: Apache-2.0
#include "exports/formats.hpp"

#include <iostream>

#include "exports/output.hpp"
#include "formats/csv.hpp"
#include "input/runs.hpp"
#include "options/checks.hpp"
#include "process/errors.hpp"
#include "units/text.hpp"

namespace steelyard::cli {

using record::PointRecord;
using record::Record;

Exported::Exported(Input input, std::string_view wanted)
    : format(wanted), selected(input.names.has_value()), input_(std::move(input)) {}

bool Exported::lets_through(const PointRecord& point) const {
  return !input_.names || input_.names->contains(point.suite + '/' + point.benchmark);
}

void Exported::tell(const record::FileContent& counts) const {
  if (input_.tells) tell_of_lost_lines(input_.file, counts);
  if (input_.verbose && counts.unknown_types > 0)
    std::cerr << "steelyard: passed over " << counts.unknown_types
              << " records of types that this version does not know\n";
}

std::vector<record::Run> Exported::whole_runs() const {
  if (input_.foreign) return record::runs(*input_.foreign);
  record::FileContent counts;
  auto runs = record::read_runs(input_.file, input_.choice, &counts);
  tell(counts);
  return runs;
}

std::vector<record::Run> Exported::runs() const {
  auto runs = whole_runs();
  if (!input_.names) return runs;
  for (record::Run& run : runs) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < run.points.size(); ++i) {
      if (!lets_through(run.points[i])) continue;
      if (kept != i) {
        run.points[kept] = std::move(run.points[i]);
        run.envelopes[kept] = std::move(run.envelopes[i]);
      }
      ++kept;
    }
    run.points.resize(kept);
    run.envelopes.resize(kept);
  }
  return runs;
}

void Exported::each_record(const std::function<void(Record&&)>& take) const {
  const auto take_chosen = [&](Record&& record) {
    const auto* point = std::get_if<PointRecord>(&record.body);
    if (point == nullptr || lets_through(*point)) take(std::move(record));
  };
  if (!input_.foreign) return tell(record::scan(input_.file, input_.choice, take_chosen));
  for (Record record : input_.foreign->records) take_chosen(std::move(record));
}

void Exported::each_run(const record::RunTaker& take) const {
  const auto take_chosen = [&](const record::RunRecord& head, const record::Envelope& envelope,
                               const PointRecord& point) {
    if (lets_through(point)) take.point(head, envelope, point);
  };
  if (!input_.foreign) return tell(record::walk_runs(input_.file, input_.choice, {take.run, take_chosen}));
  for (const record::Run& run : record::runs(*input_.foreign)) {
    take.run(run);
    for (std::size_t i = 0; i < run.points.size(); ++i)
      take_chosen(run.head, run.envelopes[i], run.points[i]);
  }
}

void Exported::each_point(const record::PointConsumer& take) const {
  each_run({[](const record::Run&) {}, take});
}

std::filesystem::path prefix_of_files(const Values& values, const std::string& usual,
                                      const std::string& count) {
  const std::string word = values.word_or("output", usual);
  if (word == "-")
    throw UsageError("--output: " + count +
                     " files cannot go to standard output, '-' names a prefix of none");
  try {
    return parse_prefix(word);
  } catch (const units::ParseError& error) {
    throw UsageError(std::string("--output: ") + error.what());
  }
}

// Every point as it was recorded: csv and json.
void export_csv(const Exported& what, const Values& values) {
  const bool all = values.word("metrics") == "all";
  bool any = false;
  const auto write = [&](std::ostream& out) {
    formats::CsvText text(out, all ? formats::CsvMetrics::all : formats::CsvMetrics::primary);
    what.each_point([&](const auto& head, const auto& envelope, const auto& point) {
      any = true;
      text.point(head, envelope, point);
    });
    text.end();
  };
  write_output(write, values);
  if (!any)
    std::cerr << "steelyard: warning: no point "
              << (values.said("select") ? "fits --select" : "is in the records")
              << ": the heading stands alone\n";
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
