// SPDX-License-Identifier: Apache-2.0
#include "suites/ftio/column_file.hpp"

#include <cstdio>

namespace steelyard::ftio {

namespace fs = std::filesystem;

fs::path column_path(const FileSite& site) {
  if (site.access == FileAccess::shared) return site.directory / (std::string(file_prefix) + "shared");
  char number[16];
  std::snprintf(number, sizeof number, "%06d", site.team->rank());
  return site.directory / (std::string(file_prefix) + number);
}

std::unique_ptr<ColumnFile> open_columns(const FileSite& site) {
  return site.access == FileAccess::posix ? open_posix_columns(site) : open_mpi_columns(site);
}

void end_file(const fs::path& path, Ending ending) noexcept {
  std::error_code failed;
  const fs::path to = path.parent_path().parent_path() / path.filename();
  if (ending == Ending::kept && !fs::exists(fs::symlink_status(to, failed))) fs::rename(path, to, failed);
  fs::remove(path, failed);
}

}  // namespace steelyard::ftio
