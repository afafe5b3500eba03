// SPDX-License-Identifier: Apache-2.0
#include "process/version.hpp"

#include <fmt/format.h>

#include "machine/build_info.hpp"
#include "machine/environment.hpp"
#include "record/json.hpp"
#include "report/report.hpp"

namespace steelyard::cli {
namespace {

std::string or_none(const std::string& library) {
  return library.empty() ? "none" : library;
}

std::string commit_of(const machine::BuildInfo& build) {
  if (!build.commit) return "unknown: not built from a checkout";
  return *build.commit + (build.modified.value_or(false) ? ", with changes" : "");
}

bool has_charts() {
  return !report::built_in_page().empty();
}

std::string versions_of(const machine::BuildInfo& build) {
  std::string text;
  for (const auto& [name, version] : build.libraries)
    text += (text.empty() ? "" : ", ") + name + ' ' + version;
  return text;
}

std::string row(std::string_view name, std::string_view value) {
  return fmt::format("  {:<13}{}\n", name, value);
}

}  // namespace

std::string version_text() {
  return machine::version_line(mpi_library()) + '\n';
}

std::string version_details() {
  const machine::BuildInfo& build = machine::build_info();
  std::string text = "steelyard " + build.version + '\n';
  text += row("commit", commit_of(build));
  text += row("build", build.type + (build.optimised ? "" : ", not optimised") + ", " + build.standard);
  text += row("compiler", build.compiler);
  text += row("flags", build.flags);
  if (!build.sanitizers.empty()) text += row("sanitizers", build.sanitizers);
  text += row("MPI library", or_none(mpi_library()));
  text += row("libraries", versions_of(build));
  for (const auto& [name, value] : build.options) text += row(name, value);
  return text + row("report", has_charts() ? "with charts" : "tables alone");
}

std::string version_json() {
  record::Document program = machine::describe_program();
  const std::string library = mpi_library();
  program.json()["mpi"] = library.empty() ? record::Json() : record::Json(library);
  record::Json options = record::Json::object();
  for (const auto& [name, value] : machine::build_info().options) options[name] = value;
  program.json()["build"]["options"] = options;
  program.json()["build"]["charts"] = has_charts();
  return program.json().dump(2) + '\n';
}

}  // namespace steelyard::cli
