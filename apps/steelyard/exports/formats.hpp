// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "options/values.hpp"
#include "record/file.hpp"
#include "record/walk.hpp"

/// Formats of `steelyard export`: a row and a function for each.
namespace steelyard::cli {

/// Records to be exported, read when a format asks for them: chosen runs of a file, or those of another program's text.
class Exported {
 public:
  struct Input {
    std::string file;
    record::RunChoice choice;
    std::optional<record::FileContent> foreign = {};
    /// suite/benchmark of the points that --select lets through; nullopt: all points.
    std::optional<std::set<std::string>> names = {};
    bool tells = true;     // warns of torn and damaged lines
    bool verbose = false;  // tells of records of unknown types
  };
  Exported(Input input, std::string_view wanted)
      : format(wanted), selected(input.names.has_value()), input_(std::move(input)) {}

  const std::string_view format;
  const bool selected;  // --select was given: missing benchmarks are no defect

  /// suite/benchmark of the points that --select lets through; nullopt: all points.
  [[nodiscard]] const std::optional<std::set<std::string>>& names() const { return input_.names; }
  [[nodiscard]] std::vector<record::Run> runs() const;
  /// The same with the points that --select does not let through: what is said of a run follows from all of them.
  [[nodiscard]] std::vector<record::Run> whole_runs() const;
  [[nodiscard]] bool lets_through(const record::PointRecord& point) const;
  /// Passes each record to `take`, in the order of the file, with the text that `make` makes of it.
  void each_record(const record::TextMaker& make, const record::TextConsumer& take) const;
  /// Passes runs and their points to `take` as runs() has them, one at a time.
  void each_run(const record::RunTaker& take) const;

 private:
  void tell(const record::FileContent& counts) const;

  Input input_;
};

struct ExportFormat {
  std::string_view name;  // word of --to
  /// Writes to --output. Throws UsageError for records that lack what the format shows (unless --partial), for several
  /// runs if it shows one and for an --output of the wrong kind; Refused and record::WriteError for files that exist or
  /// cannot be written.
  void (*write)(const Exported& what, const Values& values);
  std::string_view option = {};  // option that only this format has
  bool whole = false;            // shows a whole experiment: --select is refused
};

/// What those that refuse records that lack something say beside it.
inline constexpr const char* advice_on_part =
    "'steelyard run --resume -o DIR' measures the rest of a run; --partial writes what there is";

/// Prefix of so many files ("six"), by --output or the usual one. Throws UsageError for a word that is none.
[[nodiscard]] std::filesystem::path prefix_of_files(const Values& values, const std::string& usual,
                                                    const std::string& count);

// Functions of the rows below.
void export_csv(const Exported& what, const Values& values);
void export_json(const Exported& what, const Values& values);
void export_imb(const Exported& what, const Values& values);
void export_beff(const Exported& what, const Values& values);
void export_beffio(const Exported& what, const Values& values);
void export_ftio(const Exported& what, const Values& values);
void export_hpcc(const Exported& what, const Values& values);
void export_gnuplot(const Exported& what, const Values& values);

void export_monitoring(const Exported& what, const Values& values);

/// All formats, in the order in which help names them.
inline constexpr auto export_formats = std::to_array<ExportFormat>({
    {.name = "csv", .write = export_csv, .option = "metrics"},
    {.name = "json", .write = export_json},
    {.name = "imb", .write = export_imb, .option = "imb-version"},
    {.name = "b-eff", .write = export_beff, .whole = true},
    {.name = "b-eff-io", .write = export_beffio, .whole = true},
    {.name = "ftio", .write = export_ftio, .whole = true},
    {.name = "hpcc", .write = export_hpcc, .whole = true},
    {.name = "hpl", .write = export_hpcc, .option = "hpl-version", .whole = true},
    {.name = "hpccinf", .write = export_hpcc, .whole = true},
    {.name = "gnuplot", .write = export_gnuplot},
    {.name = "prometheus", .write = export_monitoring},
    {.name = "openmetrics", .write = export_monitoring},
});

}  // namespace steelyard::cli
