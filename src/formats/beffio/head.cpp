// SPDX-License-Identifier: Apache-2.0
#include "formats/imb/head.hpp"

#include <fmt/format.h>

#include "formats/beff/print.hpp"
#include "formats/beffio/sections.hpp"
#include "record/json.hpp"
#include "units/quantity.hpp"

namespace steelyard::formats::beffio {
namespace {

using beff::plain;

std::string partitions(const Source& source) {
  std::string text;
  for (const auto& one : source.run.partitions())
    text += (text.empty() ? "" : ",") + std::to_string(one.processes());
  return text;
}

std::string mebibytes(const std::optional<std::int64_t>& byte) {
  return byte ? std::to_string(*byte / mebi.count()) : "-";
}

/// What departs from the defaults of the published release or of this program.
std::string options(const Source& source) {
  const auto& frame = source.frame;
  std::string text;
  if (!source.options.hint_file.empty()) text += " -i " + plain(source.options.hint_file);
  if (!frame.shared_pointers) text += ", -noshared";
  text += frame.unique ? ", -unique" : ", -nounique";
  text += frame.rewrite_all ? ", -rewrite" : ", -norewrite";
  if (frame.keep) text += ", -keep";
  if (frame.formula != "seed") text += ", -formula " + frame.formula;
  if (frame.order != "access") text += ", -order " + frame.order;
  if (frame.control != "batched") text += ", -control " + frame.control;
  if (frame.align_byte != mebi.count()) text += fmt::format(", -align {}", frame.align_byte);
  if (frame.drop_cache) text += ", -dropcache";
  if (frame.largest_together_byte)
    text += fmt::format(", -mpart {}/n GB", *frame.largest_together_byte / gibi.count());
  if (frame.random) text += ", -random";
  if (frame.most_byte) text += fmt::format(", -maxbytes {}", *frame.most_byte);
  return text;
}

std::string file_system(const Source& source) {
  const auto& io = source.head.io.json();
  if (!io.is_object() || !io.contains("type") || !io["type"].is_string()) return "";
  std::string text = "       file system : " + plain(io["type"].get<std::string>());
  if (io.contains("mount_point") && io["mount_point"].is_string())
    text += " at " + plain(io["mount_point"].get<std::string>());
  if (io.contains("free_byte") && io["free_byte"].is_number())
    text += fmt::format(", {} MBytes free", io["free_byte"].get<std::int64_t>() / mebi.count());
  if (io.contains("options") && io["options"].is_string())
    text += ", " + plain(io["options"].get<std::string>());
  return text + "\n";
}

/// What one must report beside the value: how processes lie on nodes, and the library.
std::string usage(const Source& source) {
  const auto& head = source.head;
  return fmt::format(
      "       nodes       : {}\n       per node    : {} processes\n       threads     : {} per process\n"
      "       MPI library : {}\n",
      head.nodes, beff::processes_per_node(head.layout.json()), head.threads_per_process,
      beff::member(head.mpi.json(), "library"));
}

}  // namespace

std::string mebibytes_per_process(const Source& source, int width) {
  const auto byte = source.frame.memory_per_process_byte;
  return byte ? fmt::format("{:{}}", *byte / mebi.count(), width) : fmt::format("{:>{}}", "-", width);
}

std::string release(const Source& source) {
  return beff::member(source.head.program.json(), "name") + " " +
         beff::member(source.head.program.json(), "version");
}

std::string largest_chunk(const Source& source) {
  const double byte = static_cast<double>(source.frame.largest_chunk_byte.value_or(2 * mebi.count()));
  const double size = byte / static_cast<double>(mebi.count());
  return fmt::format("{:.4g}M", size);
}

std::string head(const Source& source) {
  const auto system = beff::uname(source.head.machine, source.head.layout);
  const double largest = static_cast<double>(source.frame.largest_chunk_byte.value_or(0));
  return fmt::format(
             "b_eff_io, by the rules of b_eff_io 2.1, {}\n"
             "MEMORY_PER_PROCESSOR = {} MBytes  [1MBytes = 1024*1024 bytes, 1MB = 1e6 bytes]\n"
             "Maximum chunk size   = {:8.3f} MBytes\n"
             "-N  {} T={:g}, MT={} MBytes{}\n"
             "PATH={}, PREFIX={}\n",
             release(source), mebibytes_per_process(source, 4), largest / static_cast<double>(mebi.count()),
             partitions(source), source.frame.scheduled_s, mebibytes(source.frame.system_memory_byte),
             options(source), plain(source.options.directory), plain(source.options.prefix)) +
         fmt::format(
             "       system name : {}\n       hostname    : {}\n       OS release  : {}\n"
             "       OS version  : {}\n       machine     : {}\n",
             system.sysname, system.nodename, system.release, system.version, system.machine) +
         usage(source) + file_system(source) +
         fmt::format("Date of measurement: {}\n", plain(asctime_form(source.head.started_utc)));
}

}  // namespace steelyard::formats::beffio
