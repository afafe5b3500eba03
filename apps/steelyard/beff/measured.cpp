// SPDX-License-Identifier: Apache-2.0
// b_eff in `run` and `selftest`.
#include <algorithm>

#include "measuring/measured_suites.hpp"
#include "suites/beff/definition.hpp"

namespace steelyard::cli {
namespace {

// b_eff has a schedule of its own.
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

std::unique_ptr<suites::Suite> tiny_beff(int) {
  return beff::measurable_suite({});
}

}  // namespace

constinit const MeasuredSuite measured_beff{.name = beff::suite_name,
                                            .of_run = beff_of_run,
                                            .range = beff_range,
                                            .tiny = tiny_beff,
                                            .prescribes_sizes = true};

}  // namespace steelyard::cli
