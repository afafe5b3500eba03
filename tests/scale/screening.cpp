// SPDX-License-Identifier: Apache-2.0
#include "analysis/screening/screening.hpp"

#include <cmath>
#include <cstdio>
#include <random>

#include "record/json.hpp"
#include "suites/screen/kernels.hpp"
#include "suites/screen/session.hpp"
#include "tests/scale/experiments.hpp"
#include "tests/scale/measured.hpp"

namespace steelyard {
namespace {

/// What a node of the simulated machine computes: a rate that it keeps over the visits, and some of each visit.
class MadeUp final : public screen::NodeKernel {
 public:
  explicit MadeUp(double rate) : rate_(rate) {}
  void warm() override {}
  void run() override {}
  [[nodiscard]] double value(double) const override { return rate_; }
  [[nodiscard]] measure::CheckResult verify() override { return {}; }

 private:
  double rate_;
};

/// 1 % between nodes and half a percent between visits, by numbers alone.
class MadeUpNode {
 public:
  MadeUpNode(int rank, std::uint64_t seed, bool slow)
      : dice_(seed * 1'000'003 + static_cast<std::uint64_t>(rank)),
        own_(0.01 * normal_(dice_) + (slow ? std::log(0.8) : 0)) {}
  [[nodiscard]] std::unique_ptr<screen::NodeKernel> kernel() {
    return std::make_unique<MadeUp>(1e9 * std::exp(own_ + 0.005 * normal_(dice_)));
  }

 private:
  std::mt19937_64 dice_;
  std::normal_distribution<double> normal_{0, 1};
  double own_;
};

class Screened final : public screen::Definition {
 public:
  Screened(const screen::Settings& settings, screen::Stand stand)
      : Definition(settings), stand_(std::move(stand)) {}
  [[nodiscard]] std::unique_ptr<suites::Session> open(const suites::BlockPlan& block,
                                                      const suites::SessionContext& context) const override {
    return std::make_unique<screen::ScreenSession>(settings(), block, context, stand_);
  }

 private:
  screen::Stand stand_;
};

screen::Settings settings_of(const scale::Words& words) {
  screen::Settings settings;
  settings.visits = words.whole("visits", 3);
  settings.seed = static_cast<std::uint64_t>(words.whole("seed", 1));
  const std::string kind = words.text("pairs", "");
  if (kind == "all") settings.pairs = screen::PairKind::all;
  if (kind == "sample") settings.pairs = screen::PairKind::sample;
  if (const int rounds = words.whole("rounds", 0); rounds > 0) settings.rounds = rounds;
  return settings;
}

screen::PairEffort effort_of(const scale::Words& words) {
  screen::PairEffort effort;
  effort.pings = words.whole("pings", 2);
  effort.batches = 1;
  effort.exchanges = 1;
  effort.exchange_byte = words.whole("exchange_byte", 1 << 16);
  return effort;
}

/// As the run record has it when every process is on a host of its own.
record::RunRecord head_of(int processes) {
  record::RunRecord head;
  head.processes = processes;
  record::Json hosts = record::Json::array(), ranks = record::Json::array();
  for (int rank = 0; rank < processes; ++rank) {
    hosts.push_back("n" + std::to_string(rank));
    ranks.push_back({rank, 1});
  }
  head.layout = record::Json{{"hosts", std::move(hosts)}, {"ranks", std::move(ranks)}};
  return head;
}

}  // namespace

namespace screen {

// The nodes of this program are made up.
std::unique_ptr<NodeKernel> make_kernel(const TestSpec&, const Settings&) {
  return std::make_unique<MadeUp>(1e9);
}

}  // namespace screen

namespace scale {

void screening(const Words& words) {
  const auto world = mpi::Communicator::world();
  const auto node =
      std::make_shared<MadeUpNode>(world.rank(), static_cast<std::uint64_t>(words.whole("seed", 1)),
                                   world.rank() == words.whole("slow", -1));
  const Screened suite(settings_of(words),
                       {[node](const screen::TestSpec&, const screen::Settings&) { return node->kernel(); },
                        1, effort_of(words)});
  const std::string names[] = {"triad", "pairs"};
  record::Run run;
  run.points = measured(suite, suite.plan(names, world.size()).front(), nullptr,
                        [&](const record::TableRecord& rows) { run.tables.push_back(rows); });
  if (!world.is_root()) return;
  run.head = head_of(world.size());
  run.end.emplace();
  const auto found = screening::judged(run);
  std::string links;
  for (const auto& one : found.findings)
    if (one.other && one.verdict == screening::Verdict::slow && one.quantity == "bandwidth")
      links += (links.empty() ? "" : ",") + screening::who(one, found);
  for (const auto& one : found.overviews) std::printf("%s_values %zu\n", one.quantity.c_str(), one.count);
  std::printf("slow %s\nslow_links %zu\nlinks %s\nunstable %zu\n",
              screening::hostlist(found.names({screening::Verdict::slow})).c_str(),
              found.links(screening::Verdict::slow), links.c_str(),
              found.count(screening::Verdict::unstable));
  for (const auto& one : found.findings)
    std::printf("finding_%td %s %s %s\n", &one - found.findings.data(), screening::who(one, found).c_str(),
                std::string(screening::text(one.verdict)).c_str(), screening::sentence(one).c_str());
}

}  // namespace scale
}  // namespace steelyard
