// SPDX-License-Identifier: Apache-2.0
#include "process/input_file.hpp"

#include <cerrno>
#include <system_error>

namespace steelyard::cli {

std::ifstream open_to_read(const std::filesystem::path& file) {
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  std::error_code ignored;
  if (in && std::filesystem::is_directory(file, ignored)) {
    in.setstate(std::ios::failbit);
    errno = EISDIR;
  }
  return in;
}

}  // namespace steelyard::cli
