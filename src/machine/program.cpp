// SPDX-License-Identifier: Apache-2.0
#include "machine/build_info.hpp"
#include "machine/environment.hpp"
#include "machine/privacy.hpp"

namespace steelyard::machine {

namespace {

std::string commit_text(const BuildInfo& build) {
  if (!build.commit) return "no commit";
  return *build.commit + (build.modified.value_or(false) ? " modified" : "");
}

Json library_versions(const BuildInfo& build) {
  Json list = Json::object();
  for (const auto& [name, version] : build.libraries) list[name] = version;
  return list;
}

}  // namespace

record::Document describe_program() {
  const auto& build = build_info();
  return Json{{"name", "steelyard"},
              {"version", build.version},
              {"commit", or_null(build.commit)},
              {"modified", or_null(build.modified)},
              {"build",
               {{"type", build.type},
                {"compiler", build.compiler},
                {"flags", without_private(build.flags)},
                {"standard", build.standard},
                {"sanitizers", build.sanitizers},
                {"libraries", library_versions(build)}}}};
}

std::string version() {
  return build_info().version;
}

std::string version_line(std::string_view mpi) {
  const auto& build = build_info();
  std::string text =
      "steelyard " + build.version + " (" + commit_text(build) + ", " + build.type + ", " + build.compiler;
  if (!mpi.empty()) text += ", " + std::string(mpi);
  for (const auto& [name, version] : build.libraries) text += ", " + name + " " + version;
  return text + ")";
}

}  // namespace steelyard::machine
