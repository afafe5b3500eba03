// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <iostream>
#include <set>

#include "analysis/screening/screening.hpp"
#include "commands/program.hpp"
#include "exports/output.hpp"
#include "formats/monitoring.hpp"
#include "formats/tables/tables.hpp"
#include "input/text_file.hpp"
#include "options/checks.hpp"
#include "process/errors.hpp"
#include "record/file.hpp"
#include "screening/judgement.hpp"
#include "screening/local.hpp"
#include "suites/screen/quantities.hpp"

namespace steelyard::cli {
namespace {

using screening::Screening;
using screening::Verdict;
void take_tolerances(const Values& values, screening::Options& options) {
  if (const auto words = values.word("tolerance"))
    for (const auto& [name, tolerance] : parse_tolerances(*words)) options.tolerances[name] = tolerance;
}

screening::Options options_of_screen(const Values& values, const std::vector<record::Run>& runs,
                                     const screening::Reference& reference) {
  screening::Options options;
  options.tolerances = screening::tolerances_of(runs.front().head);
  take_tolerances(values, options);
  options.reference = reference.expected;
  options.switch_of = said_switches(values);
  return options;
}

formats::CaseResult case_of_finding(Verdict verdict) {
  if (verdict == Verdict::wrong || verdict == Verdict::missing) return formats::CaseResult::error;
  return verdict == Verdict::slow || verdict == Verdict::unstable ? formats::CaseResult::failed
                                                                  : formats::CaseResult::passed;
}

/// JUnit text: a case for every node and test, for every link with a finding, and for every test with two groups.
std::string junit_of_screen(const Screening& screening) {
  formats::TestSuite suite{"screen", record::utc_now(), 0, {}};
  std::set<std::pair<std::string, std::string>> told;
  for (const auto& one : screening.findings) {
    const std::string name = who(one, screening);
    if (!told.insert({one.quantity, name}).second) continue;
    formats::TestCase test{one.quantity, name, case_of_finding(one.verdict), std::string(text(one.verdict)),
                           sentence(one)};
    add_property(test, "percent", one.percent);
    add_property(test, "limit_percent",
                 one.limit_percent > 0 ? std::optional(one.limit_percent) : std::nullopt);
    add_property(test, "again_percent", one.again_percent);
    suite.cases.push_back(std::move(test));
  }
  for (const auto& test : screening.measured.nodes)
    for (std::size_t host = 0; host < test.nodes.size(); ++host)
      if (const auto& name = screening.measured.hosts[host];
          test.nodes[host].took_part && !told.contains({test.name, name}))
        suite.cases.push_back({test.name, name, formats::CaseResult::passed, "ok", ""});
  for (const auto& one : screening.overviews)
    if (!one.groups.empty())
      suite.cases.push_back({one.quantity, "nodes of two groups", formats::CaseResult::failed, "groups",
                             group_words(one, screening)});
  const std::array suites{std::move(suite)};
  return formats::junit(suites);
}

std::string rendered_screening(const Screening& screening, const std::string& format) {
  if (format == "json") return document(screening).dump(2) + '\n';
  if (format == "markdown") return formats::tables_markdown(tables(screening));
  if (format == "junit") return junit_of_screen(screening);
  if (format == "hostlist") return screening::nodes_to_drain(screening) + '\n';
  return screening::report(screening);
}

bool fails(const Screening& screening, const std::set<std::string>& fatal) {
  return std::ranges::any_of(screening.found(), [&](const auto& word) { return fatal.contains(word); });
}

/// "ok", or the node with all that is wrong with it, worst first.
std::string local_line(const Screening& screening) {
  if (screening.findings.empty()) return "ok\n";
  std::string line = screening.measured.hosts.front();
  for (const auto& one : screening.findings) {
    line += (&one == &screening.findings.front() ? " " : ", ") + one.quantity + ' ';
    line += one.percent ? screening::signed_percent(*one.percent) : one.note;
  }
  return line + '\n';
}

/// Judges this node by what is expected of it, for a prolog or a check of health. Returns the exit code.
int screen_here(const Values& values, const std::set<std::string>& fatal) {
  if (!values.said("reference"))
    throw UsageError("--local needs what is expected: --reference FILE.toml",
                     "steelyard screen RESULT --write-reference nodes.toml");
  for (const char* name : {"topology", "write-reference"})
    if (values.said(name)) throw UsageError("--" + std::string(name) + " does not go with --local");
  screening::Options options;
  take_tolerances(values, options);
  options.reference = said_reference(values).expected;
  auto measured = measured_here(values, options.reference);
  const auto others = screening::other_processors(measured, options.reference);
  for (const std::string& sentence : others) std::cerr << "steelyard: note: " << sentence << '\n';
  const auto screening = screening::judge(std::move(measured), options);
  const bool one_line = values.need("format") == "text";
  write_output(one_line ? local_line(screening) : rendered_screening(screening, values.need("format")),
               values);
  return fails(screening, fatal) ? exit_code::judgement : exit_code::done;
}

int run_screen(const Invocation& invocation) {
  const Values& values = invocation.values;
  const auto places = values.list("result");
  if (values.on("local") && !places.empty())
    throw UsageError("--local measures this node and reads no result ('" + places.front() + "')");
  for (const char* name : {"threads", "memory"})
    if (values.said(name) && !values.on("local"))
      throw UsageError("--" + std::string(name) + " belongs to --local");
  if (!values.on("local") && places.empty())
    throw UsageError("a result is missing", "steelyard screen results/screen");
  const auto fatal = fatal_findings(values);
  try {
    if (values.on("local")) return screen_here(values, fatal);
    const auto runs = screened_runs(places);
    // The reference of the run itself, unless one is given now.
    const auto reference =
        values.said("reference") ? said_reference(values) : screening::reference_in(runs.front().head);
    const auto options = options_of_screen(values, runs, reference);
    auto measured = screening::measured(runs);
    std::ranges::move(screening::doubts_of(reference, runs, measured), std::back_inserter(measured.doubts));
    if (const auto file = values.word("write-reference")) {
      write_output(expected_text(measured), *file,
                   values.on("overwrite") ? Existing::replaced : Existing::refused);
      return exit_code::done;
    }
    const auto screening = screening::judge(std::move(measured), options);
    write_output(rendered_screening(screening, values.need("format")), values);
    return fails(screening, fatal) ? exit_code::judgement : exit_code::done;
  } catch (const screening::Unjudgeable& error) {
    throw UsageError(error.what());
  }
}

constexpr Option screen_words[] = {
    {"reference", Kind::text,
     "what nodes and links should reach besides what the others do: medians of another screening, or of "
     "--write-reference",
     Argument{"RESULT|FILE.toml"}, FallbackText{"that of the run"}},
    {"tolerance", Kind::special,
     "differences that are none: dgemm, fma, triad, numa_triad, random_access, chase, disk, bandwidth, "
     "latency",
     Argument{"NAME=RATIO,..."}, FallbackText{"those of the run"}, parses<parse_tolerances>},
    {"topology", Kind::file,
     "which nodes are at one switch, instead of what the run was told: lines switch=S nodes=a[1-32], or "
     "Slurm's topology file; links within a switch are compared with one another, so are those between "
     "switches"},
    {"fail-on", Kind::text,
     "exit code 3 where a node or link is slow, unstable, wrong, missing, fast, or where nodes are of two "
     "groups; none",
     Argument{"LIST"}, Fallback{"slow,groups,wrong,missing"},
     OneOf{"none slow groups unstable wrong missing fast"}},
    {"write-reference", Kind::file, "write the medians as FILE.toml for --reference, and judge nothing"},
    {"local",
     "measure this node here and now, without MPI, and say in one line whether it reaches --reference: for "
     "a prolog or a check of health"},
    {"threads", Kind::count, "of --local", FallbackText{"all cores of this node"}, Within{1, 1024}},
    {"memory", Kind::size, "of --local: that its tests may use", FallbackText{"what the node has free"},
     check_size_above_0},
    {"format", Kind::word,
     "form of the answer; hostlist: slow, wrong and missing nodes in one line, as Slurm takes it",
     Fallback{"text"}, OneOf{"text json markdown junit hostlist"}},
    output_option,
    overwrite_option,
};
constexpr Group screen_groups[] = {{"Screening", screen_words}};
constexpr std::string_view screen_examples[] = {
    "steelyard run screen -n 64 -o results/screen", "steelyard screen results/screen",
    "steelyard screen results/screen --reference results/first --tolerance triad=3%",
    "steelyard screen results/screen --format hostlist", "steelyard screen --local --reference nodes.toml"};
constexpr int screen_codes[] = {0, 2, 3, 4};

}  // namespace

constinit const Command screen_command{
    .name = "screen",
    .section = "Read results",
    .summary = "which nodes and links of a machine are not like the others",
    .description =
        "Judges again what 'run screen' has measured, without MPI: nodes and links beside one another, or beside a "
        "reference. Several results of parts of one machine are judged together. Says who is slow, unstable, fast, wrong "
        "or missing, by how much, and whether it was so when it was measured again alone.",
    .positional = {"RESULT", Kind::text, Repeat::many, "folders or files with a screening"},
    .groups = screen_groups,
    .examples = screen_examples,
    .exit_codes = screen_codes,
    .see_also = "steelyard help run, steelyard help accept",
    .run = run_screen};

}  // namespace steelyard::cli
