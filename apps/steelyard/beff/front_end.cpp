// SPDX-License-Identifier: Apache-2.0
// The classic front-end b-eff: the prescribed experiment, and six files at its end.
#include "measuring/front_end.hpp"

#include <iostream>

#include "beff/options.hpp"
#include "beff/report.hpp"

namespace steelyard::cli {
namespace {

class BeffJob final : public FilesJob {
 public:
  /// Throws UsageError for words that name no files.
  explicit BeffJob(const Invocation& invocation)
      : FilesJob(invocation), prefix_(beff_prefix(invocation.values)) {}

  [[nodiscard]] Prepared prepare(const Place& place) override { return prepare_beff(invocation_, place); }
  /// Prints the last line on standard error, then writes the files. Throws record::WriteError.
  void finished(const campaign::RunResult& result, const Destinations&) override {
    tell_stop(result);
    if (kept().points().empty()) {
      std::cerr << "steelyard: nothing was measured, no files are written" << std::endl;
      return;
    }
    const auto files = beff_report(kept().head(), kept().points(), kept().end(), prefix_);
    std::cerr << files.last_line << std::endl;
    formats::write_beff_files(prefix_, files, existing());
  }

 private:
  void refuse_existing_files() const override { formats::check_beff_files(prefix_, existing()); }

  std::filesystem::path prefix_;
};

constexpr std::string_view b_eff_examples[] = {"mpiexec -n 8 steelyard b-eff",
                                               "steelyard b-eff -n 4 -mem 1024 -f four",
                                               "steelyard b-eff -n 2 -test --out b_eff-results"};
constexpr int b_eff_codes[] = {0, 1, 2, 4, 5, 70};

}  // namespace

const Command b_eff_command{
    .name = "b-eff",
    .section = "Classic programs",
    .summary = "b_eff: effective bandwidth of the network, six files",
    .description =
        "Measures the effective bandwidth b_eff with all processes: 21 message lengths, rings and random "
        "polygons, three methods, three repetitions. One dash and two are equal. The last line of the text "
        "files is also printed on standard error. Afterwards 'gnuplot PREFIX.gps', 'latex PREFIX.tex' and "
        "'dvips PREFIX.dvi' make a report. Records are written only with --out.",
    .positional = {"RESULT", Kind::file, Repeat::once, "prefix of the files, as -f", Presence::optional},
    .groups = beff_options(),
    .examples = b_eff_examples,
    .exit_codes = b_eff_codes,
    .see_also = "steelyard help run",
    .dashes = DashStyle::one_or_two,
    .link = "b_eff",
    .run = run_front_end<BeffJob>};

}  // namespace steelyard::cli
