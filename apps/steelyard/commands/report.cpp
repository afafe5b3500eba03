// SPDX-License-Identifier: Apache-2.0
#include "report/report.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <iostream>

#include "acceptance/criteria_file.hpp"
#include "analysis/comparison/imported.hpp"
#include "analysis/history/history.hpp"
#include "commands/balance.hpp"
#include "commands/program.hpp"
#include "exports/output.hpp"
#include "exports/report.hpp"
#include "formats/tables/tables.hpp"
#include "input/balance_input.hpp"
#include "input/runs.hpp"
#include "input/text_file.hpp"
#include "options/resolve.hpp"
#include "process/errors.hpp"

namespace steelyard::cli {
namespace {

using report::ReportInput;

struct Systems {
  std::vector<balance::System> all;
  std::vector<std::size_t> of_runs;  // places of those of runs, in the order of the runs
};

void add_input(const std::string& file, const Values& values, ReportInput& material, Systems& systems) {
  const bool alone =
      values.list("input").size() == 1 && !values.word("baseline");  // a comparison needs all points
  auto input = read_balance_input(file, record::parse_run_choice(values.need("run")), "hpcc",
                                  description_of(values, file), alone ? PointsRead::rows : PointsRead::all);
  material.rows = std::move(input.rows);
  if (input.runs.empty())
    material.foreign.insert(material.foreign.end(), input.systems.begin(), input.systems.end());
  for (std::size_t i = 0; i < input.runs.size(); ++i) systems.of_runs.push_back(systems.all.size() + i);
  std::move(input.runs.begin(), input.runs.end(), std::back_inserter(material.runs));
  std::move(input.systems.begin(), input.systems.end(), std::back_inserter(systems.all));
}

ReportInput read_material(const Values& values) {
  const auto files = values.list("input");
  if (files.empty())
    throw UsageError(
        "an INPUT is missing: a result directory, a result.jsonl, a text of another program, or -");
  ReportInput material;
  Systems systems;
  for (const std::string& file : files) add_input(file, values, material, systems);
  if (files.size() == 1) add_launches(material, files.front());
  std::vector<balance::Provenance::File> reference_files;
  auto references = balance_references(values, reference_files);
  judge(material, std::move(systems.all), std::move(references), systems.of_runs);
  return material;
}

/// The last run of a file with the launches that belong to it; all runs of a text of another program.
std::vector<record::Run> last_series(const std::string& file, const Values& values) {
  hold_input(file);
  if (is_foreign_file(file)) return foreign_runs(file, description_of(values, file));
  record::FileContent told_already;
  return record::read_runs(file, {record::RunChoice::Kind::series, {}}, &told_already);
}

/// Runs of one side of a comparison. If each run of the report is the last of its file, its launches come with it:
/// one alone decides nothing.
std::vector<record::Run> side(const Values& values, const ReportInput& material, std::size_t which,
                              std::size_t of) {
  const auto files = values.list("input");
  const bool last = values.need("run") == "last" && files.size() == of && material.runs.size() == of;
  if (last && files[which] != "-") return last_series(files[which], values);
  if (of == 1) return material.runs;
  return {material.runs[which]};
}

/// Reasons, one a line, as one sentence.
std::string in_one_line(const std::string& reasons) {
  std::string text;
  for (const char c : reasons) text += c == '\n' ? std::string("; ") : std::string(1, c);
  return text;
}

/// Adds a comparison with the base --baseline, else with the first of two runs.
void add_comparison(const Values& values, ReportInput& material) {
  std::vector<record::Run> base, now;
  if (const auto file = values.word("baseline")) {
    base = last_series(*file, values);
    now = side(values, material, 0, 1);
    material.compared_as = "Base: " + *file + ". New: the runs of this report.";
  } else if (material.runs.size() == 2) {
    base = side(values, material, 0, 2);
    now = side(values, material, 1, 2);
    const auto names = report::run_names(material.runs);
    material.compared_as = "Base: " + names[0] + ". New: " + names[1] + '.';
  } else {
    return;
  }
  try {
    comparison::Options options;
    options.figures = comparison::holds_imported(base) || comparison::holds_imported(now);
    options.notes = comparison::align(base, now, false);
    material.compared = comparison::compare(base, now, std::move(options));
  } catch (const comparison::NotComparable& unlike) {
    material.not_compared = in_one_line(unlike.what());
  }
}

/// Place of the report: --output, else report.html or report.tex in the first input's directory, or beside its
/// file, or here if it is a pipe or standard input; "-" for other formats.
std::string place_of(const Values& values, const std::string& first) {
  if (const auto said = values.word("output")) return *said;
  const std::string format = values.need("format");
  if (format != "html" && format != "latex") return "-";
  const std::string name = format == "html" ? "report.html" : "report.tex";
  if (is_descriptor(first)) return name;
  const std::filesystem::path path(first);
  return ((std::filesystem::is_directory(path) ? path : path.parent_path()) / name).string();
}

std::string title_of(const Values& values) {
  return values.word_or("title", "");
}

std::string html_of(const ReportInput& material, const Values& values) {
  report::PageOptions options{.title = title_of(values), .generated_utc = record::utc_now()};
  if (const auto most = values.count("max-points")) options.max_points = static_cast<std::size_t>(*most);
  if (const auto file = values.word("template")) options.page = text_of_file(*file);
  if (options.page.empty() && report::built_in_page().empty())
    std::cerr
        << "steelyard: note: no charts: built without Node.js and npm; --template FILE takes a page built "
           "elsewhere\n";
  try {
    return report::html(material, options);
  } catch (const std::invalid_argument& error) {
    throw UsageError(std::string("--template: ") + error.what());
  }
}

std::string rendered(const ReportInput& material, const Values& values) {
  const std::string format = values.need("format");
  if (format == "html") return html_of(material, values);
  auto tables = report::tables(report::parts(material));
  if (const std::string title = title_of(values); !title.empty())
    tables.insert(tables.begin(), {"title", title});
  return format == "markdown" ? formats::tables_markdown(tables)
                              : formats::tables_text(tables, text_width(values, 100));
}

/// Opens the report with the desktop's viewer; if there is none, the file is there all the same.
void show(const std::string& file) {
  std::array<std::string, 2> words = {"xdg-open", file};
  std::array<char*, 3> arguments = {words[0].data(), words[1].data(), nullptr};
  pid_t child = 0;
  int status = posix_spawnp(&child, words[0].c_str(), nullptr, nullptr, arguments.data(), environ);
  if (status == 0 && waitpid(child, &status, 0) == child && status == 0) return;
  std::cerr << "steelyard: note: --open: xdg-open did not open the report\n";
}

/// Adds the criteria of --accept, judged from all launches of the inputs.
void add_acceptance(const Values& values, ReportInput& material) {
  const auto file = values.word("accept");
  if (!file && !values.list("accept-reference").empty())
    throw UsageError("--accept-reference: belongs to --accept");
  if (!file) return;
  std::vector<acceptance::Launch> launches;
  for (const std::string& input : values.list("input")) {
    if (input == "-") throw UsageError("--accept: needs files, not standard input");
    for (auto& one : read_launches(input, values.need("run"), values)) launches.push_back(std::move(one));
  }
  refuse_repeated(launches);
  const auto sheet =
      judged_sheet(parse_criteria(text_of_file(*file), *file), launches, values, "accept-reference");
  material.acceptance = acceptance::tables(sheet);
  material.acceptance_bars = acceptance::bars(sheet);
}

int run_report(const Invocation& invocation) {
  const Values& values = invocation.values;
  ReportInput material = read_material(values);
  add_comparison(values, material);
  add_acceptance(values, material);
  if (const auto places = values.word("history")) {
    const auto history = history_for_report(*places, values);
    material.history = history::tables(history);
    material.history_charts = history::charts(history);
  }
  const std::string file = place_of(values, values.list("input").front());
  if (values.on("open") && (file == "-" || values.need("format") != "html"))
    throw UsageError("--open: needs --format html and a file");
  if (values.on("body") && values.need("format") != "latex") throw UsageError("--body: needs --format latex");
  if (values.need("format") == "latex")
    write_latex(material, values.word_or("title", report::title_of(material)), file,
                values.on("body") ? LatexForm::body : LatexForm::document);
  else
    write_output(rendered(material, values), file, Existing::replaced);
  if (file == "-") return exit_code::done;
  const std::string whole = std::filesystem::absolute(file).lexically_normal().string();
  std::cout << whole << std::endl;
  if (values.on("open")) show(whole);
  return exit_code::done;
}

constexpr std::int64_t least_points = 100, most_points = 10000000;

constexpr Option report_options[] = {
    {"output", Kind::file, "where to write; replaced if it is there", 'o',
     FallbackText{"report.html or report.tex beside the first input; text and Markdown: standard output"}},
    {"format", Kind::word, "form of the report", Fallback{"html"}, OneOf{"html text markdown latex"}},
    {"body", "LaTeX without a document around it, for \\input, with curves as figures of pgfplots"},
    {"title", Kind::text, "heading", FallbackText{"the machines' names"}},
    run_option,
    {"baseline", Kind::file, "adds a comparison with this result"},
    {"accept", Kind::file, "adds the criteria of this file, judged from the inputs (steelyard help accept)",
     Argument{"CRITERIA"}},
    {"accept-reference", Kind::text,
     "what limits of these criteria call reference:NAME; several launches are joined by commas",
     Argument{"NAME=RESULT"}, Repeat::many},
    {"history", Kind::text, "adds changes over all runs below these folders (steelyard help history)",
     Argument{"DIR,..."}},
    {"max-points", Kind::count, "points in the data of the charts; more are thinned evenly",
     Fallback{"200000"}, Within{least_points, most_points}},
    {"open", "show the page with the desktop's viewer (xdg-open)"},
    {"template", Kind::file, "page with charts built elsewhere", FallbackText{"built in"}},
};
constexpr Group report_groups[] = {
    {"Report", report_options}, {"Beside it", references_beside}, foreign_group};
constexpr std::string_view report_examples[] = {"steelyard report steelyard-results/first",
                                                "steelyard report mine theirs/hpccoutf.txt -o both.html",
                                                "steelyard report today --baseline yesterday --format text",
                                                "steelyard report mine --format latex -o paper/machine.tex"};
constexpr int report_codes[] = {0, 2, 4};

}  // namespace

constinit const Command report_command{
    .name = "report",
    .section = "Read results",
    .summary = "one HTML file with verdict, figures of merit, tables and charts",
    .description =
        "Writes everything that one or more results say into one file that any browser opens without a "
        "network: verdict, figures of merit, balance, every suite, noise, environment, and all points. "
        "Several results stand side by side; two are compared point by point.",
    .positional = {"INPUT", Kind::file, Repeat::many,
                   "result directories, result.jsonl (.gz), texts of other programs, or -"},
    .groups = report_groups,
    .examples = report_examples,
    .exit_codes = report_codes,
    .see_also = "steelyard help balance, steelyard help compare",
    .run = run_report};

}  // namespace steelyard::cli
