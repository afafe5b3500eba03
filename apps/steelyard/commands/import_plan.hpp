// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "analysis/tables.hpp"
#include "foreign/foreign.hpp"

namespace steelyard::cli {

/// One file as it was read, or the reason why it was not.
struct ImportedFile {
  std::string file;
  foreign::Reading reading;
  std::string refused;   // empty: it was read
  bool unknown = false;  // no known program wrote it
};

/// Table of `import --plan`: a row for each file and each program and release in it, with what the text does not say;
/// a row for each block that is refused, and for each file that is unknown or cannot be read.
[[nodiscard]] analysis::Tables plan_of_import(std::span<const ImportedFile> files);

}  // namespace steelyard::cli
