// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <ostream>
#include <string>

#include "analysis/ftio_runs.hpp"
#include "formats/named_files.hpp"
#include "formats/writer.hpp"

/// Parts of the texts of FTIO. Internal to this folder.
namespace steelyard::formats::ftio {

/// Head that accompanies every result: system, MPI library, file system.
[[nodiscard]] std::string head(const record::RunRecord& run);
/// One row per phase, and their sum.
[[nodiscard]] std::string phase_table(const steelyard::ftio::RunFigures& run);
/// The three lines "FTIO: ...".
[[nodiscard]] std::string result_lines(const steelyard::ftio::RunFigures& run);
/// Failure of a run that has no result.
[[nodiscard]] std::string failure(const record::PointRecord& point);
/// Means and standard deviations of several runs; empty for one.
[[nodiscard]] std::string means(const analysis::FtioSize& size);

}  // namespace steelyard::formats::ftio

namespace steelyard::formats {

/// The report of FTIO: head, a table of phases and three lines per run, means over several runs at the end.
/// Points of other suites are skipped. ASCII. Source of the format: docs/suites/ftio.md, "Report".
[[nodiscard]] std::unique_ptr<Writer> ftio_text(std::ostream& out);

/// Data and gnuplot script of the original's figures: I/O fraction, and cycles per flop if they are known, over
/// the size of the matrix in elements. `gnuplot PREFIX.gps` writes PREFIX_fraction.svg and PREFIX_cycles.svg.
struct FtioFigures {
  std::string plot, gps;
  [[nodiscard]] std::array<NamedFile, 2> named() const { return {{{".plot", plot}, {".gps", gps}}}; }
};
/// Figures of runs. `prefix`: base name, without directories.
[[nodiscard]] FtioFigures ftio_figures(const analysis::FtioRuns& runs, const std::string& prefix);

}  // namespace steelyard::formats
