// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iostream>

#include "commands/commands.hpp"
#include "errors.hpp"
#include "launch/doctor_probe.hpp"
#include "launch/launch.hpp"
#include "machine/findings.hpp"
#include "machine/scratch.hpp"
#include "measuring/talk.hpp"
#include "record/json.hpp"
#include "record/value.hpp"
#include "version.hpp"
#include "words/help.hpp"
#include "words/shared_options.hpp"

namespace steelyard::cli {
namespace {

using machine::Finding;
using machine::Level;

constexpr std::string_view section_order[] = {"program", "launcher", "processors", "memory",
                                              "clock",   "network",  "files",      "power"};

int rank_of(std::string_view section) {
  const auto found = std::find(std::begin(section_order), std::end(section_order), section);
  return static_cast<int>(found - std::begin(section_order));
}

std::vector<Finding> examined(const Values& values) {
  machine::Situation situation;
  situation.processes_on_node = processes_to_launch(values);
  if (const Given* named = values.find("io-dir"))
    situation.io_directory = existing_directory(named->origin, named->words.back());
  return machine::examine(situation);
}

void append(std::vector<Finding>& to, std::vector<Finding> more) {
  std::move(more.begin(), more.end(), std::back_inserter(to));
}

void sort_by_section(std::vector<Finding>& findings) {
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return rank_of(a.section) < rank_of(b.section);
  });
}

std::string_view colour_of(Level level) {
  switch (level) {
    case Level::ok:
      return "\033[32m";
    case Level::note:
      return "";
    case Level::warning:
      return "\033[33m";
    case Level::problem:
      return "\033[1;31m";
  }
  return "";
}

void print_finding(const Finding& finding, bool colour) {
  constexpr int indent = 12, width = 100 - indent;
  std::string level(machine::text(finding.level));
  level.resize(8, ' ');
  const std::string_view begin = colour ? colour_of(finding.level) : "";
  std::cout << "  " << begin << level << (begin.empty() ? "" : "\033[0m") << "  "
            << wrapped(finding.text, width, indent);
  if (!finding.code.empty()) std::cout << " (" << finding.code << ')';
  std::cout << '\n';
  if (!finding.cure.empty())
    std::cout << std::string(indent, ' ') << wrapped("cure: " + finding.cure, width, indent) << '\n';
}

void print_text(const std::vector<Finding>& findings, bool colour) {
  std::string section;
  for (const Finding& finding : findings) {
    if (finding.section != section) std::cout << (section.empty() ? "" : "\n") << finding.section << '\n';
    section = finding.section;
    print_finding(finding, colour);
  }
  std::cout << std::flush;
}

void print_json(const std::vector<Finding>& findings) {
  record::Json list = record::Json::array();
  const auto or_null = [](const std::string& text) {
    return text.empty() ? record::Json() : record::Json(text);
  };
  for (const Finding& finding : findings)
    list.push_back({{"section", finding.section},
                    {"level", machine::text(finding.level)},
                    {"code", or_null(finding.code)},
                    {"text", finding.text},
                    {"cure", or_null(finding.cure)}});
  std::cout << list.dump(2) << std::endl;
}

int clean(const std::string& directory) {
  const auto removal = machine::clean_scratch(directory);
  for (const auto& path : removal.removed) std::cout << "removed  " << path.string() << '\n';
  for (const auto& left : removal.left)
    std::cout << "left     " << left.path.string() << " (" << left.why << ")\n";
  if (removal.removed.empty() && removal.left.empty()) std::cout << "nothing to remove\n";
  std::cout << std::flush;
  return removal.complete() ? exit_code::done : exit_code::judgement;
}

int clean_or_refuse(const std::string& directory) {
  try {
    return clean(directory);
  } catch (const std::filesystem::filesystem_error& error) {
    throw Refused(std::string("--clean: ") + error.what());
  }
}

int run_doctor(const Invocation& invocation) {
  const Values& values = invocation.values;
  if (const auto directory = values.word("clean")) return clean_or_refuse(*directory);
  std::vector<Finding> findings = examined(values);
  append(findings, launcher_findings(values));
  const Probe probe = values.on("probe") ? probed(invocation) : Probe{};
  append(findings, probe.findings);
  sort_by_section(findings);
  if (values.word("format") == "json")
    print_json(findings);
  else
    print_text(findings, use_colour(values, standard_output_is_terminal()));
  if (probe.failed) return exit_code::refused;
  const bool bad = std::any_of(findings.begin(), findings.end(),
                               [](const Finding& f) { return f.level >= Level::warning; });
  return values.on("strict") && bad ? exit_code::judgement : exit_code::done;
}

constexpr Option doctor_options[] = {
    {.name = "probe", .help = "start 2 processes and measure a ping-pong, the clock and noise (about 3 s)"},
    {.name = "io-dir", .kind = Kind::directory, .help = "also look at the file system of this directory"},
    {.name = "clean",
     .kind = Kind::directory,
     .help = "instead: remove the scratch files that a killed run left, below its result directory's "
             "manifest, its --io-dir, or a scratch directory itself; exit code 3 if anything stays",
     .in_file = InFile::no},
    {.name = "format",
     .kind = Kind::word,
     .fallback = "text",
     .help = "form of the answer",
     .words = "text json"},
    {.name = "strict", .help = "exit code 3 if there is any warning or problem"},
    {.name = "launch",
     .letter = 'n',
     .kind = Kind::special,
     .argument = "N|auto",
     .fallback = "auto",
     .help = "number of processes that a measurement would start here",
     .check = check_launch},
    launcher_option,
    allow_root_option,
};
constexpr Group doctor_groups[] = {{"Doctor", doctor_options}};
constexpr std::string_view doctor_examples[] = {"steelyard doctor", "steelyard doctor --probe",
                                                "steelyard doctor --format json --strict"};
constexpr int doctor_codes[] = {0, 2, 3, 4};

}  // namespace

constinit const Command doctor_command{
    .name = "doctor",
    .section = "This machine",
    .summary = "what will disturb a measurement here, and how to cure it",
    .description =
        "Looks at program, launcher, processors, memory, clock, network, files and power, and says what will "
        "disturb a measurement. Every finding is ok, a note, a warning or a problem.",
    .groups = doctor_groups,
    .examples = doctor_examples,
    .exit_codes = doctor_codes,
    .see_also = "steelyard help run",
    .run = run_doctor};

}  // namespace steelyard::cli
