// SPDX-License-Identifier: Apache-2.0
// The classic front-end ftio: its report on standard output, figures if they are asked for.
#include "measuring/front_end.hpp"

#include <algorithm>
#include <iostream>

#include "formats/ftio/text.hpp"
#include "ftio/options.hpp"
#include "options/checks.hpp"
#include "options/shared_options.hpp"
#include "process/errors.hpp"

namespace steelyard::cli {
namespace {

/// Number of processes, as far as it is known before anything is started.
int processes_here(const Values& values) {
  if (const auto size = launcher_size(); size && under_launcher()) return *size;
  return values.word("launch") ? processes_to_launch(values) : 1;
}

int print_parameters(int processes) {
  if (speaks_for_all()) std::cout << parameter_list(processes) << std::flush;
  return exit_code::done;
}

std::optional<std::filesystem::path> figure_prefix(const Values& values) {
  if (const auto word = values.word("prefix")) return parse_prefix(*word);
  if (values.word("sweep")) return std::filesystem::path("ftio");
  return std::nullopt;
}

/// Whether a file that is kept could have this name; figures are called ftio.plot and ftio.gps.
bool is_kept_name(std::string_view name) {
  constexpr std::string_view begin = "ftio.";
  if (!name.starts_with(begin)) return false;
  name.remove_prefix(begin.size());
  return name == "shared" ||
         (!name.empty() && name.find_first_not_of("0123456789") == std::string_view::npos);
}

/// Refuses -keep beside whatever has the name of a kept file: nothing of others is replaced.
void refuse_kept_ftio_files(const std::filesystem::path& directory) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(directory, ignored))
    if (is_kept_name(entry.path().filename().string()))
      throw Refused("-keep: '" + entry.path().string() + "' exists already");
}

/// Warns at once of reads from a cache, which make the result that of something else than a disk.
class CacheWarning final : public formats::Writer {
 public:
  void run(const record::RunRecord&) override {}
  void point(const record::PointRecord&) override {}
  void event(const record::EventRecord& event) override {
    if (event.code == "cached_read") std::cerr << "steelyard: warning: " + event.text + '\n';
  }
  void end(const record::EndRecord&) override {}
};

class FtioJob final : public FilesJob {
 public:
  /// Throws Refused if there is no such directory, UsageError for settings that are not valid here.
  explicit FtioJob(const Invocation& invocation)
      : FilesJob(invocation),
        directory_(existing_directory("-dir", invocation.values.need("dir"))),
        prefix_(figure_prefix(invocation.values)) {
    const Values& values = invocation.values;
    const int processes = processes_here(values);
    static_cast<void>(ftio_settings(values, place_here(values, processes, processes)));
  }

  [[nodiscard]] FileWishes files() const override {
    FileWishes wishes{directory_, {}, "-dir"};
    for (const auto& word : invocation_.values.list("io-hint")) wishes.hints.push_back(parse_label(word));
    return wishes;
  }
  [[nodiscard]] Prepared prepare(const Place& place) override { return prepare_ftio(invocation_, place); }
  /// Writes the figures. Throws record::WriteError.
  void finished(const campaign::RunResult& result, const Destinations&) override {
    tell_stop(result);
    if (!prefix_) return;
    if (std::ranges::none_of(kept().points(), ftio::has_figures)) {
      std::cerr << "steelyard: nothing was measured, no figures are written" << std::endl;
      return;
    }
    const analysis::FtioRuns runs(kept().points());
    formats::write_ftio_figures(*prefix_, formats::ftio_figures(runs, prefix_->filename().string()),
                                existing());
  }

 private:
  void refuse_existing_files() const override {
    if (prefix_) formats::check_ftio_figures(*prefix_, existing());
    if (invocation_.values.on("keep")) refuse_kept_ftio_files(directory_);
  }
  void add_texts(Destinations& to) override {
    to.texts.push_back(formats::ftio_text(std::cout));
    if (!invocation_.values.on("quiet")) to.texts.push_back(std::make_unique<CacheWarning>());
    FilesJob::add_texts(to);
  }

  std::filesystem::path directory_;
  std::optional<std::filesystem::path> prefix_;  // of figures
};

int run_ftio(const Invocation& invocation) {
  const Values& values = invocation.values;
  if (values.on("processes-check")) return print_parameters(processes_here(values));
  return run_front_end<FtioJob>(invocation);
}

constexpr std::string_view ftio_examples[] = {
    "mpiexec -n 4 steelyard ftio 24 -dir /scratch",
    "steelyard ftio -n 4 -size cache -runs 3 -dir . --out ftio-results",
    "steelyard ftio -n 4 -sweep 8,16,24 -f sweep", "steelyard ftio -n 6 -processes-check"};
constexpr int ftio_codes[] = {0, 1, 2, 4, 5, 70};

}  // namespace

const Command ftio_command{
    .name = "ftio",
    .section = "Classic programs",
    .summary = "FTIO: an out-of-core two-dimensional Fourier transform, I/O fraction",
    .description =
        "Transforms a complex matrix that lies on disk, row by row, with little of it in memory: input and "
        "output, "
        "messages and arithmetic alternate. The main result is the I/O fraction, the share of the time that "
        "input and "
        "output take. One dash and two are equal. The report goes to standard output; records are written "
        "only with "
        "--out.",
    .positional = {"PARAMETER", Kind::text, Repeat::once, "the input parameter, as -i", Presence::optional},
    .groups = ftio_options(),
    .examples = ftio_examples,
    .exit_codes = ftio_codes,
    .see_also = "steelyard help run",
    .dashes = DashStyle::one_or_two,
    .link = "ftio",
    .run = run_ftio};

}  // namespace steelyard::cli
