// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <utility>

#include "errors.hpp"
#include "ftio/words.hpp"
#include "measuring/measured_suites.hpp"
#include "suites/ftio/definition.hpp"
#include "units/prefixes.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

constexpr std::size_t listed_parameters = 16;

/// Position of the word among the enumerators.
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
    return parse_parameters(*bare).front();
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
  if (settings.cache == ftio::PageCache::direct && settings.access != ftio::FileAccess::posix)
    throw UsageError("-cache direct: needs -io posix, MPI-IO cannot be told to pass the page cache by");
}

}  // namespace

ftio::Settings ftio_settings(const Values& values, const Place& place) {
  ftio::Settings settings;
  settings.memory_byte = place.node_share_byte * place.processes;
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

namespace {

ftio::Settings ftio_rule_of(const CampaignShare& share, const Place& place) {
  ftio::Settings settings;
  settings.runs = 3;
  settings.memory_byte = place.node_share_byte * place.processes;
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

// The least matrix of up to four processes: of many it would be large.
std::unique_ptr<suites::Suite> tiny_ftio(int processes) {
  constexpr int most_processes = 4;
  ftio::Settings settings;
  settings.processes = std::min(processes, most_processes);
  settings.parameters = ftio::valid_parameters(*settings.processes, 2, 1);
  return ftio::measurable_suite(settings);
}

}  // namespace

constinit const MeasuredSuite measured_ftio{
    .name = ftio::suite_name, .of_run = ftio_of_run, .range = ftio_range, .tiny = tiny_ftio};

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

}  // namespace steelyard::cli
