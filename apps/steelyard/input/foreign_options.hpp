// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "foreign/foreign.hpp"
#include "options/option_table.hpp"
#include "options/values.hpp"
#include "process/errors.hpp"

/// Options that describe texts of other programs; every reading command takes them.
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

}  // namespace steelyard::cli
