// SPDX-License-Identifier: Apache-2.0
// The classic front-end b-eff-io: the prescribed experiment, and four files at its end.
#include "measuring/front_end.hpp"

#include <algorithm>
#include <iostream>

#include "beffio/options.hpp"
#include "beffio/report.hpp"
#include "options/checks.hpp"
#include "options/shared_options.hpp"
#include "process/errors.hpp"
#include "suites/beffio/definition.hpp"

namespace steelyard::cli {
namespace {

/// Refuses -keep beside kept files of an earlier run, which have the names of the published release.
void refuse_kept_files(const std::filesystem::path& directory) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(directory, ignored))
    if (entry.path().filename().string().starts_with("b_eff_io_data_"))
      throw Refused("-keep: '" + entry.path().string() + "' exists already");
}

/// Tells why the exit code is 1: how many patterns have no value, and what the first of them met.
void tell_failures(std::span<const record::PointRecord> points) {
  const auto failed = [](const record::PointRecord& point) {
    return point.status == record::Status::failed || point.verified == false;
  };
  const auto first = std::ranges::find_if(points, failed);
  if (first == points.end()) return;
  const auto [access, pattern] = beffio::recorded_spec(first->params);
  std::cerr << "steelyard: " << std::ranges::count_if(points, failed) << " of " << points.size()
            << " patterns failed, first pattern " << pattern << ", " << text(access) << " on "
            << first->processes << " processes: "
            << (first->verified == false ? "wrong data"
                : first->reason          ? first->reason->text
                                         : "no reason is known")
            << std::endl;
}

class BeffioJob final : public FilesJob {
 public:
  /// Throws UsageError for words that name no files, Refused if there is no such directory.
  explicit BeffioJob(const Invocation& invocation)
      : FilesJob(invocation),
        directory_(existing_directory("-p", invocation.values.need("directory"))),
        prefix_(parse_prefix(invocation.values.need("prefix"))) {}

  [[nodiscard]] FileWishes files() const override { return {directory_, {}, "-p"}; }
  [[nodiscard]] Prepared prepare(const Place& place) override { return prepare_beffio(invocation_, place); }
  /// Prints the last line on standard output, then writes the files. Throws record::WriteError.
  void finished(const campaign::RunResult& result, const Destinations&) override {
    tell_stop(result);
    if (kept().points().empty()) {
      std::cerr << "steelyard: nothing was measured, no files are written" << std::endl;
      return;
    }
    const auto files = beffio_report(kept().head(), kept().points(), kept().end(), prefix_);
    std::cout << files.last_line << std::endl;
    formats::write_beffio_files(prefix_, files, existing());
    tell_failures(kept().points());
  }

 private:
  void refuse_existing_files() const override {
    formats::check_beffio_files(prefix_, existing());
    if (invocation_.values.on("keep")) refuse_kept_files(directory_);
  }

  std::filesystem::path directory_, prefix_;
};

constexpr std::string_view b_eff_io_examples[] = {
    "mpiexec -n 8 steelyard b-eff-io -p /scratch", "steelyard b-eff-io -n 4 -N 2,4 -T 1800 -p . -f four",
    "steelyard b-eff-io -n 2 -MB 256 -T 5 -norewrite --out b_eff_io-results"};
constexpr int b_eff_io_codes[] = {0, 1, 2, 4, 5, 70};

}  // namespace

const Command b_eff_io_command{.name = "b-eff-io",
                               .section = "Classic programs",
                               .summary = "b_eff_io: effective I/O bandwidth through MPI-IO, four files",
                               .description =
                                   "Measures the effective I/O bandwidth b_eff_io of a directory: writing, "
                                   "rewriting and reading with five "
                                   "pattern types and 36 patterns in each of several partitions, within a "
                                   "scheduled time. One dash and two are "
                                   "equal. The last line of the text files is also printed on standard "
                                   "output. Afterwards 'gnuplot PREFIX.gps' "
                                   "draws the figures. Records are written only with --out.",
                               .groups = beffio_options(),
                               .examples = b_eff_io_examples,
                               .exit_codes = b_eff_io_codes,
                               .see_also = "steelyard help run",
                               .dashes = DashStyle::one_or_two,
                               .link = "b_eff_io",
                               .run = run_front_end<BeffioJob>};

}  // namespace steelyard::cli
