// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "measure/workload.hpp"
#include "stats/alike.hpp"
#include "suites/screen/definition.hpp"
#include "suites/screen/kernels.hpp"
#include "suites/screen/nodes.hpp"
#include "suites/screen/quantities.hpp"

namespace steelyard::screen {

// Measuring again what stands out, nodes as well as links: its limits, how values are judged, which links are
// chosen. Pure.

inline constexpr int again_visits = 3;
inline constexpr std::size_t most_controls = 3;

[[nodiscard]] double tolerance_of(const Settings& settings, std::string_view name);

/// Median of the visits that have a value.
[[nodiscard]] std::optional<double> typical(const std::vector<double>& values);

using Link = std::pair<int, int>;

struct Links {
  std::vector<Link> links;
  std::vector<stats::Between> values;
};
/// `switches`: of every node; empty: all links are of one class.
[[nodiscard]] Links links_of(const std::vector<PairSample>& samples, const Quantity& quantity,
                             const std::vector<std::string>& switches = {});

/// Links that are measured again: those that stand out, some of each node whose links do, and usual ones.
struct Choice {
  std::set<Link> suspects, controls;
};
void choose(const Links& all, const stats::LinkStandings& found, std::size_t most, Choice& choice);
/// Chooses links of a sample: a node that stands out meets usual ones, whether they have met
/// or not. Worst first.
void choose_partners(const Links& all, const stats::LinkStandings& found, Choice& choice);

/// Results of the nodes in one test, on rank 0 of the team; empty elsewhere.
struct NodeLooks {
  std::vector<std::vector<NodeSample>> visits;
  /// Node that stood out, or a usual one beside those (a control), measured while all other nodes slept.
  struct Again {
    int node = 0;
    bool control = false;
    std::vector<NodeSample> visits = {};
  };
  std::vector<Again> again;
};

/// Median of the visits to this node that have a value; nullopt if none has.
[[nodiscard]] std::optional<double> typical_of(const NodeLooks& looks, int node);

/// Visits to one test of nodes. What fails is thrown by verify().
class NodeVisits final : public measure::Workload {
 public:
  /// `looks` must outlive the object; the other arguments are the same on all ranks.
  NodeVisits(const Nodes& nodes, const Domains& domains, const TestSpec& spec, const Settings& settings,
             const MakeKernel& make, NodeLooks& looks, const TellRows& tell);
  /// Makes `count` visits. Collective over the team.
  int run(std::uint64_t first, std::uint64_t count) noexcept override;
  /// Measures nodes that stand out again; returns what this process found wrong in all of its
  /// visits. Collective.
  [[nodiscard]] std::optional<measure::CheckResult> verify(std::uint64_t repetitions) override;

 private:
  void visit();
  [[nodiscard]] bool takes_part() const;
  void prepare() noexcept;
  [[nodiscard]] OwnSample execute() noexcept;
  [[nodiscard]] OwnSample together();
  [[nodiscard]] OwnSample take_turns(const std::vector<int>& nodes);
  [[nodiscard]] std::vector<NodeSample> samples(const std::function<OwnSample()>& look);
  [[nodiscard]] std::vector<NodeLooks::Again> suspects() const;
  void measure_again();
  void tell_again() const;

  const Nodes* nodes_;
  const Domains* domains_;
  int domain_ = 0;  // whose turn it is
  TestSpec spec_;
  const Settings* settings_;
  const MakeKernel* make_;
  NodeLooks* looks_;
  const TellRows* tell_;
  std::unique_ptr<NodeKernel> kernel_;
  std::int64_t wrong_ = 0;
  std::string first_wrong_;
  std::exception_ptr failure_;
};

}  // namespace steelyard::screen
