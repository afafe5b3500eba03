// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>

namespace steelyard::cli {

/// Stream over the bytes of a file; it has failed, with the reason in errno, if there is nothing to read. Refuses
/// directories, which a stream of the library opens, to throw at the first character.
[[nodiscard]] std::ifstream open_to_read(const std::filesystem::path& file);

}  // namespace steelyard::cli
