// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "suites/ftio/parameters.hpp"

namespace steelyard::ftio {

/// How files are accessed: one file per process by system calls, the same through MPI-IO, or one file of all
/// processes through MPI-IO.
enum class FileAccess { posix, mpi, shared };
/// What happens with the pages of the files: nothing, they are dropped after each phase, or they are passed
/// by (O_DIRECT).
enum class PageCache { keep, drop, direct };

/// What a user chose; the defaults are the rule.
struct Settings {
  std::vector<std::int64_t> parameters;  // empty: default_parameter of the processes
  std::optional<int> processes;          // instead of all
  int runs = 1;                          // of each parameter
  FileAccess access = FileAccess::posix;
  PageCache cache = PageCache::keep;
  Batches batches;
  bool keep = false;                     // the files of the last run
  std::int64_t memory_byte = 0;          // of the nodes used, to compare the matrix with; 0 = unknown
  std::optional<double> needs_budget_s;  // of a campaign whose budget does not hold it: it is left out
  std::optional<double> clock_hz;        // -clock-ghz: of the processors, for cycles that nobody counts
};

/// For a campaign of a minute on `world` processes: three runs on the most processes, of all of them, whose
/// matrix is not beyond 128 MiB.
[[nodiscard]] Settings hurried(Settings settings, int world);

/// One sentence per departure from the rule that makes results not comparable. Only processes, parameter and
/// directory may vary.
[[nodiscard]] std::vector<std::string> departures(const Settings& settings);

[[nodiscard]] int processes(const Settings& settings, int world);
/// Parameters that are measured.
[[nodiscard]] std::vector<std::int64_t> parameters(const Settings& settings, int world);

[[nodiscard]] std::string_view text(FileAccess access);
[[nodiscard]] std::string_view text(PageCache cache);

}  // namespace steelyard::ftio
