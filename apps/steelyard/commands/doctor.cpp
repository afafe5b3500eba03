// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "commands/program.hpp"
#include "launch/launch.hpp"
#include "machine/environment.hpp"
#include "machine/findings.hpp"
#include "machine/scratch.hpp"
#include "measuring/terminal.hpp"
#include "options/option_table.hpp"
#include "options/resolve.hpp"
#include "options/shared_options.hpp"
#include "process/errors.hpp"
#include "process/version.hpp"
#include "record/file.hpp"
#include "record/json.hpp"
#include "record/point_view.hpp"
#include "record/value.hpp"

namespace steelyard::cli {
namespace {

// Findings of the processes that doctor started.
struct Probe {
  std::vector<machine::Finding> findings;
  bool failed = false;  // two processes could not be started
};

using machine::Finding;
using machine::Level;

constexpr int probing_processes = 2;

bool can_be_started(const std::string& program) {
  if (program.find('/') != std::string::npos) return access(program.c_str(), X_OK) == 0;
  std::istringstream path(variable("PATH").value_or(""));
  for (std::string directory; std::getline(path, directory, ':');)
    if (access((directory + '/' + program).c_str(), X_OK) == 0) return true;
  return false;
}

// What was measured, with its section: "Ping-pong of 1 MiB", or an operation on files.
std::pair<std::string, std::string> measured_what(const record::PointRecord& point) {
  const bool of_messages = point.benchmark == "PingPong";
  const auto* member = of_messages ? "message_byte" : "chunk_byte";
  const auto bytes = record::whole_of(record::find(point.params, member));
  const std::string size = bytes ? " of " + units::format_size(Bytes{*bytes}) : "";
  if (of_messages) return {"network", "Ping-pong" + size};
  return {"files", "MPI-IO, " + point.benchmark + size};
}

Finding point_finding(const record::PointRecord& point) {
  const auto [section, what] = measured_what(point);
  if (const auto time_s = record::figure(point, "time_s"))
    return {Level::ok, section, "", what + ": " + units::format_time(Seconds{*time_s}) + ".", ""};
  return {Level::problem, section, "",
          what + " did not run" + (point.reason ? ": " + point.reason->text : ""), ""};
}

std::string member_text(const record::Json& object, const char* name) {
  if (!object.is_object() || !object.contains(name) || object[name].is_null()) return "unknown";
  return object[name].is_string() ? object[name].get<std::string>() : object[name].dump();
}

std::string time_text(const record::Json& object, const char* name) {
  const auto seconds = record::number_in(object, name);
  return seconds ? units::format_time(Seconds{*seconds}) : "unknown";
}

Finding clock_finding(const record::Json& clock) {
  return {Level::ok, "clock", "",
          member_text(clock, "source") + ": steps of " + time_text(clock, "resolution_s") + ", " +
              time_text(clock, "call_s") + " a reading.",
          ""};
}

Finding noise_finding(const record::Json& noise) {
  constexpr double disturbing = 0.05;
  if (!noise.is_object()) return {Level::note, "processors", "", "Noise was not measured.", ""};
  const double lost = record::number_in(noise, "detour_share").value_or(0);
  const bool noisy = lost > disturbing;
  // A clock with long steps may see no time at all in the shortest piece of work.
  const auto longer = record::number_in(noise, "noise");
  return {noisy ? Level::warning : Level::ok, "processors", noisy ? "noisy" : "",
          "Noise: " + units::percent(lost, 1) + " of the time lost, at most " +
              time_text(noise, "detour_max_s") + " at once; " +
              (longer ? "fixed work takes " + units::percent(*longer, 1) + " longer than at best."
                      : "the clock is too coarse for fixed work."),
          noisy ? "end what else runs here, or wait until the machine is quiet: run --wait-quiet 10m" : ""};
}

std::string blas_name(const record::Json& blas) {
  const auto version = record::text_in(blas, "version"), kernel = record::text_in(blas, "kernel");
  return record::text_in(blas, "library") + (version.empty() ? "" : " " + version) +
         (kernel.empty() ? "" : ", kernel " + kernel);
}

// Rate of the linked BLAS as it is, beside the fastest library and kernel that are installed.
std::vector<Finding> blas_findings(const record::Json& blas) {
  constexpr double worth_a_warning = 1.25;
  const auto member = [&](const char* name) {
    return blas.is_object() ? blas.value(name, record::Json()) : record::Json();
  };
  const auto linked = member("as_linked"), fastest = member("fastest");
  std::vector<Finding> findings;
  for (const auto& one : member("refused"))
    findings.push_back({Level::warning, "program", "blas_environment",
                        blas_name(one) + " cannot compute: " + record::text_in(one, "why") + ".", ""});
  const auto rate = record::number_in(linked, "flop_s"), most = record::number_in(fastest, "flop_s");
  if (!rate || !most) return findings;
  const auto speed = [](double flop_s) { return units::format_significant(flop_s / 1e9, 3) + " Gflop/s"; };
  const bool slow = *most > worth_a_warning * *rate;
  findings.push_back({slow ? Level::warning : Level::ok, "program", slow ? "blas_environment" : "",
                      "Linked BLAS: " + blas_name(linked) + ", " + speed(*rate) + " a process" +
                          (slow ? "; installed is " + blas_name(fastest) + ", " + speed(*most) + "." : "."),
                      slow ? "run and hpcc --blas fastest take it; of run it is the default" : ""});
  return findings;
}

Level level_of(record::Severity severity) {
  return severity == record::Severity::info ? Level::note : Level::warning;
}

// Whether only a measurement shows this event; doctor finds the others itself.
bool only_when_measured(const std::string& code) {
  return code.starts_with("clock") || code == "noisy" || code == "crowded" || code == "mixed_states";
}

void add_record(const record::Record& record, std::vector<Finding>& to) {
  if (const auto* run = std::get_if<record::RunRecord>(&record.body)) {
    to.push_back(clock_finding(run->clock.json()));
    to.push_back(noise_finding(run->noise.json()));
    for (auto& finding : blas_findings(run->blas.json())) to.push_back(std::move(finding));
    if (const auto name = record::text_in(run->io.json(), "mpi_io"); !name.empty())
      to.push_back({Level::ok, "files", "", "MPI-IO of this directory: " + name + ".", ""});
  } else if (const auto* point = std::get_if<record::PointRecord>(&record.body)) {
    to.push_back(point_finding(*point));
  } else if (const auto* event = std::get_if<record::EventRecord>(&record.body)) {
    if (only_when_measured(event->code))
      to.push_back({level_of(event->severity), "processors", event->code, event->text, ""});
  }
}

std::vector<std::string> probe_words(const Values& values) {
  const Library library = library_kind(mpi_library());
  permit_root(values, library);
  give_home();
  auto words = launcher_words(values, probing_processes, room_here(), library);
  words.push_back(std::filesystem::read_symlink("/proc/self/exe").string());
  words.push_back(launched_word({}));
  words.emplace_back("probe");
  if (const auto directory = values.word("io-dir"))
    words.insert(words.end(), {"--io-dir", std::filesystem::absolute(*directory).string()});
  return words;
}

// Section "launcher" of doctor: the launcher that was found, without starting it.
std::vector<Finding> launcher_findings(const Values& values) {
  if (!commands().measures())
    return {
        {Level::note, "launcher", "", "This build has no MPI: it reads results and measures nothing.", ""}};
  const std::string cure =
      "install the launcher of the MPI library, or name it with --launcher or STEELYARD_LAUNCHER";
  try {
    const auto words = launcher_words(values, probing_processes, room_here(), library_kind(mpi_library()));
    if (!can_be_started(words[0]))
      return {{Level::problem, "launcher", "", "'" + words[0] + "' cannot be started", cure}};
    std::vector<Finding> findings{{Level::ok, "launcher", "", words[0] + " for " + mpi_library(), ""}};
    if (const auto scarce = scarce_room_of_launcher(library_kind(mpi_library())); !scarce.empty())
      findings.push_back({Level::problem, "launcher", "", scarce + ".",
                          "free space there, or name a local folder that has some: export TMPDIR=DIR"});
    if (is_too_long_for_launcher(machine::host_name(), mpi_library()))
      findings.push_back(
          {Level::warning, "launcher", "",
           "The name of this host has more than 49 characters before its first digit or dot: the launcher of "
           "Open MPI 4.1 has no room for them, and may crash.",
           "give the host or the container a shorter name (docker --hostname), or one with a digit before"});
    return findings;
  } catch (const Refused& refused) {
    return {{Level::problem, "launcher", "", refused.what(), cure}};
  }
}

// Starts two measuring processes and returns what they found. Throws Refused in a build without MPI.
Probe probed(const Invocation& invocation) {
  if (!commands().measures()) throw Refused("--probe: this build has no MPI");
  std::string output;
  Probe probe;
  const int code = start_and_read(probe_words(invocation.values), output);
  bool any_point = false;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);)
    if (const auto record = record::from_line(line)) {
      any_point = any_point || std::holds_alternative<record::PointRecord>(record->body);
      add_record(*record, probe.findings);
    }
  // A point that failed is a finding of its own; a launcher may have the same code.
  probe.failed = code != exit_code::done && !(code == exit_code::point_failed && any_point);
  probe.findings.push_back(
      {probe.failed ? Level::problem : Level::ok, "launcher", "",
       probe.failed ? "Two processes end with code " + std::to_string(code) + "." : "Starts two processes.",
       ""});
  return probe;
}

constexpr std::string_view section_order[] = {"program", "job",     "launcher", "processors", "memory",
                                              "clock",   "network", "files",    "power"};

int rank_of(std::string_view section) {
  const auto found = std::find(std::begin(section_order), std::end(section_order), section);
  return static_cast<int>(found - std::begin(section_order));
}

void append(std::vector<Finding>& to, std::vector<Finding> more) {
  std::move(more.begin(), more.end(), std::back_inserter(to));
}

// Whether FTIO can pass by the page cache in this directory. Nothing where no file can be made at all, which is told
// already.
std::vector<Finding> direct_access(const std::filesystem::path& directory) {
  constexpr std::string_view name = "doctor";
  std::optional<machine::Scratch> scratch;
  try {
    scratch.emplace(directory);
    scratch->claim(name);
    machine::try_to_write(scratch->path(), name);
  } catch (const std::filesystem::filesystem_error&) {
    return {};
  }
  try {
    machine::try_to_write_directly(scratch->path(), name);
    return {{Level::ok, "files", "", "Files can be written past the page cache (O_DIRECT).", ""}};
  } catch (const std::filesystem::filesystem_error& error) {
    return {{Level::note, "files", "",
             "Files cannot be written past the page cache (O_DIRECT): " + error.code().message() + ".",
             "ftio -cache drop takes their pages out of the cache instead of -cache direct"}};
  }
}

std::vector<Finding> examined(const Values& values) {
  machine::Situation situation;
  const Room room = room_here();
  situation.processes_on_node = processes_of_a_node(processes_to_launch(values, room), room);
  if (const OptionWords* named = values.find("io-dir"))
    situation.io_directory = existing_directory(named->origin, named->words.back());
  auto findings = machine::examine(situation);
  if (!situation.io_directory.empty()) append(findings, direct_access(situation.io_directory));
  return findings;
}

void sort_by_section(std::vector<Finding>& findings) {
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return rank_of(a.section) < rank_of(b.section);
  });
}

std::string_view colour_of(Level level) {
  switch (level) {
    case Level::ok: return "\033[32m";
    case Level::note: return "";
    case Level::warning: return "\033[35m";
    case Level::problem: return "\033[1;31m";
  }
  return "";
}

void print_finding(const Finding& finding, bool colour) {
  constexpr int indent = 12;
  const int width = help_width() - indent;
  std::string level(machine::text(finding.level));
  level.resize(8, ' ');
  const std::string_view begin = colour ? colour_of(finding.level) : "";
  std::cout << "  " << begin << level << (begin.empty() ? "" : "\033[0m") << "  "
            << wrapped(finding.text + (finding.code.empty() ? "" : " (" + finding.code + ')'), width, indent)
            << '\n';
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
  for (const auto& path : removal.removed) std::cout << "removed  " << on_one_line(path.string()) << '\n';
  for (const auto& left : removal.left)
    std::cout << "left     " << on_one_line(left.path.string()) << " (" << left.why << ")\n";
  if (removal.removed.empty() && removal.left.empty()) std::cout << "nothing to remove\n";
  std::cout << std::flush;
  return removal.complete() ? exit_code::done : exit_code::judgement;
}

int clean_or_refuse(const std::string& directory) {
  try {
    return clean(directory);
  } catch (const std::filesystem::filesystem_error& error) {
    throw Refused("--clean: " + error.path1().string() + ": " + error.code().message());
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
    print_text(findings, use_colour(values, isatty(STDOUT_FILENO) != 0));
  if (probe.failed) return exit_code::refused;
  const bool bad = std::any_of(findings.begin(), findings.end(),
                               [](const Finding& f) { return f.level >= Level::warning; });
  return values.on("strict") && bad ? exit_code::judgement : exit_code::done;
}

constexpr Option doctor_options[] = {
    {"probe", "start 2 processes and measure a ping-pong, the clock and noise (about 3 s)"},
    {"io-dir", Kind::directory,
     "also look at the file system of this directory: what it is, whether files of a benchmark can be made "
     "there; with --probe what MPI-IO makes of them"},
    {"clean", Kind::directory,
     "instead: remove the scratch files that a killed run left, below its result directory's manifest, its "
     "--io-dir, or a scratch directory itself; exit code 3 if anything stays",
     InFile::no},
    {"format", Kind::word, "form of the answer", Fallback{"text"}, OneOf{"text json"}},
    {"strict", "exit code 3 if there is any warning or problem"},
    {"launch", Kind::special, "number of processes that a measurement would start here", 'n',
     Argument{"N|auto"}, Fallback{"auto"}, parses<parse_launch>},
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
        "Looks at program, batch job, launcher, processors, memory, clock, network, files and power, and says what will "
        "disturb a measurement. Every finding is ok, a note, a warning or a problem.",
    .groups = doctor_groups,
    .examples = doctor_examples,
    .exit_codes = doctor_codes,
    .see_also = "steelyard help run",
    .run = run_doctor};

}  // namespace steelyard::cli
