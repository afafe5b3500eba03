// SPDX-License-Identifier: Apache-2.0
#include "beffio/options.hpp"

#include <algorithm>
#include <iostream>

#include "beffio/report.hpp"
#include "measuring/measuring.hpp"
#include "options/checks.hpp"
#include "options/shared_options.hpp"
#include "process/descriptor.hpp"
#include "process/errors.hpp"
#include "suites/beffio/definition.hpp"
#include "units/text.hpp"

// The classic front-end b-eff-io: the prescribed experiment, and four files at its end.

namespace steelyard::cli {
namespace {

using units::ParseError;

constexpr auto beffio_classic = Origin::classic;
constexpr std::int64_t most_mebibyte = std::int64_t{1} << 40;

// As checks of an option table.
void check_alignment(std::string_view word) {
  const Bytes align = units::parse_size(word);
  if (align < mebi || align > gibi || align.count() % mebi.count() != 0)
    throw ParseError("must be a multiple of 1Mi, at most 1Gi, got '" + std::string(word) + "'");
}

constexpr Option beffio_what[] = {
    {"MB", Kind::count,
     "memory per process in units of 2^20 byte; the largest chunk is 1/128 of it, 2 MB to 1 GB",
     Argument{"MB"}, FallbackText{"memory of the node over processes on it"}, Within{1, most_mebibyte},
     beffio_classic},
    {"MT", Kind::count,
     "memory of the whole system in units of 2^20 byte, to compare the amount of data with", Argument{"MB"},
     FallbackText{"memory of all nodes"}, Within{1, most_mebibyte}, beffio_classic},
    {"partitions", Kind::special, "numbers of processes that are measured, at most 10", 'N',
     Argument{"N1,N2,..."}, FallbackText{"a small one, a medium one, all processes"},
     parses<parse_partitions>, beffio_classic},
    {"time", Kind::duration, "scheduled time of all partitions together", 'T', Argument{"SECONDS"},
     Fallback{"1800"}, check_duration_above_0, beffio_classic},
    {"directory", Kind::directory,
     "directory that is measured: one of our own is made in it, and removed at the end", 'p', Argument{"DIR"},
     Fallback{"."}, beffio_classic},
    {"hints", Kind::file, "hints to the MPI library by partition, access method, pattern type and chunk", 'i',
     Argument{"FILE"}, beffio_classic},
    {"formula", Kind::word,
     "the value: weights 25, 25, 50 % of the published definition, or the formula of release 2.x",
     Fallback{"published"}, OneOf{"published 2.x"}, Former{"seed=published"}},
    {"order", Kind::word, "all partitions access method by access method, or one partition after the other",
     Fallback{"access"}, OneOf{"access partition"}},
    {"align", Kind::special, "segments of types 3 and 4 are a multiple of this multiple of 1Mi long",
     Argument{"BYTES"}, Fallback{"1Mi"}, check_alignment},
    {"cache", Kind::count,
     "cache of the file system in units of 2^20 byte, to compare the amount of data with", Argument{"MB"},
     FallbackText{"memory of the nodes that is available"}, Within{1, most_mebibyte}},
};

constexpr Option beffio_departures[] = {
    {"random", "also chunks in random order, as a type of its own that is no part of the value"},
    {"mpart", Kind::word,
     "largest chunk of files that processes share: at most 2 or 16 GB over the processes of the partition",
     Argument{"GB"}, FallbackText{"not limited by the number of processes"}, OneOf{"2 16"}},
    {"noshared", "pattern type 1 without shared file pointers", beffio_classic},
    {"norewrite", "rewrite pattern type 0 only, as release 2.x does"},
    {"rewrite", "rewrite all pattern types, as it is done anyway", beffio_classic},
    {"unique", "open files in unique mode, as release 2.x does; nothing is read back then"},
    {"nounique", "files not in unique mode, as it is done anyway", beffio_classic},
    {"control", Kind::word,
     "decide on the end of a loop after batches that grow, or after each iteration, as release 2.x does",
     Fallback{"batched"}, OneOf{"batched each"}},
    {"dropcache", "forget the pages of files between the access methods (outside the times)"},
    {"maxbytes", Kind::size, "most that is written initially; patterns end early where it is too little",
     FallbackText{"no limit"}},
};

constexpr Option beffio_output[] = {
    {"prefix", Kind::file, "prefix of the files .prot .sum .plot .gps", 'f', Argument{"PREFIX"},
     Fallback{"b_eff_io"}, parses<parse_prefix>},
    {"errors", Kind::count, "wrong data that are shown of each pattern", 'e', Fallback{"1"}, Within{0, 1000},
     beffio_classic},
    {"keep", "keep the files b_eff_io_data_*", beffio_classic},
    {"overwrite", "replace existing files"},
    {"plot-color", "draw the figures in colour"},
    front_end_out,
    front_end_label,
};

constexpr Group beffio_groups[] = {{"What is measured", beffio_what},
                                   {"Departures from the rule, and limits", beffio_departures},
                                   {"Output", beffio_output},
                                   {"Start and talk", front_end_start}};

int parse_processes(std::string_view word) {
  const int value = units::read_number<int>(word).value_or(0);
  if (value < 1) throw ParseError("'" + std::string(word) + "' is no number of processes");
  return value;
}

void refuse_both(const Values& values, const char* one, const char* other) {
  if (values.on(one) && values.on(other))
    throw UsageError(std::string("-") + one + " and -" + other + " exclude each other");
}

std::vector<int> partitions_of(const Values& values, int processes) {
  const auto word = values.word("partitions");
  if (!word) return {};
  const auto list = parse_partitions(*word);
  const int most = *std::ranges::max_element(list);
  if (most > processes)
    throw UsageError("-N: asks for " + std::to_string(most) + " processes, started with " +
                     std::to_string(processes));
  return list;
}

beffio::Hints hints_of(const Values& values, const std::vector<int>& partitions) {
  const auto file = values.word("hints");
  if (!file) return {};
  std::string why;
  const auto text = read_text(*file, why);
  if (!text) throw UsageError("-i: cannot read '" + *file + "': " + why);
  try {
    return beffio::Hints::parse(*text, partitions);
  } catch (const beffio::HintError& error) {
    throw UsageError("-i: " + *file + ", " + error.what());
  }
}

std::optional<std::int64_t> mebibytes(const Values& values, std::string_view name) {
  const auto count = values.count(name);
  return count ? std::optional(*count * mebi.count()) : std::nullopt;
}

void set_memory(const Place& place, const std::optional<std::int64_t>& own,
                const std::optional<std::int64_t>& system, beffio::Settings& settings) {
  settings.memory_mebibyte = own.value_or(Bytes{place.node_share_byte} / mebi);
  settings.system_mebibyte = system.value_or(Bytes{memory_of_all(place)} / mebi);
}

void refuse_unknown_memory(const beffio::Settings& settings) {
  if (settings.memory_mebibyte >= 1) return;
  throw Refused("the memory per process cannot be found out here; -MB tells it");
}

void refuse_buffer_beyond_memory(const beffio::Settings& settings, std::int64_t memory_byte) {
  const Bytes buffer = beffio::buffer_size(settings);
  if (memory_byte == 0 || buffer.count() <= memory_byte) return;
  const auto [needed, usable] = units::format_unlike_sizes(buffer, Bytes{memory_byte});
  throw UsageError("the largest chunk takes " + needed + " per process, and a process may use " + usable,
                   "-MB chooses a smaller memory");
}

void refuse_too_little_volume(const beffio::Settings& settings, int processes) {
  if (!settings.most_byte) return;
  const Bytes least = beffio::least_volume(settings, processes);
  if (*settings.most_byte >= least.count()) return;
  throw UsageError("-maxbytes: " + units::format_size(Bytes{*settings.most_byte}) +
                       " do not suffice for every pattern once, which takes " + units::format_size(least),
                   "fewer partitions (-N) or a smaller memory per process (-MB) take less");
}

beffio::Settings beffio_rule_of(const Values& values, const CampaignShare& share, const Place& place) {
  beffio::Settings settings;
  std::optional<std::int64_t> memory;
  if (const auto said = values.size("memory")) memory = *said / mebi;
  set_memory(place, memory, std::nullopt, settings);
  if (const auto sizes = values.sizes("sizes"))
    settings.largest = std::max(sizes->back().count() / 8 * Bytes{8}, 2 * mebi);
  if (share.hurry) settings = beffio::hurried(std::move(settings), place.processes);
  return settings;
}

std::unique_ptr<suites::Suite> beffio_of_run(const Values& values, const CampaignShare& share,
                                             const Place& place) {
  auto settings = beffio_rule_of(values, share, place);
  if (share.time && settings.memory_mebibyte >= 1)
    settings = beffio::fitted(settings, *share.time, place.world());
  return beffio::measurable_suite(settings);
}

std::optional<suites::TimeRange> beffio_range(const Values& values, const CampaignShare& share,
                                              const Place& place) {
  const auto settings = beffio_rule_of(values, share, place);
  if (settings.memory_mebibyte < 1) return std::nullopt;
  return beffio::time_range(settings, place.world());
}

std::unique_ptr<suites::Suite> tiny_beffio(int processes) {
  beffio::Settings settings;
  settings.memory_mebibyte = 64;
  settings.partitions = {processes};
  settings.total_s = 1e-3;
  return beffio::measurable_suite(settings);
}

constexpr const Command* beffio_front_ends[] = {&b_eff_io_command};

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
    formats::write_files(prefix_, files.named(), existing());
    tell_failures(kept().points());
  }

 private:
  void refuse_existing_files() const override {
    formats::check_files(prefix_, formats::BeffioFiles{}.named(), existing());
    if (invocation_.values.on("keep")) refuse_kept_files(directory_);
  }

  std::filesystem::path directory_, prefix_;
};

constexpr std::string_view b_eff_io_examples[] = {
    "mpiexec -n 8 steelyard b-eff-io -p /scratch", "steelyard b-eff-io -n 4 -N 2,4 -T 1800 -p . -f four",
    "steelyard b-eff-io -n 2 -MB 256 -T 5 -norewrite --out b_eff_io-results"};
constexpr int b_eff_io_codes[] = {0, 1, 2, 4, 5, 70};

}  // namespace

std::span<const Group> beffio_options() {
  return beffio_groups;
}

std::vector<int> parse_partitions(std::string_view word) {
  std::vector<int> list;
  for (const std::string& one : comma_list(word)) {
    const int processes = parse_processes(one);
    if (std::ranges::find(list, processes) != list.end())
      throw ParseError("names " + std::to_string(processes) + " twice");
    list.push_back(processes);
  }
  if (list.empty()) throw ParseError("names no number of processes");
  if (list.size() > beffio::most_partitions)
    throw ParseError("names more than " + std::to_string(beffio::most_partitions) + " partitions");
  return list;
}

beffio::Settings beffio_settings(const Values& values, const Place& place) {
  refuse_both(values, "rewrite", "norewrite");
  refuse_both(values, "unique", "nounique");
  beffio::Settings settings;
  set_memory(place, values.count("MB"), values.count("MT"), settings);
  settings.partitions = partitions_of(values, place.processes);
  settings.partitions = beffio::partitions(settings, place.processes);
  settings.total_s = values.duration("time")->value();
  settings.hints = hints_of(values, settings.partitions);
  settings.told_errors = static_cast<int>(*values.count("errors"));
  if (values.on("noshared")) settings.pointer = beffio::Pointer::individual;
  settings.unique = values.on("unique");
  if (values.on("norewrite")) settings.rewriting = beffio::Rewriting::scatter_only;
  settings.keep = values.on("keep");
  if (values.need("formula") == "2.x") settings.formula = beffio::Formula::release2;
  if (values.need("order") == "partition") settings.order = beffio::Order::by_partition;
  if (values.need("control") == "each") settings.control = beffio::Control::each;
  settings.align = units::parse_size(values.need("align"));
  settings.drop_cache = values.on("dropcache");
  settings.random = values.on("random");
  if (const auto gigabytes = values.word("mpart"))
    settings.largest_together = units::parse_count(*gigabytes, 2, 16) * gibi;
  settings.cache_byte = mebibytes(values, "cache");
  if (const auto most = values.size("maxbytes")) settings.most_byte = most->count();
  return settings;
}

constinit const MeasuredSuite measured_beffio{.name = beffio::suite_name,
                                              .of_run = beffio_of_run,
                                              .range = beffio_range,
                                              .tiny = tiny_beffio,
                                              .prescribes_sizes = true,
                                              .front_ends = beffio_front_ends};

Prepared prepare_beffio(const Invocation& invocation, const Place& place) {
  Prepared prepared;
  const auto settings = beffio_settings(invocation.values, place);
  refuse_unknown_memory(settings);
  refuse_buffer_beyond_memory(settings, place.memory_byte);
  refuse_too_little_volume(settings, place.processes);
  prepared.suites.push_back(beffio::measurable_suite(settings));
  const campaign::Selected selected[] = {
      {prepared.suites.front().get(), std::string(beffio::benchmark_name)}};
  prepared.options.processes = place.processes;
  prepared.options.memory_byte = place.memory_byte;
  prepared.plan = campaign::make_plan(selected, prepared.options, "b_eff_io");
  return prepared;
}

const Command b_eff_io_command{.name = "b-eff-io",
                               .section = "Classic programs",
                               .summary = "b_eff_io: effective I/O bandwidth through MPI-IO, four files",
                               .description =
                                   "Measures the effective I/O bandwidth b_eff_io of a directory: writing, "
                                   "rewriting and reading with five pattern types and 36 patterns in each of "
                                   "several partitions, within a scheduled time. One dash and two are equal. "
                                   "The last line of the text files is also printed on standard output. "
                                   "Afterwards 'gnuplot PREFIX.gps' draws the figures. Records are written "
                                   "only with --out.",
                               .groups = beffio_options(),
                               .examples = b_eff_io_examples,
                               .exit_codes = b_eff_io_codes,
                               .see_also = "steelyard help run",
                               .dashes = DashStyle::one_or_two,
                               .link = "b_eff_io",
                               .run = run_front_end<BeffioJob>};

}  // namespace steelyard::cli
