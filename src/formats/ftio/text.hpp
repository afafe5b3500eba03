// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <ostream>
#include <string>

#include "analysis/ftio_runs.hpp"
#include "formats/named_files.hpp"
#include "formats/writer.hpp"

/// Parts of the texts of FTIO. Of this room alone.
namespace steelyard::formats::ftio {

/// System, MPI library, file system: what accompanies every result.
[[nodiscard]] std::string head(const record::RunRecord& run);
/// One row per phase, and their sum.
[[nodiscard]] std::string phase_table(const analysis::FtioRun& run);
/// The three lines "FTIO: ...".
[[nodiscard]] std::string result_lines(const analysis::FtioRun& run);
/// What a run that has no result ended with.
[[nodiscard]] std::string failure(const record::PointRecord& point);
/// Means and standard deviations of several runs; empty for one.
[[nodiscard]] std::string means(const analysis::FtioSize& size);

}  // namespace steelyard::formats::ftio

namespace steelyard::formats {

/// The report of FTIO: head, a table of phases and three lines per run, means over several runs at the end.
/// Points of other suites are passed over. ASCII. Source of what is printed: docs/suites/ftio.md, "Report".
[[nodiscard]] std::unique_ptr<Writer> ftio_text(std::ostream& out);

/// Data and gnuplot script of the seed's figures: I/O fraction, and cycles per flop where they are known,
/// over the size of the matrix in elements. `gnuplot PREFIX.gps` writes PREFIX_fraction.svg and
/// PREFIX_cycles.svg.
struct FtioFigures {
  std::string plot, gps;
};
/// `prefix`: base name, without directories.
[[nodiscard]] FtioFigures ftio_figures(const analysis::FtioRuns& runs, const std::string& prefix);

/// As check_files() and write_files(), for .plot and .gps.
void check_ftio_figures(const std::filesystem::path& prefix, Existing existing);
void write_ftio_figures(const std::filesystem::path& prefix, const FtioFigures& figures, Existing existing);

}  // namespace steelyard::formats
