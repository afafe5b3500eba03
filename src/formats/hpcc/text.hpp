// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <ostream>
#include <string>

#include "formats/hpcc/hpl_text.hpp"
#include "formats/writer.hpp"
#include "record/records.hpp"

namespace steelyard::formats::hpcc {

/// Lines "key=value" for every classic member of the summary record, in its order, the value one word: whole
/// numbers as such, others in plain decimal notation with a digit on both sides of the point; an exponent
/// only for keys whose format has one and for numbers beyond 10^15 or below 10^-15.
[[nodiscard]] std::string summary_lines(const record::SummaryRecord& summary);

}  // namespace steelyard::formats::hpcc

namespace steelyard::formats {

struct HpccTextOptions {
  /// Numbers of points that the plan has of each benchmark: a section ends with the last of them. A benchmark
  /// that is not here ends when the next one begins.
  std::map<std::string, int, std::less<>> points = {};
  /// Seconds since 1970 at which the current record was made.
  std::function<std::int64_t()> now;
};

/// Writer of hpccoutf.txt: title, parameters, a section for each benchmark of suite hpcc in the order of the
/// points, flushed as it ends, and the Summary from the summary record. Rows of the linear solver are flushed
/// one by one. Points of other suites are skipped. Needs these members of the run record: program.version,
/// started_utc, machine.uname or layout, config.hpcc.input, clock.mpi_wtime.
[[nodiscard]] std::unique_ptr<Writer> hpcc_text(std::ostream& out, HpccTextOptions options);

/// Writer of the linear solver's text alone.
[[nodiscard]] std::unique_ptr<Writer> hpl_text(std::ostream& out, HplVersion version,
                                               std::function<std::int64_t()> now);

/// Seconds since 1970 of a time "2026-11-20T08:36:21Z"; 0 for other texts.
[[nodiscard]] std::int64_t unix_seconds(const std::string& utc);

/// Input file in a run record, empty if it has none.
[[nodiscard]] std::string hpcc_input(const record::RunRecord& head);

}  // namespace steelyard::formats
