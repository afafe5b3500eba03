// SPDX-License-Identifier: Apache-2.0
#include "ftio/options.hpp"

#include <algorithm>
#include <array>
#include <iostream>
#include <utility>

#include "formats/ftio/text.hpp"
#include "measuring/measuring.hpp"
#include "options/checks.hpp"
#include "options/shared_options.hpp"
#include "process/errors.hpp"
#include "suites/ftio/definition.hpp"
#include "units/quantity.hpp"
#include "units/text.hpp"

// The classic front-end ftio: its report on standard output, figures if they are asked for.

namespace steelyard::cli {
namespace {

constexpr auto ftio_classic = Origin::classic;
constexpr std::int64_t largest_parameter = std::int64_t{1} << 20;

/// "8,16,24": parameters, each once. Throws units::ParseError.
std::vector<std::int64_t> parse_parameters(std::string_view words) {
  std::vector<std::int64_t> list;
  for (const std::string& one : comma_list(words)) {
    const std::int64_t parameter = units::parse_count(one, 2, largest_parameter);
    if (std::ranges::find(list, parameter) != list.end()) throw units::ParseError("names " + one + " twice");
    list.push_back(parameter);
  }
  if (list.empty()) throw units::ParseError("names no parameter");
  return list;
}

// As checks of an option table.
void check_clock(std::string_view word) {
  constexpr double least = 0.01, most = 100;
  const double gigahertz = units::parse_number(word);
  if (!(gigahertz >= least && gigahertz <= most))
    throw units::ParseError("must be a frequency from 0.01 to 100 GHz, got '" + std::string(word) + "'");
}

constexpr Option ftio_what[] = {
    {"input-parameter", Kind::count, "the matrix is of order I^2 P; P must divide I^2", 'i', Argument{"I"},
     FallbackText{"the lowest valid one from sqrt(P) + 1 on"}, Within{2, largest_parameter}, ftio_classic},
    {"size", Kind::word,
     "the parameter by a rule: the original's, 24 as in the published results, or the lowest whose matrix "
     "is twice the memory of the nodes, so that no page cache can hold it",
     Fallback{"rule"}, OneOf{"rule paper cache"}},
    {"sweep", Kind::special, "several parameters one after the other, and figures over the matrix size",
     Argument{"I1,I2,..."}, parses<parse_parameters>},
    {"runs", Kind::count, "runs of each parameter; their mean and standard deviation are told", Fallback{"1"},
     Within{1, 1000}},
    {"dir", Kind::directory,
     "directory that is measured: one of our own is made in it, and removed at the end", Fallback{"."},
     ftio_classic},
    {"clock-ghz", Kind::number, "frequency of the processors, for cycles per flop where nobody counts cycles",
     Argument{"GHZ"},
     FallbackText{"cycles are counted, or the nominal frequency counts, where the system tells either"},
     check_clock},
    {"processes-check", "tell which parameters are valid with this number of processes, and end"},
};

constexpr Option ftio_departures[] = {
    {"io", Kind::word, "one file per process by system calls or through MPI-IO, or one file of all processes",
     Fallback{"posix"}, OneOf{"posix mpi shared"}},
    {"cache", Kind::word, "pages of the files: left alone, dropped after each phase, or passed by (O_DIRECT)",
     Fallback{"keep"}, OneOf{"keep drop direct"}},
    {"rows", Kind::count, "rows that are transformed at a time", Fallback{"1"}, Within{1, 4096}},
    {"xrows", Kind::count, "rows of a Square that a message exchanges", Fallback{"1"}, Within{1, 4096}},
    io_hint_option,
};

constexpr Option ftio_output[] = {
    {"keep", "keep the files ftio.* of the last run", ftio_classic},
    {"prefix", Kind::file, "prefix of the files .plot and .gps with the figures", 'f', Argument{"PREFIX"},
     FallbackText{"ftio with -sweep, else none"}, parses<parse_prefix>},
    {"overwrite", "replace existing files"},
    front_end_out,
    front_end_label,
};

constexpr Group ftio_groups[] = {{"What is measured", ftio_what},
                                 {"Departures from the rule", ftio_departures},
                                 {"Output", ftio_output},
                                 {"Start and talk", front_end_start}};

constexpr std::size_t listed_parameters = 16;

/// Enumerator whose text is the word; the first one if none is.
template <class Choice, std::size_t n>
Choice chosen(const std::string& word, const std::array<Choice, n>& all) {
  for (const Choice one : all)
    if (ftio::text(one) == word) return one;
  return all.front();
}

std::string joined(const std::vector<std::int64_t>& list) {
  std::string text;
  for (const auto value : list) text += (text.empty() ? "" : ", ") + std::to_string(value);
  return text;
}

void refuse_invalid(std::int64_t parameter, int processes) {
  if (ftio::valid_parameter(processes, parameter)) return;
  throw UsageError("the input parameter " + std::to_string(parameter) + " is not valid with " +
                       std::to_string(processes) + " processes, whose number must divide its square",
                   "the nearest valid ones: " + joined(ftio::nearest_parameters(processes, parameter)));
}

std::int64_t beyond_memory(int processes, std::int64_t memory_byte) {
  if (memory_byte > 0) return ftio::parameter_beyond(processes, Bytes{memory_byte});
  throw Refused("-size cache: the memory of the nodes cannot be found out here; -i tells the parameter");
}

std::optional<std::int64_t> single(const Values& values) {
  const auto bare = values.word("parameter");
  const auto option = values.count("input-parameter");
  if (bare && option) throw UsageError("-i and the PARAMETER '" + *bare + "' say the same");
  if (!bare) return option;
  try {
    const auto list = parse_parameters(*bare);
    if (list.size() > 1) throw UsageError("PARAMETER: '" + *bare + "' names several; -sweep takes a list");
    return list.front();
  } catch (const units::ParseError& error) {
    throw UsageError(std::string("PARAMETER: ") + error.what());
  }
}

std::vector<std::int64_t> parameters_of(const Values& values, int processes, std::int64_t memory_byte) {
  const auto one = single(values);
  const auto sweep = values.word("sweep");
  const std::string rule = values.need("size");
  if ((one ? 1 : 0) + (sweep ? 1 : 0) + (rule != "rule" ? 1 : 0) > 1)
    throw UsageError("PARAMETER, -sweep and -size exclude each other");
  if (sweep) return parse_parameters(*sweep);
  if (one) return {*one};
  if (rule == "paper") return {ftio::paper_parameter};
  if (rule == "cache") return {beyond_memory(processes, memory_byte)};
  return {ftio::default_parameter(processes)};
}

void refuse_combinations(const ftio::Settings& settings) {
  if (settings.cache != ftio::PageCache::direct) return;
  if (settings.access != ftio::FileAccess::posix)
    throw UsageError("-cache direct: needs -io posix, MPI-IO cannot be told to pass the page cache by");
  for (const auto parameter : settings.parameters)
    if (!ftio::whole_blocks(parameter))
      throw UsageError(
          "-cache direct: segments of whole blocks need an input parameter that is a multiple of 32 at "
          "least, got " +
          std::to_string(parameter));
}

void refuse_beyond_memory(const ftio::Settings& settings, const Place& place) {
  for (const auto parameter : settings.parameters) {
    const Bytes needed = ftio::memory_bound({place.processes, parameter}, settings.batches);
    if (place.memory_byte == 0 || needed.count() <= place.memory_byte) continue;
    const auto [wanted, usable] = units::format_unlike_sizes(needed, Bytes{place.memory_byte});
    throw UsageError("the input parameter " + std::to_string(parameter) + " takes " + wanted +
                     " per process, and a process may use " + usable);
  }
}

ftio::Settings ftio_rule_of(const CampaignShare& share, const Place& place) {
  ftio::Settings settings;
  settings.runs = 3;
  settings.memory_byte = memory_of_all(place);
  return share.hurry ? ftio::hurried(std::move(settings), place.processes) : settings;
}

std::unique_ptr<suites::Suite> ftio_of_run(const Values&, const CampaignShare& share, const Place& place) {
  auto settings = ftio_rule_of(share, place);
  if (share.time) settings = ftio::fitted(settings, *share.time, place.world());
  return ftio::measurable_suite(settings);
}

std::optional<suites::TimeRange> ftio_range(const Values&, const CampaignShare& share, const Place& place) {
  return ftio::time_range(ftio_rule_of(share, place), place.world());
}

// The suite with the least matrix of up to four processes: that of many would be large.
std::unique_ptr<suites::Suite> tiny_ftio(int processes) {
  constexpr int most_processes = 4;
  ftio::Settings settings;
  settings.processes = std::min(processes, most_processes);
  settings.parameters = ftio::valid_parameters(*settings.processes, 2, 1);
  return ftio::measurable_suite(settings);
}

constexpr const Command* ftio_front_ends[] = {&ftio_command};

/// Number of processes, as far as it is known before anything is started.
int processes_here(const Values& values) {
  if (const auto size = launcher_size(); size && under_launcher()) return *size;
  return values.word("launch") ? processes_to_launch(values) : 1;
}

/// Text of --processes-check: the parameters that are valid with this number of processes.
std::string parameter_list(int processes) {
  const std::int64_t usual = ftio::default_parameter(processes);
  std::string text = std::to_string(processes) + " processes: multiples of " +
                     std::to_string(ftio::parameter_step(processes)) + "\n\n" +
                     "       i          N  bytes of the matrix\n";
  for (const auto i : ftio::valid_parameters(processes, 2, listed_parameters)) {
    const ftio::Shape shape{processes, i};
    const auto right = [](std::string word, std::size_t width) {
      return std::string(width > word.size() ? width - word.size() : 0, ' ') + word;
    };
    text += right(std::to_string(i), 8) + right(std::to_string(shape.order()), 11) + "  " +
            std::to_string(shape.matrix().count()) + (i == usual ? "  default" : "") + "\n";
  }
  return text;
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

/// Plan of ftio. Throws UsageError, Refused if a rule needs the memory of the nodes and it is not known.
Prepared prepare_ftio(const Invocation& invocation, const Place& place) {
  Prepared prepared;
  const auto settings = ftio_settings(invocation.values, place);
  refuse_beyond_memory(settings, place);
  prepared.suites.push_back(ftio::measurable_suite(settings));
  const campaign::Selected selected[] = {{prepared.suites.front().get(), std::string(ftio::benchmark_name)}};
  prepared.options.processes = place.processes;
  prepared.options.memory_byte = place.memory_byte;
  prepared.plan = campaign::make_plan(selected, prepared.options, "ftio");
  return prepared;
}

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
    formats::write_files(*prefix_, formats::ftio_figures(runs, prefix_->filename().string()).named(),
                         existing());
  }

 private:
  void refuse_existing_files() const override {
    if (prefix_) formats::check_files(*prefix_, formats::FtioFigures{}.named(), existing());
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

std::span<const Group> ftio_options() {
  return ftio_groups;
}

ftio::Settings ftio_settings(const Values& values, const Place& place) {
  ftio::Settings settings;
  settings.memory_byte = memory_of_all(place);
  settings.parameters = parameters_of(values, place.processes, settings.memory_byte);
  for (const auto parameter : settings.parameters) refuse_invalid(parameter, place.processes);
  settings.runs = static_cast<int>(*values.count("runs"));
  using enum ftio::FileAccess;
  settings.access = chosen(values.need("io"), std::array{posix, mpi, shared});
  using enum ftio::PageCache;
  settings.cache = chosen(values.need("cache"), std::array{ftio::PageCache::keep, drop, direct});
  settings.batches = {*values.count("rows"), *values.count("xrows")};
  settings.keep = values.on("keep");
  if (const auto word = values.word("clock-ghz"))
    settings.clock_hz = units::parse_number(*word) * prefix::giga;
  refuse_combinations(settings);
  return settings;
}

constinit const MeasuredSuite measured_ftio{.name = ftio::suite_name,
                                            .of_run = ftio_of_run,
                                            .range = ftio_range,
                                            .tiny = tiny_ftio,
                                            .front_ends = ftio_front_ends};

const Command ftio_command{
    .name = "ftio",
    .section = "Classic programs",
    .summary = "FTIO: an out-of-core two-dimensional Fourier transform, I/O fraction",
    .description =
        "Transforms a complex matrix that lies on disk, row by row, with little of it in memory: input and "
        "output, messages and arithmetic alternate. The main result is the I/O fraction, the share of the "
        "time that input and output take. One dash and two are equal. The report goes to standard output; "
        "records are written only with --out.",
    .positional = {"PARAMETER", Kind::text, Repeat::once, "the input parameter, as -i", Presence::optional},
    .groups = ftio_options(),
    .examples = ftio_examples,
    .exit_codes = ftio_codes,
    .see_also = "steelyard help run",
    .dashes = DashStyle::one_or_two,
    .link = "ftio",
    .run = run_ftio};

}  // namespace steelyard::cli
