// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "formats/beff/sections.hpp"
#include "formats/beff/words.hpp"
#include "units/quantity.hpp"

namespace steelyard::formats::beff {
namespace {

/// Stands after "b_eff" without a blank, so that nobody takes the number for an official one.
std::string mark(const Source& source) {
  if (source.summary.verified == false) return "INVALID";
  if (!source.frame.mark.empty()) return plain(source.frame.mark);
  return source.summary.official.value_or(false) ? "" : "MOD";
}

}  // namespace

std::string last_line(const Source& source) {
  const int processes = source.run.cube().processes();
  const auto b_eff = megabytes(source.run.b_eff());
  const auto memory = source.frame.memory_per_process_byte;
  const std::string mebibytes = memory ? fmt::format("{:3}", *memory / mebi.count()) : "---";
  const auto system = uname(source.head.machine, source.head.layout);
  return fmt::format("b_eff{} = {} MB/s = {} * {:3} PEs with {} MB/PE on {} {} {} {} {}", mark(source),
                     number(b_eff, 10, 3), number(share(b_eff, processes), 7, 3), processes, mebibytes,
                     system.sysname, system.nodename, system.release, system.version, system.machine);
}

}  // namespace steelyard::formats::beff
