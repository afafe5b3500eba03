// SPDX-License-Identifier: Apache-2.0
#include "screening/options.hpp"

#include "measuring/computing.hpp"
#include "measuring/selection.hpp"
#include "process/errors.hpp"
#include "screening/judgement.hpp"
#include "suites/hpcc/blas/in_use.hpp"
#include "suites/hpcc/definition.hpp"
#include "suites/screen/definition.hpp"

namespace steelyard::cli {
namespace {

constexpr Option screen_options[] = {
    {"alone",
     "tests of nodes on one node after the other, links of up to 32 nodes too; otherwise all at once, which "
     "finds power and cooling too"},
    {"pairs", Kind::word,
     "which links between nodes are measured: a whole tournament, some of its rounds, every distance with "
     "all sending at once, or none",
     FallbackText{"all up to 1024 nodes, else sample"}, OneOf{"all sample shift none"}},
    {"pair-rounds", Kind::count,
     "rounds of --pairs sample; where screen alone is measured --rounds says it too",
     FallbackText{"2 log2 of the nodes, at least 8"}, Within{1, 1 << 20}},
    {"disk", Kind::directory,
     "folder of each node whose disk is measured: 1 GB written, synchronised and read",
     FallbackText{"no test of disks"}},
    {"visits", Kind::count, "visits of a screening to every test",
     FallbackText{"5, fewer where the budget asks for it, at least 3"}, Within{1, 100}},
    {"again", Kind::ratio,
     "part of the nodes that is measured again, alone, where they stand out: at least one, at most 32",
     Fallback{"5%"}},
    {"tolerance", Kind::special, "differences between nodes or links that are none",
     Argument{"NAME=RATIO,..."},
     FallbackText{
         "5 % of dgemm, fma, triad, numa_triad; 10 % of random_access, chase, bandwidth; 20 % of disk, latency"},
     parses<parse_tolerances>},
    {"topology", Kind::file,
     "which nodes are at one switch: lines switch=S nodes=a[1-32], or Slurm's topology file; links within a "
     "switch are compared with one another, so are those between switches",
     FallbackText{"all links are of one class"}, OnResume::allowed},
    {"reference", Kind::text,
     "what nodes and links should reach besides what the others do: medians of another screening, or of "
     "'screen --write-reference'",
     Argument{"RESULT|FILE.toml"}, OnResume::allowed},
    {"fail-on", Kind::text,
     "exit code 3 where a node or link is slow, unstable, wrong, missing, fast, or where nodes are of two "
     "groups; none: whatever is found",
     Argument{"LIST"}, Fallback{"none"}, OneOf{"none slow groups unstable wrong missing fast"},
     OnResume::allowed},
};

screen::PairKind pair_kind(const std::string& word) {
  for (const auto kind : {screen::PairKind::all, screen::PairKind::sample, screen::PairKind::shift})
    if (screen::text(kind) == word) return kind;
  return screen::PairKind::none;
}

/// Rounds of --pairs sample: --pair-rounds, or --rounds if the run only screens, as that is a word of schedules else.
std::optional<int> rounds_of_sample(const Values& values, std::optional<screen::PairKind> pairs,
                                    bool only_screens) {
  const bool short_word = values.said("rounds") && !values.said("pair-rounds") && only_screens;
  const std::string_view word = short_word ? "rounds" : "pair-rounds";
  const auto rounds = values.count(word);
  if (!rounds) return std::nullopt;
  if (pairs && pairs != screen::PairKind::sample)
    throw UsageError("--" + std::string(word) + " belongs to --pairs sample, not to --pairs " +
                     std::string(screen::text(*pairs)));
  return static_cast<int>(*rounds);
}

screen::Settings screen_settings(const Values& values, const CampaignShare& share, const Place& place) {
  constexpr double hurried_visit_s = 0.2;
  screen::Settings settings;
  if (share.hurry) settings.visit_s = hurried_visit_s;
  if (const auto visits = values.count("visits")) settings.visits = static_cast<int>(*visits);
  settings.alone = values.on("alone");
  if (const auto word = values.word("pairs")) settings.pairs = pair_kind(*word);
  settings.rounds = rounds_of_sample(values, settings.pairs, share.alone);
  if (const auto disk = values.word("disk")) settings.disk = *disk;
  settings.again = *values.ratio("again");
  if (const auto words = values.word("tolerance")) settings.tolerances = parse_tolerances(*words);
  settings.seed = static_cast<std::uint64_t>(*values.count("seed"));
  settings.threads = compute_threads(values);
  const auto said = values.size("memory");
  settings.memory_byte = said ? said->count() : place.memory_byte;
  settings.cache = place.cache_share;
  settings.core_cache_byte = place.cache.cache_byte;
  settings.domains = place.domains;
  settings.spread = place.spread;
  settings.blas_in_use = place.blas;
  settings.switch_of = place.switch_of;
  settings.blas = hpcc::usable_blas(place.blas.get()).has_value();
  if (place.blas) settings.blas_lack = place.blas->findings.unusable;
  return settings;
}

std::unique_ptr<suites::Suite> screen_of_run(const Values& values, const CampaignShare& share,
                                             const Place& place) {
  auto settings = screen_settings(values, share, place);
  if (share.time && !values.said("visits"))
    settings = screen::fitted(std::move(settings), share.benchmarks, *share.time, place.world());
  return screen::measurable_suite(settings);
}

std::optional<suites::TimeRange> screen_range(const Values& values, const CampaignShare& share,
                                              const Place& place) {
  return screen::time_range(screen_settings(values, share, place), share.benchmarks, place.world());
}

/// The suite at sizes that fit into caches, which are enough to tell whether the data are right.
std::unique_ptr<suites::Suite> tiny_screen(int) {
  screen::Settings settings;
  settings.visits = 1;
  settings.visit_s = 1e-3;
  settings.memory_byte = 4 << 20;
  settings.blas = hpcc::as_built({}).blas;
  return screen::measurable_suite(settings);
}

}  // namespace

Group screen_group() {
  return {"Screening", screen_options};
}

constinit const MeasuredSuite measured_screen{
    .name = screen::suite_name, .of_run = screen_of_run, .range = screen_range, .tiny = tiny_screen};

}  // namespace steelyard::cli
