// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cctype>

#include "report/chart_tables.hpp"
#include "suites/suite_list.hpp"

namespace steelyard::report {
namespace {

using analysis::Cell;
using analysis::ColumnKind;
using analysis::Section;

/// Rows of all static tables together: more nobody reads, and files grow.
constexpr std::size_t most_rows = 4000, least_rows_of_table = 24;

std::size_t rows_of_table(const Source& source) {
  return std::max(least_rows_of_table, most_rows / std::max<std::size_t>(1, source.benchmarks.size()));
}

std::optional<double> value_of(const record::Metric& metric) {
  if (const auto* plain = std::get_if<double>(&metric)) return *plain;
  const auto* all = std::get_if<record::Statistics>(&metric);
  return all == nullptr ? std::nullopt : all->median;
}

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& one : words) text += (text.empty() ? "" : between) + one;
  return text;
}

std::string standing(const record::SummaryRecord& summary) {
  std::string text;
  if (summary.official)
    text = *summary.official ? "official" : "not official: " + joined(summary.not_official_because, "; ");
  if (summary.verified == false) text += (text.empty() ? "" : ". ") + std::string("a verification failed");
  if (summary.inputs_missing > 0)
    text += (text.empty() ? "" : ". ") + std::to_string(summary.inputs_missing) + " points missing";
  return text;
}

/// Values of a summary of one run, each in a readable unit.
Section summary_section(const std::string& run, const record::SummaryRecord& summary, bool several) {
  Section section{
      "summary", summary.name + (several ? " of " + run : ""), {}, {"summary", {}, {}, "value"}, {}};
  section.table.columns = {{"run", "run", "", ColumnKind::text, analysis::Audience::programs},
                           {"summary", "summary", "", ColumnKind::text, analysis::Audience::programs},
                           {"name", "value of", "", ColumnKind::text},
                           {"value", "value", "", ColumnKind::number},
                           {"unit", "unit", "", ColumnKind::text},
                           {"meaning", "", "", ColumnKind::text, analysis::Audience::readers}};
  for (const auto& [name, metric] : summary.values) {
    const auto value = value_of(metric);
    const Scale scale = scale_of(record::unit_of(name), value.value_or(0));
    const auto* known = record::metric_name(name);
    section.table.rows.push_back({run, summary.name, name, value ? Cell(*value * scale.factor) : Cell(),
                                  scale.unit,
                                  known == nullptr ? std::string() : std::string(known->definition)});
  }
  if (const std::string text = standing(summary); !text.empty()) section.notes.push_back(text);
  return section;
}

void add_summaries(const Source& source, auto is_mine, Part& part) {
  const auto& runs = source.input.runs;
  for (std::size_t i = 0; i < runs.size(); ++i)
    for (const auto& summary : runs[i].summaries)
      if (is_mine(summary.suite) && !summary.values.empty())
        part.shown.push_back(summary_section(source.names[i], summary, runs.size() > 1));
}

void add_tables(const Source& source, auto is_mine, Part& part) {
  for (const Benchmark& one : source.benchmarks)
    if (is_mine(one.suite)) part.folded.push_back(benchmark_table(source, one, rows_of_table(source)));
}

using AddTables = void (*)(const Source& source, Part& part);

Part part_of(const Source& source, std::string_view id, std::string_view title, std::string_view charts,
             AddTables add_own, auto is_mine) {
  Part part{std::string(id), std::string(title), {}, {}, std::string(charts)};
  add_summaries(source, is_mine, part);
  if (add_own != nullptr) add_own(source, part);
  add_tables(source, is_mine, part);
  return part;
}

void add_beff_tables(const Source& source, Part& part) {
  std::ranges::move(beff_tables(source), std::back_inserter(part.folded));
}
void add_io_tables(const Source& source, Part& part) {
  std::ranges::move(io_tables(source), std::back_inserter(part.folded));
}
void add_blas_table(const Source& source, Part& part) {
  if (auto table = blas_table(source)) part.shown.push_back(std::move(*table));
}

/// Suites of a kind, which suites/suite_list.hpp names.
struct Family {
  std::string_view id, title, charts;
  AddTables add_own;  // tables that show more than points; nullptr: none
};
constexpr std::array families = std::to_array<Family>({
    {"messages", "Latency and bandwidth", "curves", nullptr},
    {"b_eff", "Effective bandwidth (b_eff)", "beff", add_beff_tables},
    {"io", "Parallel I/O", "io", add_io_tables},
    {"hpcc", "HPC Challenge", "", add_blas_table},
});
static_assert(std::ranges::all_of(suites::suite_list, [](const suites::SuiteInfo& suite) {
  return suite.family.empty() || std::ranges::find(families, suite.family, &Family::id) != families.end();
}));

/// A word that may stand in an attribute.
std::string plain(std::string_view suite) {
  std::string text = "suite-";
  for (const char c : suite) text += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
  return text;
}

std::vector<std::string> other_suites(const Source& source) {
  std::vector<std::string> list;
  const auto add = [&](const std::string& suite) {
    if (!suite.empty() && suites::suite_info(suite).family.empty() &&
        std::ranges::find(list, suite) == list.end())
      list.push_back(suite);
  };
  for (const Benchmark& one : source.benchmarks) add(one.suite);
  for (const auto& run : source.input.runs)
    for (const auto& summary : run.summaries) add(summary.suite);
  return list;
}

}  // namespace

std::string part_of_suite(std::string_view suite) {
  const auto family = suites::suite_info(suite).family;
  return family.empty() ? plain(suite) : std::string(family);
}

std::vector<Part> suite_parts(const Source& source) {
  std::vector<Part> list;
  for (const Family& family : families)
    list.push_back(
        part_of(source, family.id, family.title, family.charts, family.add_own,
                [&](const std::string& suite) { return suites::suite_info(suite).family == family.id; }));
  for (const std::string& suite : other_suites(source))
    list.push_back(part_of(source, plain(suite), suite, "curves", nullptr,
                           [&](const std::string& s) { return s == suite; }));
  return list;
}

}  // namespace steelyard::report
