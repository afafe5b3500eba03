// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "input/foreign_options.hpp"
#include "record/file.hpp"

/// Reading of runs from texts of other programs, for every command that reads results.
namespace steelyard::cli {

/// Whether a file, or standard input, holds a text of another program that is known; folders and what can be read only
/// once do not, so that the latter is held before (hold_input).
[[nodiscard]] bool is_foreign_file(const std::string& file);

/// Whether a text has the mark of a program that is known, and is none of ours.
[[nodiscard]] bool is_foreign_text(std::string_view text);

/// Content of a file, unpacked if it is gzip. Throws record::ReadError.
[[nodiscard]] std::string plain_text_of(const std::string& file);

/// Reading of such a text. Tells on standard error of blocks that cannot be read, with file and line. Throws
/// record::ReadError if none can be read, UsageError if `told` contradicts the text.
[[nodiscard]] foreign::Reading read_foreign(const std::string& file, const std::string& text,
                                            const DescribedFile& told);
/// Throws UsageError with the nearest word if a parameter that was told means nothing to any of the texts.
void refuse_unused(const std::string& where, std::span<const foreign::Reading* const> readings);

/// Runs of one text, by read_foreign. Throws UsageError also for a parameter that was told and means nothing to it.
[[nodiscard]] std::vector<record::Run> foreign_runs(const std::string& file, const std::string& text,
                                                    const DescribedFile& told);
[[nodiscard]] std::vector<record::Run> foreign_runs(const std::string& file, const DescribedFile& told);

/// Records of runs in the order in which a file has them.
[[nodiscard]] record::FileContent content_of(const std::vector<record::Run>& runs);

/// Adds suite/benchmark of the point to `names` if it was imported.
void add_foreign_name(const record::PointRecord& point, std::set<std::string>& names);
/// Names that patterns of --select mean: of benchmarks of ours, and of those that only an input has, `foreign`.
/// Throws UsageError for a pattern that means neither.
[[nodiscard]] std::set<std::string> selected_names(const std::vector<std::string>& patterns,
                                                   const std::set<std::string>& foreign);

/// Whether the run was read from a text of HPC Challenge, whose Summary has figures, not points with intervals.
[[nodiscard]] bool has_figures_alone(const record::Run& run);
/// Whether a key is neither of the published Summary of HPC Challenge nor of this program's own: other releases and
/// other hands add keys.
[[nodiscard]] bool is_outside_summary(std::string_view key);
/// Keys outside the published Summary whose value is a number of which nothing tells the unit, nor whether more is better.
[[nodiscard]] std::vector<std::string> numbers_without_unit(const record::Run& run);
/// A run with a point for each figure of its Summary of HPC Challenge: the one that it has, or what its points make. A key
/// outside the published Summary is a figure where its ending tells the unit.
[[nodiscard]] record::Run figures_of(record::Run run);

}  // namespace steelyard::cli
