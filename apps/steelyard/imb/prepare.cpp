// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "imb/options.hpp"
#include "measuring/compute_threads.hpp"
#include "measuring/prepared.hpp"
#include "options/checks.hpp"
#include "process/errors.hpp"
#include "suites/imb/mpi4/functions.hpp"
#include "suites/imb/own/compared.hpp"
#include "suites/imb/own/neighbours.hpp"
#include "suites/imb/part_definition.hpp"

namespace steelyard::cli {

void set_library(const imb::Part& part, imb::Settings& settings) {
  if (&part != &imb::mpi4() && &part != &imb::own_mpi4()) return;
  using enum imb::Family;
  settings.persistent_form = imb::persistent_form();
  settings.obstacles[persistent_collectives] = imb::persistent_obstacle();
  if (&part == &imb::mpi4()) return;
  settings.obstacles[persistent_neighbours] = imb::persistent_neighbours_obstacle();
  settings.obstacles[partitioned] = imb::partitioned_obstacle();
  settings.sides_of_grid = imb::sides_of_grid;
}

namespace {

// Refuses named benchmarks that the library lacks; those of the default set are left out, which the head tells.
std::vector<std::string> without_lacking(const imb::Part& part, const Values& values,
                                         std::vector<std::string> names, imb::Settings& settings) {
  std::map<std::string, std::string> lacking;  // by reason
  for (const auto& name : names) {
    const auto why = imb::obstacle(settings, *imb::find(part, name));
    if (!why.empty()) lacking[why] += (lacking[why].empty() ? "" : " ") + name;
  }
  const auto lacks = [&](const std::string& name) {
    return !imb::obstacle(settings, *imb::find(part, name)).empty();
  };
  const bool all = std::ranges::all_of(names, lacks);
  if (!lacking.empty() && (all || names_given(values)))
    throw UsageError(std::string(part.name) + ": " + lacking.begin()->first + " (" + lacking.begin()->second +
                     ")");
  std::erase_if(names, lacks);
  for (const auto& [why, list] : lacking)
    settings.left_out.push_back("Left out, because " + why + ": " + list);
  return names;
}

}  // namespace

Prepared prepare_imb(const Invocation& invocation, const Place& place) {
  const imb::Part& part = imb_part(invocation);
  Prepared prepared;
  imb::Settings settings = imb_settings(part, invocation.values, place.cache);
  check_map_fits(settings, place.processes, "-map");
  check_stride_fits(settings, place.processes);
  set_library(part, settings);
  const auto names = without_lacking(part, invocation.values,
                                     imb_names(part, invocation.values, settings.version), settings);
  settings.rate_first =
      std::ranges::any_of(names, [&](const std::string& name) { return imb::find(part, name)->overlapped; });
  prepared.suites.push_back(imb::measurable(part, settings));
  std::vector<campaign::Selected> selected;
  for (const std::string& name : names) selected.push_back({prepared.suites.front().get(), name});
  prepared.options.processes = place.processes;
  prepared.options.threads = settings.threads;
  prepared.options.memory_byte = place.memory_byte;
  prepared.plan = campaign::make_plan(selected, prepared.options, "imb");
  return prepared;
}

// The parts of IMB in `run` and `selftest`.
namespace {

std::vector<int> every_number(int processes) {
  if (processes == 1) return {1};
  std::vector<int> numbers(static_cast<std::size_t>(processes - 1));
  std::iota(numbers.begin(), numbers.end(), 2);
  return numbers;
}

void set_processes(const Values& values, int processes, imb::Settings& settings) {
  const auto counts = values.counts("np");
  if (!counts || counts->kind == units::Counts::Kind::pow2) return;
  if (counts->kind == units::Counts::Kind::all) {
    settings.processes = every_number(processes);
    return;
  }
  const int most = *std::max_element(counts->values.begin(), counts->values.end());
  if (most > processes)
    throw UsageError(
        "--np: asks for " + std::to_string(most) + " processes, started with " + std::to_string(processes),
        "-n " + std::to_string(most) + ", or the launcher, starts as many");
  settings.processes = counts->values;
}

// Sets what --np, --sizes and their kin say to a part of IMB.
void set_imb(const Values& values, const Place& place, imb::Settings& settings) {
  set_processes(values, place.processes, settings);
  if (const auto sizes = values.sizes("sizes")) settings.sizes.listed = sizes;
  if (const auto map = values.word("map")) settings.map = parse_map(*map);
  check_map_fits(settings, place.processes, "--map");
  if (values.word("groups") == "all") settings.multi = 0;
}

using PartOf = const imb::Part& (*)();

template <PartOf part>
std::unique_ptr<suites::Suite> imb_of_run(const Values& values, const CampaignShare&, const Place& place) {
  imb::Settings settings = imb::defaults(part(), imb::Version::v31);
  set_imb(values, place, settings);
  if (&part() == &imb::p2p() && values.said("seed"))
    settings.seed = static_cast<std::uint64_t>(*values.count("seed"));
  if (!part().later_only && !part().files) settings.off_cache = off_cache(values, place.cache);
  settings.balance_overlap = part().files;
  set_library(part(), settings);
  if (&part() == &imb::mt()) settings.threads = messaging_threads(values);
  return imb::measurable(part(), settings);
}

// No range: every point is measured until its interval is narrow.
std::optional<suites::TimeRange> any_time(const Values&, const CampaignShare&, const Place&) {
  return std::nullopt;
}

// The suite at tiny sizes. Files take their time, and one size tells as much about the data.
template <PartOf part>
std::unique_ptr<suites::Suite> tiny_imb(int) {
  imb::Settings settings = imb::defaults(part(), imb::Version::v31);
  settings.sizes.listed = {Bytes{0}, Bytes{1}, Bytes{64}, Bytes{4096}, Bytes{std::int64_t{1} << 17}};
  if (part().files) settings.sizes.listed = {Bytes{4096}};
  settings.iterations = {.per_sample = 4, .volume = mebi, .non_aggregate = 2};
  settings.check = true;
  set_library(part(), settings);
  return imb::measurable(part(), settings);
}

template <const Command& command>
constexpr const Command* imb_front_end[] = {&command};

template <PartOf part, const Command& command>
constexpr MeasuredSuite imb_row(std::string_view name) {
  return {.name = name,
          .of_run = imb_of_run<part>,
          .range = any_time,
          .tiny = tiny_imb<part>,
          .front_ends = imb_front_end<command>};
}

}  // namespace

constinit const MeasuredSuite measured_imb_mpi1 = imb_row<imb::mpi1, imb_mpi1_command>("imb-mpi1");
constinit const MeasuredSuite measured_imb_ext = imb_row<imb::ext, imb_ext_command>("imb-ext");
constinit const MeasuredSuite measured_imb_rma = imb_row<imb::rma, imb_rma_command>("imb-rma");
constinit const MeasuredSuite measured_imb_io = imb_row<imb::io, imb_io_command>("imb-io");
constinit const MeasuredSuite measured_imb_nbc = imb_row<imb::nbc, imb_nbc_command>("imb-nbc");
constinit const MeasuredSuite measured_imb_mpi4 = imb_row<imb::mpi4, imb_mpi4_command>("imb-mpi4");
constinit const MeasuredSuite measured_mpi4 = imb_row<imb::own_mpi4, mpi4_command>("mpi4");
constinit const MeasuredSuite measured_imb_p2p = imb_row<imb::p2p, imb_p2p_command>("imb-p2p");
constinit const MeasuredSuite measured_imb_mt = imb_row<imb::mt, imb_mt_command>("imb-mt");

}  // namespace steelyard::cli
