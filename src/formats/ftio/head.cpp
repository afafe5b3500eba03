// SPDX-License-Identifier: Apache-2.0
#include "formats/imb/head.hpp"

#include <fmt/format.h>

#include "formats/beff/print.hpp"
#include "formats/ftio/sections.hpp"
#include "record/json.hpp"
#include "units/quantity.hpp"

namespace steelyard::formats::ftio {
namespace {

using beff::member;
using beff::plain;
using record::Json;

std::string line(std::string_view what, const std::string& words) {
  return fmt::format("{:<13}: {}\n", what, words);
}

std::string file_system(const Json& io) {
  std::string text = member(io, "type");
  if (io.is_object() && io.contains("mount_point") && io["mount_point"].is_string())
    text += " at " + plain(io["mount_point"].get<std::string>());
  if (io.is_object() && io.contains("free_byte") && io["free_byte"].is_number())
    text += fmt::format(", {} MiB free", io["free_byte"].get<std::int64_t>() / mebi.count());
  if (io.is_object() && io.contains("options") && io["options"].is_string())
    text += ", " + plain(io["options"].get<std::string>());
  return text;
}

std::int64_t whole(const Json& json, const char* name) {
  const bool known = json.is_object() && json.contains(name) && json[name].is_number();
  return known ? json[name].get<std::int64_t>() : 0;
}

std::string processor(const Json& machine) {
  const auto cores = whole(machine, "cores");
  return member(machine, "processor") + (cores > 0 ? fmt::format(", {} cores a node", cores) : "");
}

std::string memory(const Json& machine) {
  const auto bytes = whole(machine, "memory_byte");
  return bytes > 0 ? fmt::format("{} MiB a node", bytes / mebi.count()) : "-";
}

}  // namespace

std::string head(const record::RunRecord& run) {
  const auto system = beff::uname(run.machine, run.layout);
  const Json& program = run.program.json();
  return fmt::format("FTIO, an out-of-core two-dimensional Fourier transform, {} {}\n\n",
                     member(program, "name"), member(program, "version")) +
         line("date", plain(asctime_form(run.started_utc))) +
         line("system",
              fmt::format("{} {} {} {}", system.sysname, system.nodename, system.release, system.machine)) +
         line("processes",
              fmt::format("{} on {} node{}", run.processes, run.nodes, run.nodes == 1 ? "" : "s")) +
         line("per node",
              fmt::format("{} processes, {} thread{} each", beff::processes_per_node(run.layout.json()),
                          run.threads_per_process, run.threads_per_process == 1 ? "" : "s")) +
         line("processor", processor(run.machine.json())) + line("memory", memory(run.machine.json())) +
         line("MPI library", member(run.mpi.json(), "library")) +
         line("file system", file_system(run.io.json()));
}

}  // namespace steelyard::formats::ftio
