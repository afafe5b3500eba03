// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

#include "beffio/words.hpp"
#include "errors.hpp"
#include "measuring/measured_suites.hpp"
#include "suites/beffio/definition.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

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
  errno = 0;
  std::ifstream in(*file, std::ios::binary);
  if (!in) throw UsageError("-i: cannot read '" + *file + "': " + std::generic_category().message(errno));
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  try {
    return beffio::Hints::parse(text, partitions);
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
  settings.system_mebibyte = system.value_or(Bytes{place.node_share_byte} / mebi * place.processes);
}

}  // namespace

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

namespace {

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

}  // namespace

constinit const MeasuredSuite measured_beffio{.name = beffio::suite_name,
                                              .of_run = beffio_of_run,
                                              .range = beffio_range,
                                              .tiny = tiny_beffio,
                                              .prescribes_sizes = true};

}  // namespace steelyard::cli
