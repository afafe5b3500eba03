// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <ostream>
#include <string>

#include "words/option_table.hpp"
#include "words/values.hpp"

namespace steelyard::cli {

enum class Existing { refused, replaced };

/// To a file, or to standard output for "-". Throws Refused where the file exists or cannot be written.
void write_output(const std::string& text, const std::string& file, Existing existing);
/// As write_output, but who reads the file finds the old text or all of the new one: written beside it and renamed.
void write_whole(const std::string& text, const std::string& file, Existing existing);
inline constexpr Option output_option{.name = "output",
                                      .letter = 'o',
                                      .kind = Kind::file,
                                      .fallback_text = "standard output",
                                      .help = "where to write"};
inline constexpr Option overwrite_option{.name = "overwrite", .help = "replace an existing file"};

/// Where --output and --overwrite say.
void write_output(const std::string& text, const Values& values);
/// The same for a text that is too long to be held: `write` gets the stream. A file is there when all is written, or as it
/// was; of what goes to standard output a piece may be out when `write` throws.
void write_output(const std::function<void(std::ostream&)>& write, const Values& values);

}  // namespace steelyard::cli
