// SPDX-License-Identifier: Apache-2.0
#include "acceptance/forms.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>

#include "analysis/acceptance/selection.hpp"
#include "analysis/balance/ratios.hpp"
#include "foreign/foreign.hpp"
#include "formats/monitoring.hpp"
#include "formats/tables/tables.hpp"
#include "record/file.hpp"
#include "suites/screen/quantities.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

using acceptance::Sheet;
using formats::CaseResult;

/// Result in JUnit: an undecided verdict that counts for the exit code is a failure here too.
CaseResult case_of(acceptance::Verdict verdict, const std::set<acceptance::Verdict>& fatal) {
  if (verdict == acceptance::Verdict::undecided && fatal.contains(verdict)) return CaseResult::failed;
  switch (verdict) {
    case acceptance::Verdict::pass: return CaseResult::passed;
    case acceptance::Verdict::fail: return CaseResult::failed;
    case acceptance::Verdict::undecided:
    case acceptance::Verdict::waived: return CaseResult::skipped;
    default: return CaseResult::error;
  }
}

std::string junit_of(const Sheet& sheet, const std::set<acceptance::Verdict>& fatal) {
  formats::TestSuite suite{sheet.title, record::utc_now(), 0, {}};
  for (const acceptance::Judgement& one : sheet.list) {
    formats::TestCase test{one.section.empty() ? sheet.title : one.section, one.id,
                           case_of(one.verdict, fatal), std::string(text(one.verdict)), finding(one)};
    add_property(test, "value", one.value);
    add_property(test, "unit", one.unit);
    add_property(test, "low", one.low);
    add_property(test, "high", one.high);
    add_property(test, "limit", one.limit);
    suite.cases.push_back(std::move(test));
  }
  const std::array suites{std::move(suite)};
  return formats::junit(suites);
}

/// Labels of all inputs; a value is empty if they disagree, which stands for no label.
formats::SampleLabels common_labels(const Sheet& sheet) {
  formats::SampleLabels labels;
  const auto add = [&](const char* name, const auto& of) {
    std::set<std::string> words;
    for (const acceptance::Input& one : sheet.inputs) words.insert(of(one));
    labels.emplace_back(name, words.size() == 1 ? *words.begin() : std::string());
  };
  add("name", [](const acceptance::Input& one) { return one.machine; });
  add("nodes", [](const acceptance::Input& one) { return one.nodes > 0 ? std::to_string(one.nodes) : ""; });
  add("processes", [](const acceptance::Input& one) { return std::to_string(one.processes); });
  return labels;
}

std::string prometheus_of(const Sheet& sheet) {
  formats::SampleFamily family{"steelyard_verdict", "How many criteria have each verdict.", {}, {}};
  for (const acceptance::Verdict verdict :
       {acceptance::Verdict::wrong_input, acceptance::Verdict::fail, acceptance::Verdict::missing,
        acceptance::Verdict::undecided, acceptance::Verdict::pass, acceptance::Verdict::waived}) {
    formats::SampleLabels labels = common_labels(sheet);
    labels.insert(labels.end(),
                  {{"judge", "accept"}, {"title", sheet.title}, {"verdict", std::string(text(verdict))}});
    family.samples.push_back({std::move(labels), static_cast<double>(sheet.count(verdict)), {}});
  }
  const std::array families{std::move(family)};
  return formats::prometheus_text(families);
}

std::string subject_of(const acceptance::Criterion& one) {
  return !one.figure.empty() ? one.figure : !one.select.empty() ? one.select : one.table;
}

/// SELECT word of a quantity's source, "run hpcc/HPL"; empty for what no run measures.
std::string word_of(balance::Quantity quantity) {
  constexpr std::string_view run = "run ";
  const auto source = balance::info(quantity).source;
  return source.starts_with(run) ? std::string(source.substr(run.size())) : std::string();
}

/// Words of all that a ratio is made of: those that it misses where nothing is known.
std::set<std::string> words_of(const balance::Ratio& ratio) {
  std::set<std::string> words;
  for (const balance::Quantity one : balance::evaluate(ratio, balance::Inputs{}).missing)
    words.insert(word_of(one));
  return words;
}

/// What measures a figure: hpcc/HPL of the quantity hpl_flop_s, b-eff of the figures b_eff and b_eff.b_eff_byte_s.
std::set<std::string> words_of_figure(const std::string& figure) {
  const auto kind = acceptance::figure_kind(figure);
  if (!kind) return {};
  if (const auto quantity = balance::quantity_named(figure)) return {word_of(*quantity)};
  if (const auto* ratio = balance::ratio_named(figure)) return words_of(*ratio);
  return {kind->suite == "imb-mpi1" ? "imb-mpi1/PingPong" : kind->suite};
}

/// Benchmarks or suites that measure a criterion: hpcc/HPL, screen; none if a run measures nothing of it.
std::set<std::string> measured_by(const acceptance::Criterion& one) {
  std::set<std::string> words;
  if (!one.select.empty())
    words = {acceptance::PointPattern(one.select).benchmark()};
  else if (!one.table.empty())
    words = {std::string(screen::suite_name)};
  else
    words = words_of_figure(one.figure);
  words.erase("");
  return words;
}

/// Drops benchmarks of a suite that is wanted as a whole.
void drop_parts(std::set<std::string>& wanted) {
  std::erase_if(wanted, [&](const std::string& word) {
    const std::size_t slash = word.find('/');
    return slash != std::string::npos && wanted.contains(word.substr(0, slash));
  });
}

/// Number of processes that a criterion's inputs, or else its points, must have; 0 if any will do, or a pattern.
std::int64_t processes_of(const acceptance::Criterion& one, const acceptance::Criteria& criteria) {
  std::string asked = one.where.pattern_of("processes");
  if (asked.empty()) asked = criteria.require.runs.pattern_of("processes");
  const auto in_key = acceptance::PointPattern(one.select).parameters();
  const auto found = std::ranges::find(in_key, "processes", &std::pair<std::string, std::string>::first);
  if (asked.empty() && found != in_key.end()) asked = found->second;
  return units::read_number<std::int64_t>(asked).value_or(0);
}

/// Words for a shell that measure all that is wanted of so many processes.
std::string run_words(const acceptance::Criteria& criteria, std::int64_t processes,
                      const std::set<std::string>& wanted) {
  std::vector<std::string> words{"steelyard", "run"};
  if (processes > 0) words.insert(words.end(), {"-n", std::to_string(processes)});
  if (std::ranges::any_of(criteria.list, &acceptance::Criterion::official))
    words.insert(words.end(), {"--preset", "official"});
  std::size_t launches = 1;
  for (const auto& one : criteria.list) launches = std::max(launches, one.min_launches);
  if (launches > 1) words.insert(words.end(), {"--launches", std::to_string(launches)});
  words.insert(words.end(), wanted.begin(), wanted.end());
  return units::in_shell(words);
}

}  // namespace

std::string sheet_in_form(const Sheet& sheet, const std::string& form,
                          const std::set<acceptance::Verdict>& fatal, std::size_t width) {
  if (form == "json") return document(sheet).dump(2) + '\n';
  if (form == "junit") return junit_of(sheet, fatal);
  if (form == "prometheus") return prometheus_of(sheet);
  const auto tables = acceptance::tables(sheet);
  if (form == "csv") return formats::tables_csv(tables, "criteria");
  if (form == "markdown") return formats::tables_markdown(tables);
  if (form == "html") return formats::tables_page(tables, sheet.title);
  return formats::tables_text(tables, width);
}

std::string criteria_plan(const acceptance::Criteria& criteria, std::size_t width) {
  using analysis::ColumnKind;
  analysis::Section section = analysis::table_section("criteria", criteria.title);
  section.table.columns = {{"id", "criterion", "", ColumnKind::text},
                           {"subject", "of", "", ColumnKind::text},
                           {"limit", "limit", "", ColumnKind::text},
                           {"launches", "launches", "", ColumnKind::number}};
  std::map<std::int64_t, std::set<std::string>> wanted;  // by the number of processes
  std::set<std::string> of_texts;
  for (const auto& one : criteria.list) {
    section.table.rows.push_back(
        {one.id, subject_of(one), acceptance::limits_text(one), static_cast<std::int64_t>(one.min_launches)});
    for (const std::string& word : measured_by(one))
      (foreign::is_suite(word.substr(0, word.find('/'))) ? of_texts : wanted[processes_of(one, criteria)])
          .insert(word);
  }
  if (const auto words = criteria.require.runs.words(); !words.empty())
    section.notes.push_back("of runs with: " + words);
  if (wanted.empty() && of_texts.empty()) wanted[0] = {};
  for (auto& [processes, words] : wanted) {
    drop_parts(words);
    section.notes.push_back("measured by: " + run_words(criteria, processes, words));
  }
  std::string texts;
  for (const std::string& word : of_texts) texts += ' ' + word;
  if (!texts.empty()) section.notes.push_back("read from texts of other programs:" + texts);
  return formats::tables_text({section}, width);
}

}  // namespace steelyard::cli
