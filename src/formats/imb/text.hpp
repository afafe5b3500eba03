// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <string>

#include "formats/writer.hpp"
#include "suites/imb/definition.hpp"

namespace steelyard::formats {

struct ImbTextOptions {
  /// Rules of the Mbyte column and of the head; nullopt = those of the run.
  std::optional<imb::Version> version = {};
  bool show_tail = false;
  /// suite/benchmark of those that the head lists, of a part of the run; nullopt = all of the plan.
  std::optional<std::set<std::string>> names = {};
  bool headless = false;  // neither the lines before the first table nor those after the last one
};

/// Writer of the text of IMB, byte for byte (docs/suites/imb-mpi1.md, "Text"). Rows are flushed one by one.
/// Takes points of imb-* suites in record order, ignores others. Needs these members of the run record: command,
/// config.imb-mpi1, machine.uname, mpi.standard, mpi.thread_level, started_utc, processes, plan.sequence.
[[nodiscard]] std::unique_ptr<Writer> imb_text(std::ostream& out, const ImbTextOptions& options = {});

/// Writer of single times, which the points of a run keep where -dumpfile asks for it: lines "%d %.3f", size in
/// byte and time in microseconds of each repetition, all tables one after the other.
[[nodiscard]] std::unique_ptr<Writer> imb_dump(std::unique_ptr<std::ostream> out);

}  // namespace steelyard::formats
