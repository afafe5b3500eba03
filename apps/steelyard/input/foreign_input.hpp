// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "foreign/foreign.hpp"
#include "options/option_table.hpp"
#include "options/values.hpp"
#include "process/errors.hpp"
#include "record/file.hpp"

/// Options that describe texts of other programs; every reading command takes them.
/// Reading of runs from texts of other programs, for every command that reads results.
namespace steelyard::cli {

// Checks of their words, also where no input turns out to be such a text. They throw UsageError.
void check_set(std::string_view list);
void check_date_word(std::string_view word);
void check_timezone(std::string_view word);
void check_path(std::string_view pattern);
/// Reads the file.
void check_described(std::string_view file);

inline constexpr Option foreign_options[] = {
    {"set", Kind::text,
     "what a text of another program does not tell: processes, threads, nodes, processes_per_node, mpi, "
     "machine, host, or a parameter of its points (window, type, ...); compare: base:NAME=VALUE for one side",
     Argument{"NAME=VALUE,..."}, FallbackText{"what the text says"}, check_set, Repeat::many, InFile::no},
    {"date", Kind::text,
     "when a text without a date was written: 2023-05-04, 2023-05-04T10:00:00 or 2023-05-04T10:00+02:00",
     Argument{"DATE"}, FallbackText{"of the text, or of the file"}, check_date_word, InFile::no},
    {"timezone", Kind::text, "of dates without zone in such texts: UTC, +02:00", Argument{"ZONE"},
     Fallback{"UTC"}, check_timezone, InFile::no},
    {"path", Kind::text,
     "takes from the end of a path: {processes} {nodes} {threads} {benchmark} {host} {machine} {mpi} "
     "{date:%Y-%m-%d} {label.NAME} {*}",
     Argument{"TEMPLATE"}, FallbackText{"paths say nothing"}, check_path, InFile::no},
    {"describe", Kind::file,
     "says of many files what --as, --set, --date, --timezone, --name and --label say of one (TOML)",
     FallbackText{"nothing more is said"}, check_described, InFile::no},
    {"as", Kind::word, "what a text is", Argument{"FORMAT"}, FallbackText{"by content"},
     OneOf{"imb osu hpl hpcc stream babelstream ior mdtest fio b-eff b-eff-io hpcg graph500 nccl"},
     InFile::no},
};
inline constexpr Group foreign_group{"Texts of other programs", foreign_options};

/// Side of a command with two inputs that a word of --set is for.
enum class ComparedSide { both, base, now };

/// A path that does not fit the template.
class PathMisfit : public UsageError {
 public:
  using UsageError::UsageError;
};

/// Description of one file by the options.
struct DescribedFile {
  foreign::Description told;
  std::vector<std::pair<std::string, std::string>> labels;
  std::string name;  // of the runs; empty: program and release
};
/// Throws UsageError for words that make no sense, PathMisfit.
[[nodiscard]] DescribedFile description_of(const Values& values, const std::string& file,
                                           ComparedSide side = ComparedSide::both);

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
