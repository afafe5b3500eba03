// SPDX-License-Identifier: Apache-2.0
#include "launch/doctor_probe.hpp"

#include <unistd.h>

#include <filesystem>
#include <sstream>

#include "commands/commands.hpp"
#include "errors.hpp"
#include "launch/launch.hpp"
#include "machine/environment.hpp"
#include "record/document.hpp"
#include "record/file.hpp"
#include "record/json.hpp"
#include "version.hpp"

namespace steelyard::cli {
namespace {

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

Finding point_finding(const record::PointRecord& point) {
  const auto* bytes = record::find(point.params, "message_byte");
  const std::string size = bytes == nullptr ? "" : units::format_size(Bytes{std::get<std::int64_t>(*bytes)});
  for (const auto& [name, metric] : point.metrics)
    if (const auto* time = std::get_if<record::Statistics>(&metric); name == "time_s" && time && time->median)
      return {Level::ok, "network", "",
              "Ping-pong of " + size + ": " + units::format_time(Seconds{*time->median}) + ".", ""};
  return {Level::problem, "network", "",
          "Ping-pong of " + size + " did not run" + (point.reason ? ": " + point.reason->text : ""), ""};
}

std::string member_text(const record::Json& object, const char* name) {
  if (!object.is_object() || !object.contains(name) || object[name].is_null()) return "unknown";
  return object[name].is_string() ? object[name].get<std::string>() : object[name].dump();
}

double number(const record::Json& object, const char* name) {
  return object.is_object() ? object.value(name, 0.0) : 0;
}

std::string time_text(const record::Json& object, const char* name) {
  return units::format_time(Seconds{number(object, name)});
}

std::string percent(double share) {
  return units::format_fixed(100 * share, 1) + " %";
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
  const bool noisy = number(noise, "detour_share") > disturbing;
  return {noisy ? Level::warning : Level::ok, "processors", noisy ? "noisy" : "",
          "Noise: " + percent(number(noise, "detour_share")) + " of the time lost, at most " +
              time_text(noise, "detour_max_s") + " at once; fixed work takes " +
              percent(number(noise, "noise")) + " longer than at best.",
          noisy ? "end what else runs here, or wait until the machine is quiet: run --wait-quiet 10m" : ""};
}

std::string blas_name(const record::Json& blas) {
  const auto version = record::text_in(blas, "version"), kernel = record::text_in(blas, "kernel");
  return record::text_in(blas, "library") + (version.empty() ? "" : " " + version) +
         (kernel.empty() ? "" : ", kernel " + kernel);
}

// What the linked BLAS reaches as it is, beside the fastest library and kernel that are installed.
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

// Events repeat what doctor finds itself, but for those that only a measurement shows.
bool only_when_measured(const std::string& code) {
  return code.starts_with("clock") || code == "noisy" || code == "crowded" || code == "mixed_states";
}

void add_record(const record::Record& record, std::vector<Finding>& to) {
  if (const auto* run = std::get_if<record::RunRecord>(&record.body)) {
    to.push_back(clock_finding(run->clock.json()));
    to.push_back(noise_finding(run->noise.json()));
    for (auto& finding : blas_findings(run->blas.json())) to.push_back(std::move(finding));
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
  auto words = launcher_words(values, probing_processes, machine::usable_cores(), library);
  words.push_back(std::filesystem::read_symlink("/proc/self/exe").string());
  words.push_back(launched_word({}));
  words.emplace_back("probe");
  return words;
}

}  // namespace

bool standard_output_is_terminal() {
  return isatty(STDOUT_FILENO) != 0;
}

std::vector<Finding> launcher_findings(const Values& values) {
  if (measuring_commands().empty())
    return {
        {Level::note, "launcher", "", "This build has no MPI: it reads results and measures nothing.", ""}};
  const std::string cure =
      "install the launcher of the MPI library, or name it with --launcher or STEELYARD_LAUNCHER";
  try {
    const auto words =
        launcher_words(values, probing_processes, machine::usable_cores(), library_kind(mpi_library()));
    if (!can_be_started(words[0]))
      return {{Level::problem, "launcher", "", "'" + words[0] + "' cannot be started", cure}};
    return {{Level::ok, "launcher", "", words[0] + " for " + mpi_library(), ""}};
  } catch (const Refused& refused) {
    return {{Level::problem, "launcher", "", refused.what(), cure}};
  }
}

Probe probed(const Invocation& invocation) {
  if (measuring_commands().empty()) throw Refused("--probe: this build has no MPI");
  std::string output;
  Probe probe;
  const int code = start_and_read(probe_words(invocation.values), output);
  probe.failed = code != exit_code::done;
  probe.findings.push_back(
      {probe.failed ? Level::problem : Level::ok, "launcher", "",
       probe.failed ? "Two processes end with code " + std::to_string(code) + "." : "Starts two processes.",
       ""});
  std::istringstream lines(output);
  for (std::string line; !probe.failed && std::getline(lines, line);)
    if (const auto record = record::from_line(line)) add_record(*record, probe.findings);
  return probe;
}

}  // namespace steelyard::cli
