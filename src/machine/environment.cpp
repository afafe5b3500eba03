// SPDX-License-Identifier: Apache-2.0
#include "machine/environment.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "machine/blas.hpp"
#include "machine/build_info.hpp"
#include "machine/cgroup.hpp"
#include "machine/memory.hpp"
#include "machine/privacy.hpp"
#include "machine/processors.hpp"
#include "machine/scratch.hpp"
#include "machine/source.hpp"
#include "machine/system.hpp"
#include "machine/text.hpp"

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

/// Object or function of any library that this process has loaded; nullptr if none has it. Asking by name
/// keeps this folder free of libraries that only some benchmarks need.
template <class T>
T* loaded(const char* name) {
  return reinterpret_cast<T*>(::dlsym(RTLD_DEFAULT, name));
}

Json blas() {
  const auto found = identify_blas();
  if (!found) return nullptr;
  Json blas{{"name", text_or_null(found->name)},
            {"version", text_or_null(found->version)},
            {"kernel", text_or_null(found->kernel)}};
  if (found->name.empty()) blas["file"] = found->file;
  if (!found->config.empty()) blas["config"] = found->config;
  if (found->threads) blas["threads"] = *found->threads;
  return blas;
}

Json fft() {
  const auto* text = loaded<const char>("fftw_version");
  return text == nullptr ? Json(nullptr) : Json{{"name", "FFTW"}, {"version", text}};
}

}  // namespace

record::Document describe_machine(const Roots& roots) {
  Source source(roots);
  const Cores cores(source);
  Json machine = Json::object();
  describe_kernel(source, machine);
  describe_processor(source, cores, machine);
  describe_frequency(source, cores, machine);
  describe_caches(source, cores, machine);
  describe_memory(source, machine);
  describe_numa(source, machine);
  describe_limits(source, machine);
  describe_virtualisation(source, machine);
  describe_network(source, machine);
  describe_power(source, cores, machine);
  describe_time(source, machine);
  describe_topology(source, machine);
  machine["missing"] = source.missing();
  // Firmware writes its vendor's name in any encoding.
  change_strings(machine, valid_utf8);
  return machine;
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? std::string(name.data()) : std::string();
}

std::string machine_identity(const Roots& roots) {
  Source source(roots);
  return host_name() + ", " + processor_name(source);
}

std::string processor_model(const Roots& roots) {
  Source source(roots);
  return processor_name(source);
}

Affinity affinity(const Roots& roots) {
  Source source(roots);
  const Cores cores(source);
  auto processors = allowed_processors(source, cores);
  auto own = cores.cores_of(processors);
  return {.processors = std::move(processors), .cores = std::move(own)};
}

std::optional<double> processor_quota(const Roots& roots) {
  Source source(roots);
  return ControlGroups(source).quota_cores();
}

int usable_cores(const Roots& roots) {
  const auto own = static_cast<double>(affinity(roots).cores.size());
  return static_cast<int>(std::max(1.0, std::floor(std::min(own, processor_quota(roots).value_or(own)))));
}

std::optional<int> own_domain(const Roots& roots) {
  Source source(roots);
  const auto allowed = allowed_processors(source, Cores(source));
  for (const auto& [number, processors] : domains(source)) {
    const auto holds = [&processors = processors](int one) {
      return std::ranges::binary_search(processors, one);
    };
    if (!allowed.empty() && std::ranges::all_of(allowed, holds)) return number;
  }
  return std::nullopt;
}

int allowed_domains(const Roots& roots) {
  Source source(roots);
  const auto allowed = allowed_processors(source, Cores(source));
  const auto is_allowed = [&](int one) { return std::ranges::binary_search(allowed, one); };
  const auto all = domains(source);
  return static_cast<int>(std::ranges::count_if(
      all, [&](const auto& domain) { return std::ranges::any_of(domain.second, is_allowed); }));
}

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

record::Document describe_libraries() {
  Json list = Json::object();
  for (const auto& [name, version] : build_info().libraries) list[name] = version;
  list["blas"] = blas();
  list["fft"] = fft();
  return list;
}

record::Document describe_environment_variables() {
  std::map<std::string, std::string> found;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const auto equals = text.find('=');
    if (equals == std::string_view::npos || !recorded_variable(text.substr(0, equals))) continue;
    found.emplace(valid_utf8(text.substr(0, equals)), without_private(text.substr(equals + 1)));
  }
  Json list = Json::object();
  for (const auto& [name, value] : found) list[name] = value;
  return list;
}

}  // namespace steelyard::machine
