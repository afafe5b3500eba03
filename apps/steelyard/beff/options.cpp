// SPDX-License-Identifier: Apache-2.0
#include "beff/options.hpp"

#include <algorithm>
#include <iostream>

#include "beff/report.hpp"
#include "measuring/measuring.hpp"
#include "options/checks.hpp"
#include "options/shared_options.hpp"
#include "process/errors.hpp"
#include "suites/beff/definition.hpp"
#include "units/quantity.hpp"
#include "units/text.hpp"

// The classic front-end b-eff: the prescribed experiment, and six files at its end.

namespace steelyard::cli {
namespace {

constexpr auto classic = Origin::classic;

constexpr Option beff_what[] = {
    {"mem", Kind::count, "memory per process in units of 2^20 byte; the longest message is 1/128 of it",
     Argument{"MB"}, FallbackText{"memory of the node over processes on it"},
     Within{1, std::int64_t{1} << 40}, classic},
    {"lmax", Kind::size, "longest message", Argument{"BYTES"},
     FallbackText{"1/128 of the memory per process, at most 128Mi"}, check_longest, classic},
    {"seed", Kind::count, "of the random polygons", Fallback{"1"}, Within{0, (std::int64_t{1} << 53) - 1},
     classic},
    {"rmax", Kind::special, "Linpack performance of the same processes, for the balance factor",
     Argument{"GFLOPS"}, parses<parse_positive>, classic},
};

constexpr Option beff_departures[] = {
    {"short", "2 repetitions, 6 random polygons, loops of 0.5 ms", classic},
    {"test", "2 random polygons, loops of 0.05 ms, 1 s for the last two lengths", classic},
    {"reps", Kind::count, "repetitions of the whole experiment", FallbackText{"3; 2 with -short"},
     Within{1, 1000}, classic},
    {"looptime", Kind::duration, "time that a loop is meant to take", Argument{"SECONDS"},
     FallbackText{"0.5 s / patterns of the method"}, check_duration_above_0, classic},
    {"lasttwo", Kind::duration, "time expected for the last two lengths from which on they are shortened",
     Argument{"SECONDS"}, FallbackText{"60 s"}, classic},
    {"noshortlasttwo", "never shorten the last two lengths", classic},
    {"nomethod", Kind::word, "leave out a method", Argument{"NAME"},
     OneOf{"alltoallv nonblk Alltoal non-blk"}, Repeat::many, classic},
    {"nopattern", Kind::word, "leave out additional patterns", Argument{"NAME"},
     OneOf{"worst-cyc best-bi-section worst-bi-section one-PingPong-Pair acyclic cyclic"}, Repeat::many,
     classic},
};

constexpr Option beff_output[] = {
    {"prefix", Kind::file, "prefix of the files .prot .short .sum .plot .gps .tex", 'f', Argument{"PREFIX"},
     Fallback{"b_eff"}, parses<parse_prefix>},
    {"overwrite", "replace existing files"},
    {"yrange", Kind::special, "range of the bandwidth axis, MB/s", Argument{"MIN:MAX"},
     FallbackText{"0.01 to a power of ten above all values, at least 10000"}, parses<parse_y_range>, classic},
    {"plot-color", "draw the figures in colour"},
    front_end_out,
    front_end_label,
};

constexpr Group beff_groups[] = {{"What is measured", beff_what},
                                 {"Departures from the rule (they mark the value)", beff_departures},
                                 {"Output", beff_output},
                                 {"Start and talk", front_end_start}};

// Schedule of -short, -test, both or neither; single options come after them.
beff::Settings schedule(const Values& values) {
  beff::Settings settings;
  if (values.on("short")) settings = beff::shortened(settings);
  if (!values.on("test")) return settings;
  const std::string mark = settings.mark.empty() ? "" : settings.mark + "&";
  settings = beff::tested(settings);
  settings.mark.insert(0, mark);
  return settings;
}

void set_control(const Values& values, beff::Settings& settings) {
  if (const auto n = values.count("reps")) settings.repetitions = static_cast<int>(*n);
  if (const auto time = values.duration("looptime")) settings.loop_time_s = time->value();
  if (const auto limit = values.duration("lasttwo")) settings.last_two_limit_s = limit->value();
  settings.shorten_last_two = !values.on("noshortlasttwo");
}

beff::Method method(std::string_view word) {
  const bool alltoall = word == "alltoallv" || word == beff::text(beff::Method::alltoallv);
  return alltoall ? beff::Method::alltoallv : beff::Method::nonblocking;
}

// Passes each word of an option in the table's spelling; the words were checked before.
template <class Add>
void for_each_choice(const Values& values, std::string_view name, Add add) {
  const Group* const end = beff_options().data() + beff_options().size();
  for (const Group* group = beff_options().data(); group != end; ++group)
    for (const Option& option : group->options)
      if (option.name == name)
        for (const std::string& word : values.list(name)) add(units::parse_word(word, words_of(option)));
}

template <class T>
void add_once(std::vector<T>& list, T one) {
  if (std::find(list.begin(), list.end(), one) == list.end()) list.push_back(std::move(one));
}

void refuse_single_process(int processes) {
  if (processes > 1) return;
  throw Refused("b_eff needs at least 2 processes, started with 1 (mpiexec -n N, or -n N)");
}

void refuse_unknown_memory(const beff::Settings& settings) {
  if (settings.memory_mebibyte >= 1) return;
  throw Refused("the memory per process cannot be found out here; -mem tells it");
}

// Only the two buffers of a process take memory: -mem may claim more than there is as long as they fit.
void refuse_buffers_beyond_memory(const beff::Settings& settings, std::int64_t memory_byte) {
  const Bytes buffers = 2 * beff::buffer_size(beff::longest(settings));
  if (memory_byte == 0 || buffers.count() <= memory_byte) return;
  const auto [needed, usable] = units::format_unlike_sizes(buffers, Bytes{memory_byte});
  throw UsageError("messages of " + units::format_size(beff::longest(settings)) + " need buffers of " +
                       needed + " per process, and a process may use " + usable,
                   "-mem and -lmax choose a shorter longest message");
}

// Settings of `run`; b_eff has a schedule of its own.
beff::Settings beff_rule_of(const Values& values, const Place& place) {
  beff::Settings settings;
  settings.memory_mebibyte = values.size("memory").value_or(Bytes{place.node_share_byte}) / mebi;
  settings.seed = static_cast<std::uint64_t>(*values.count("seed"));
  if (const auto sizes = values.sizes("sizes"))
    settings.longest =
        std::clamp(sizes->back(), 8 * kibi, 128 * mebi);  // beyond these the rule has no lengths
  return settings;
}

std::unique_ptr<suites::Suite> beff_of_run(const Values& values, const CampaignShare& share,
                                           const Place& place) {
  auto settings = beff_rule_of(values, place);
  if (share.time && beff::has_lengths(settings))
    settings = beff::fitted(settings, *share.time, place.world());
  return beff::measurable_suite(settings);
}

std::optional<suites::TimeRange> beff_range(const Values& values, const CampaignShare&, const Place& place) {
  const auto settings = beff_rule_of(values, place);
  if (!beff::has_lengths(settings)) return std::nullopt;
  return beff::time_range(settings, place.world());
}

constexpr const Command* beff_front_ends[] = {&b_eff_command};

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
    formats::write_files(prefix_, files.named(), existing());
  }

 private:
  void refuse_existing_files() const override {
    formats::check_files(prefix_, formats::BeffFiles{}.named(), existing());
  }

  std::filesystem::path prefix_;
};

constexpr std::string_view b_eff_examples[] = {"mpiexec -n 8 steelyard b-eff",
                                               "steelyard b-eff -n 4 -mem 1024 -f four",
                                               "steelyard b-eff -n 2 -test --out b_eff-results"};
constexpr int b_eff_codes[] = {0, 1, 2, 4, 5, 70};

}  // namespace

std::span<const Group> beff_options() {
  return beff_groups;
}

beff::Settings beff_settings(const Values& values, std::int64_t found_mebibyte) {
  beff::Settings settings = schedule(values);
  set_control(values, settings);
  settings.memory_mebibyte = values.count("mem").value_or(found_mebibyte);
  settings.longest = values.size("lmax");
  settings.seed = static_cast<std::uint64_t>(*values.count("seed"));
  if (const auto word = values.word("rmax")) settings.rmax_flop_s = parse_positive(*word) * prefix::giga;
  for_each_choice(values, "nomethod",
                  [&](const std::string& word) { add_once(settings.without_methods, method(word)); });
  for_each_choice(values, "nopattern",
                  [&](const std::string& word) { add_once(settings.without_patterns, word); });
  return settings;
}

std::filesystem::path beff_prefix(const Values& values) {
  const auto bare = values.word("result");
  if (!bare) return parse_prefix(values.need("prefix"));
  if (values.said("prefix"))
    throw UsageError("'" + *bare + "': -f has named the files '" + values.need("prefix") + "' already");
  try {
    return parse_prefix(*bare);
  } catch (const units::ParseError& error) {
    throw UsageError(error.what());
  }
}

Prepared prepare_beff(const Invocation& invocation, const Place& place) {
  refuse_single_process(place.processes);
  Prepared prepared;
  const auto settings = beff_settings(invocation.values, Bytes{place.node_share_byte} / mebi);
  refuse_unknown_memory(settings);
  refuse_buffers_beyond_memory(settings, place.memory_byte);
  prepared.suites.push_back(beff::measurable_suite(settings));
  const campaign::Selected selected[] = {{prepared.suites.front().get(), std::string(beff::benchmark_name)}};
  prepared.options.processes = place.processes;
  prepared.options.memory_byte = place.memory_byte;
  prepared.options.seed = settings.seed;
  prepared.plan = campaign::make_plan(selected, prepared.options, "b_eff");
  return prepared;
}

constinit const MeasuredSuite measured_beff{.name = beff::suite_name,
                                            .of_run = beff_of_run,
                                            .range = beff_range,
                                            .tiny = [](int) { return beff::measurable_suite({}); },
                                            .prescribes_sizes = true,
                                            .front_ends = beff_front_ends};

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
