// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <ostream>
#include <string>

#include "options/option_table.hpp"
#include "options/values.hpp"

namespace steelyard::cli {

enum class Existing { refused, replaced };

/// Writes to a file, or to standard output for "-". Throws Refused if the file exists and must not be
/// replaced, or cannot be written. A device, and a pipe of a shell, lose nothing and are written to.
void write_output(const std::string& text, const std::string& file, Existing existing);
/// Like write_output, but a reader of the file finds the old text or all of the new one: it is written
/// beside the file, or beside what a link stands for, and renamed. A device or a pipe is written to, never replaced.
void write_whole(const std::string& text, const std::string& file, Existing existing);
inline constexpr Option output_option("output", Kind::file, "where to write", 'o',
                                      FallbackText{"standard output"});
inline constexpr Option overwrite_option("overwrite", "replace an existing file");

/// Columns of tables that are written to the place of --output: those of the terminal that it is, up to `most`; `most`
/// in a file or a pipe.
[[nodiscard]] std::size_t text_width(const Values& values, std::size_t most);

/// Writes to the place of --output; --overwrite replaces an existing file.
void write_output(const std::string& text, const Values& values);
/// Same for a text that is too long to be held: `write` gets the stream. If `write` throws, a regular file stays as it
/// was, with a part of the text in its place if it has several names, is somebody else's or lies in a directory that
/// cannot be written; a part of the text may also have gone to standard output.
void write_output(const std::function<void(std::ostream&)>& write, const Values& values);

}  // namespace steelyard::cli
