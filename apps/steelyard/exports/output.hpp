// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace steelyard::cli {

enum class Existing { refused, replaced };

/// To a file, or to standard output for "-". Throws Refused where the file exists or cannot be written.
void write_output(const std::string& text, const std::string& file, Existing existing);

}  // namespace steelyard::cli
