// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "commands/foreign_words.hpp"
#include "record/file.hpp"

/// The one way from files of other programs to runs: what every reading command does with an input.
namespace steelyard::cli {

/// Whether a file holds a text of another program that is known; `-` and folders do not.
[[nodiscard]] bool is_foreign_file(const std::string& file);

/// The same of a text at hand: it has the mark of a program that is known, and is none of ours.
[[nodiscard]] bool is_foreign_text(std::string_view text);

/// Everything in a file, unpacked if it is gzip. Throws record::ReadError.
[[nodiscard]] std::string plain_text_of(const std::string& file);

/// What is read of such a text. Blocks that cannot be read are told on standard error, with file and line. Throws
/// record::ReadError where none can be read.
[[nodiscard]] foreign::Reading read_foreign(const std::string& file, const std::string& text,
                                            const ToldFile& told);
/// Throws UsageError with the nearest word where a parameter was told that means nothing to any of the texts.
void refuse_unused(const std::string& where, std::span<const foreign::Reading* const> readings);

/// The runs of one text, in which every parameter that was told means something.
[[nodiscard]] std::vector<record::Run> foreign_runs(const std::string& file, const std::string& text,
                                                    const ToldFile& told);
[[nodiscard]] std::vector<record::Run> foreign_runs(const std::string& file, const ToldFile& told);

/// The records of runs in the order in which a file has them.
[[nodiscard]] record::FileContent content_of(const std::vector<record::Run>& runs);

/// Adds suite/benchmark of a point that was imported.
void add_foreign_name(const record::PointRecord& point, std::set<std::string>& names);
/// The names that patterns of --select mean: of benchmarks of ours, and of those that only an input has, `foreign`.
/// Throws UsageError for a pattern that means neither.
[[nodiscard]] std::set<std::string> selected_names(const std::vector<std::string>& patterns,
                                                   const std::set<std::string>& foreign);

/// Whether the run was read from a text of HPC Challenge, whose Summary has figures, not points with intervals.
[[nodiscard]] bool has_figures_alone(const record::Run& run);
/// A run with a point for each figure of its Summary of HPC Challenge: the one that it has, or what its points make.
[[nodiscard]] record::Run figures_of(record::Run run);

}  // namespace steelyard::cli
