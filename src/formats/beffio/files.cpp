// SPDX-License-Identifier: Apache-2.0
#include "formats/beffio/files.hpp"

#include <array>

#include "formats/beffio/sections.hpp"

namespace steelyard::formats {
namespace {

std::array<NamedFile, 4> named(const BeffioFiles& files) {
  return {{{".prot", files.prot}, {".sum", files.sum}, {".plot", files.plot}, {".gps", files.gps}}};
}

}  // namespace

BeffioFiles beffio_files(const record::RunRecord& head, const analysis::BeffioRun& run,
                         const analysis::BeffioFrame& frame, std::optional<double> elapsed_s,
                         const BeffioFilesOptions& options) {
  const beffio::Source source{head, run, frame, elapsed_s, options};
  BeffioFiles files;
  files.last_line = beffio::last_line(source);
  files.prot = beffio::head(source) + beffio::protocol(source) + files.last_line + "\n";
  files.sum = beffio::head(source);
  for (const auto& partition : run.partitions()) files.sum += "\n" + beffio::partition(source, partition);
  files.sum += "\n" + files.last_line + "\n";
  files.plot = beffio::plot_data(source);
  files.gps = beffio::gnuplot_script(source);
  return files;
}

void check_beffio_files(const std::filesystem::path& prefix, Existing existing) {
  check_files(prefix, named(BeffioFiles{}), existing);
}

void write_beffio_files(const std::filesystem::path& prefix, const BeffioFiles& files, Existing existing) {
  write_files(prefix, named(files), existing);
}

}  // namespace steelyard::formats
