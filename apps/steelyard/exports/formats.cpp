// SPDX-License-Identifier: Apache-2.0
#include "exports/formats.hpp"

#include <algorithm>
#include <iostream>
#include <memory>
#include <sstream>
#include <system_error>

#include "analysis/hpcc_summary.hpp"
#include "exports/output.hpp"
#include "formats/csv.hpp"
#include "formats/ftio/text.hpp"
#include "formats/gnuplot/plot.hpp"
#include "formats/hpcc/text.hpp"
#include "formats/imb/text.hpp"
#include "input/runs.hpp"
#include "options/checks.hpp"
#include "process/errors.hpp"
#include "record/clipped.hpp"
#include "report/report.hpp"
#include "suites/hpcc/definition.hpp"
#include "suites/imb/part_definition.hpp"
#include "units/text.hpp"

namespace steelyard::cli {

using record::PointRecord;
using record::Record;

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

void Exported::each_record(const record::TextMaker& make, const record::TextConsumer& take) const {
  const auto take_chosen = [&](Record&& record, std::string_view text) {
    const auto* point = std::get_if<PointRecord>(&record.body);
    if (point == nullptr || lets_through(*point)) take(std::move(record), text);
  };
  if (!input_.foreign) return tell(record::scan(input_.file, input_.choice, make, take_chosen));
  for (Record record : input_.foreign->records) {
    std::string text;
    if (make) make(record, text);
    take_chosen(std::move(record), text);
  }
}

void Exported::each_run(const record::RunTaker& take) const {
  const auto take_chosen = [&](const record::RunRecord& head, const record::Envelope& envelope,
                               const PointRecord& point) {
    if (lets_through(point)) take.point(head, envelope, point);
  };
  const auto make_chosen = [&](const record::RunRecord& head, const record::Envelope& envelope,
                               const PointRecord& point, std::string& text) {
    if (lets_through(point)) take.make(head, envelope, point, text);
  };
  const record::RunTaker chosen{take.run, take_chosen, take.make ? make_chosen : record::PointText(),
                                take.text};
  if (!input_.foreign) return tell(record::walk_runs(input_.file, input_.choice, chosen));
  for (const record::Run& run : record::runs(*input_.foreign)) {
    take.run(run);
    for (std::size_t i = 0; i < run.points.size(); ++i)
      chosen.take(run.head, run.envelopes[i], run.points[i]);
  }
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
  using formats::CsvMetrics;
  const auto metrics = values.word("metrics") == "all" ? CsvMetrics::all : CsvMetrics::primary;
  bool any = false;
  const auto write = [&](std::ostream& out) {
    formats::CsvText text(out);
    const auto take = [&](std::string_view rows) {
      if (rows.empty()) return;  // of a point that --select does not let through
      any = true;
      text.point(rows);
    };
    what.each_run({[](const record::Run&) {},
                   {},
                   [metrics](const auto& head, const auto& envelope, const auto& point, std::string& rows) {
                     formats::append_csv_rows(rows, metrics, head, envelope, point);
                   },
                   take});
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
    what.each_record([](const Record& record, std::string& line) { append_line(line, record); },
                     [&text](Record&& /*record*/, std::string_view line) { text.record(line); });
    text.end();
  };
  write_output(write, values);
}

namespace {

/// Whether a suite, or that of a benchmark ("mpi4/Bcast_init"), has the text of IMB.
bool is_imb(std::string_view name) {
  return imb::find_part(name.substr(0, name.find('/'))) != nullptr;
}

/// Text of a run's parts of IMB, written while its points come: whether it may be shown is known behind the last.
class ImbRun {
 public:
  ImbRun(const record::Run& run, std::ostream& out, const formats::ImbTextOptions& options)
      : out_(out), options_(options) {
    run_.id = run.id;
    run_.head = run.head;
    run_.end = run.end;
  }

  void point(const record::PointRecord& point) {
    counts_.add(point);
    benchmarks_.insert(point.suite + '/' + point.benchmark);
    if (is_imb(point.suite) && parts_.insert(point.suite).second && !writer_) {
      writer_ = formats::imb_text(out_, options_);
      writer_->run(run_.head);
    }
    if (writer_) writer_->point(point);
  }

  void end() {
    if (!writer_) return;
    if (const auto end = counts_.end_of(run_, parts_)) writer_->end(*end);
  }

  /// Throws UsageError if the run has no points of IMB, or lacks some and `partial` is false.
  void require_points(bool partial) const {
    if (parts_.empty()) throw UsageError("the records of run " + run_.id + " lack points of an imb suite");
    const auto lacks = missing();
    if (!lacks.empty() && !partial)
      throw UsageError("the records of run " + run_.id + " lack " + units::joined(lacks), advice_on_part);
  }

 private:
  [[nodiscard]] std::vector<std::string> missing() const {
    std::vector<std::string> list;
    for (const std::string& name : run_.head.plan_sequence)
      if (is_imb(name) && !benchmarks_.contains(name)) list.push_back(name);
    if (!std::ranges::all_of(parts_, [&](const std::string& part) { return counts_.is_whole(run_, part); }))
      list.emplace_back("the end of the run");
    return list;
  }

  std::ostream& out_;
  const formats::ImbTextOptions& options_;
  record::Run run_;  // without its points
  PointCounts counts_;
  std::set<std::string, std::less<>> benchmarks_, parts_;
  std::unique_ptr<formats::Writer> writer_;
};

using Strings = std::vector<std::string>;

constexpr std::string_view solver = "HPL";

std::set<std::string> benchmarks(const record::Run& run) {
  std::set<std::string> names;
  for (const auto& point : run.points)
    if (point.suite == hpcc::suite_name) names.insert(point.benchmark);
  return names;
}

Strings missing(const record::Run& run, const std::string& format) {
  const auto there = benchmarks(run);
  if (format == "hpl")
    return there.contains(std::string(solver)) ? Strings{} : Strings{"points of the linear solver"};
  Strings list;
  for (const auto& name : analysis::hpcc_frame(run.head).benchmarks)
    if (!there.contains(name)) list.push_back(name);
  if (!is_whole(run, hpcc::suite_name)) list.emplace_back("the end of the run");
  return list;
}

void refuse_incomplete(const record::Run& run, const std::string& format, const Values& values) {
  if (benchmarks(run).empty())
    throw UsageError("the records of run " + run.id + " lack points of suite hpcc");
  const auto lacks = missing(run, format);
  if (lacks.empty()) return;
  if (format == "hpl") throw UsageError("the records of run " + run.id + " lack " + units::joined(lacks));
  if (!values.on("partial"))
    throw UsageError("the records of run " + run.id + " lack " + units::joined(lacks), advice_on_part);
}

std::string input(const record::Run& run) {
  auto text = formats::hpcc_input(run.head);
  if (text.empty()) throw UsageError("the records of run " + run.id + " lack the input of suite hpcc");
  return text;
}

/// Summary that the run wrote; if it was cut off, the same computed from its points.
std::optional<record::SummaryRecord> summary(const record::Run& run) {
  for (const auto& one : run.summaries)
    if (one.name == hpcc::suite_name) return one;
  return analysis::hpcc_summary(run.points, analysis::hpcc_frame(run.head));
}

/// Hands the records to a writer whose clock stands at the time of each.
class Replay {
 public:
  explicit Replay(const record::Run& run)
      : run_(run), start_(formats::unix_seconds(run.head.started_utc)), now_(start_) {}

  [[nodiscard]] std::function<std::int64_t()> clock() {
    return [this] { return now_; };
  }

  void to(formats::Writer& writer) {
    writer.run(run_.head);
    for (std::size_t i = 0; i < run_.points.size(); ++i) {
      now_ = record::clipped<std::int64_t>(static_cast<double>(start_) + run_.envelopes[i].at_s);
      writer.point(run_.points[i]);
    }
    if (const auto found = summary(run_)) writer.summary(*found);
    const auto end = end_of(run_, {std::string(hpcc::suite_name)});
    if (end && !end->finished_utc.empty()) now_ = formats::unix_seconds(end->finished_utc);
    writer.end(end.value_or(cut_off()));
  }

 private:
  static record::EndRecord cut_off() {
    record::EndRecord end;
    end.status = "interrupted";
    end.cause = "cut off";
    return end;
  }

  const record::Run& run_;
  std::int64_t start_, now_;
};

std::map<std::string, int, std::less<>> points_of(const record::Run& run) {
  std::map<std::string, int, std::less<>> counts;
  for (const auto& point : run.points)
    if (point.suite == hpcc::suite_name) ++counts[point.benchmark];
  return counts;
}

/// Tables of the report of this run.
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

void export_imb(const Exported& what, const Values& values) {
  formats::ImbTextOptions options{.names = what.names()};
  if (const auto version = values.word("imb-version"))
    options.version = *version == "2021" ? imb::Version::v2021 : imb::Version::v31;
  std::ostringstream out;
  std::vector<ImbRun> runs;
  const auto end_last = [&runs] {
    if (!runs.empty()) runs.back().end();
  };
  what.each_run(
      {[&](const record::Run& run) {
         end_last();
         runs.emplace_back(run, out, options);
       },
       [&](const auto&, const auto&, const record::PointRecord& point) { runs.back().point(point); }});
  end_last();
  for (const ImbRun& run : runs) run.require_points(what.selected || values.on("partial"));
  write_output(std::move(out).str(), values);
}

void export_ftio(const Exported& what, const Values& values) {
  std::ostringstream out;
  for (const record::Run& run : what.runs()) {
    if (std::ranges::find(run.points, "ftio", &record::PointRecord::suite) == run.points.end())
      throw UsageError("--to ftio: run " + run.id + " has no points of ftio");
    if (!is_whole(run, "ftio") && !values.on("partial"))
      throw UsageError("the records of run " + run.id + " lack the end of the run", advice_on_part);
    const auto writer = formats::ftio_text(out);
    writer->run(run.head);
    for (const record::PointRecord& point : run.points) writer->point(point);
    writer->end(end_of(run, {"ftio"}).value_or(record::EndRecord{}));
  }
  write_output(out.str(), values);
}

void export_hpcc(const Exported& what, const Values& values) {
  const auto runs = what.runs();
  const auto& run = one_run(runs, "the formats of HPC Challenge");
  const std::string format(what.format);
  if (format == "hpccinf") return write_output(input(run), values);
  refuse_incomplete(run, format, values);
  std::ostringstream out;
  Replay replay(run);
  const auto version =
      values.need("hpl-version") == "2.0" ? formats::HplVersion::v20 : formats::HplVersion::v23;
  const auto writer = format == "hpl" ? formats::hpl_text(out, version, replay.clock())
                                      : formats::hpcc_text(out, {points_of(run), replay.clock()});
  replay.to(*writer);
  write_output(out.str(), values);
}

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
