// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/hosts.hpp"

#include <algorithm>

#include "stats/order.hpp"

namespace steelyard::hpcc {
namespace {

/// Of one host, over the repetitions.
struct HostOverPasses {
  int rank = 0;
  double worst = 0, median = 0, best = 0;
};

/// The first trial of STREAM touches its vectors and counts for nothing.
std::size_t first_pass(const PointSpec& spec) {
  return spec.benchmark.test == Test::stream ? 1 : 0;
}

std::vector<HostOverPasses> over_passes(const std::vector<measure::PassValues>& passes, std::size_t first,
                                        double count) {
  std::vector<HostOverPasses> hosts;
  for (std::size_t h = 0; h < passes[first].hosts.size(); ++h) {
    std::vector<double> rates;
    for (std::size_t pass = first; pass < passes.size(); ++pass)
      if (h < passes[pass].hosts.size()) rates.push_back(count * passes[pass].hosts[h].rate_op_s);
    hosts.push_back({passes[first].hosts[h].rank, std::ranges::min(rates), stats::median(rates),
                     std::ranges::max(rates)});
  }
  return hosts;
}

std::vector<double> each(const std::vector<HostOverPasses>& hosts, double HostOverPasses::*member) {
  std::vector<double> values;
  for (const auto& host : hosts) values.push_back(host.*member);
  std::ranges::sort(values);
  return values;
}

}  // namespace

void put_hosts(const measure::Outcome& outcome, const PointSpec& spec, record::PointRecord& record) {
  const std::size_t first = first_pass(spec);
  if (outcome.passes.size() <= first || outcome.passes[first].hosts.size() < 2) return;
  auto others = over_passes(outcome.passes, first, counted_work(spec));
  const auto at = std::ranges::min_element(others, {}, &HostOverPasses::median);
  const HostOverPasses slowest = *at;
  others.erase(at);
  const auto medians = each(others, &HostOverPasses::median);
  auto& classic = record.classic;
  classic.emplace_back("hosts", static_cast<std::int64_t>(others.size()) + 1);
  classic.emplace_back("host_repetitions", static_cast<std::int64_t>(outcome.passes.size() - first));
  classic.emplace_back("slowest_host_rank", std::int64_t{slowest.rank});
  classic.emplace_back("slowest_host_rates", std::vector<double>{slowest.median, slowest.best});
  classic.emplace_back(
      "other_hosts_rates",
      std::vector<double>{stats::median(each(others, &HostOverPasses::worst)), stats::quantile(medians, 0.25),
                          stats::quantile(medians, 0.5), stats::quantile(medians, 0.75)});
}

}  // namespace steelyard::hpcc
