// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "record/file.hpp"
#include "words/values.hpp"

/// What `steelyard export` can write: a row and a function for each format.
namespace steelyard::cli {

/// The records to be exported, read when a format asks for them: the chosen runs of a file, or those of a text of another
/// program.
class Exported {
 public:
  struct Input {
    std::string file;
    record::RunChoice choice;
    std::optional<record::FileContent> foreign = {};
    std::optional<std::set<std::string>> names =
        {};                // suite/benchmark of the points that --select lets through
    bool tells = true;     // of a last line that is torn
    bool verbose = false;  // of unknown records
  };
  Exported(Input input, std::string_view wanted);

  const std::string_view format;
  const bool selected;  // --select has taken benchmarks away, so that what is missing says nothing

  [[nodiscard]] std::vector<record::Run> runs() const;
  /// Records in the order of the file, and points as runs() has them, one at a time.
  void each_record(const std::function<void(record::Record&&)>& take) const;
  void each_point(const record::PointConsumer& take) const;

 private:
  [[nodiscard]] bool lets_through(const record::PointRecord& point) const;
  void tell(const record::FileContent& counts) const;

  Input input_;
};

struct ExportFormat {
  std::string_view name;  // word of --to
  /// Writes to --output. Throws UsageError for records that lack what the format shows (unless --partial), for several
  /// runs where it shows one and for an --output that names no such place; Refused and record::WriteError for files
  /// that exist or cannot be written.
  void (*write)(const Exported& what, const Values& values);
  std::string_view option = {};  // that belongs to it alone
  bool whole = false;            // shows a whole experiment: --select is refused
};

// Each as its row says.
void export_csv(const Exported& what, const Values& values);
void export_json(const Exported& what, const Values& values);
void export_imb(const Exported& what, const Values& values);
void export_beff(const Exported& what, const Values& values);
void export_beffio(const Exported& what, const Values& values);
void export_ftio(const Exported& what, const Values& values);
void export_hpcc(const Exported& what, const Values& values);
void export_gnuplot(const Exported& what, const Values& values);

void export_monitoring(const Exported& what, const Values& values);

/// In the order in which help names them.
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
