// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "formats/writer.hpp"

namespace steelyard::cli {

/// -dumpfile: lines "%d %.3f", size in byte and time in microseconds of each repetition, all tables one after
/// the other. Throws Refused if the file cannot be written.
[[nodiscard]] std::unique_ptr<formats::Writer> imb_dump(const std::string& file);

}  // namespace steelyard::cli
