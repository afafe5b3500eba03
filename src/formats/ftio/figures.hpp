// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "analysis/ftio_runs.hpp"
#include "formats/named_files.hpp"

namespace steelyard::formats {

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
