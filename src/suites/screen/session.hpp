// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "machine/environment.hpp"
#include "record/records.hpp"
#include "suites/screen/definition.hpp"
#include "suites/screen/kernels.hpp"
#include "suites/screen/nodes.hpp"
#include "suites/screen/pair_meter.hpp"
#include "suites/session.hpp"

namespace steelyard::screen {

/// What the nodes have shown of one test, on rank 0 of the team; empty elsewhere.
struct NodeLooks {
  std::vector<std::vector<NodeSample>> visits;
  /// Those that stood out, and some usual ones beside them (controls), one after the other while all others slept.
  struct Again {
    int node = 0;
    bool control = false;
    std::vector<NodeSample> visits = {};
  };
  std::vector<Again> again;
};

/// On rank 0: takes rows of a table as soon as they are known.
using TellRows = std::function<void(const record::TableRecord&)>;

/// Visits to one test of nodes. What fails is thrown by verify().
class NodeVisits final : public measure::Workload {
 public:
  /// `looks` must live as long; the others are the same on all ranks.
  NodeVisits(const Nodes& nodes, const Domains& domains, const TestSpec& spec, const Settings& settings,
             const MakeKernel& make, NodeLooks& looks, const TellRows& tell);
  /// Collective over the team: so many visits.
  int run(std::uint64_t first, std::uint64_t count) noexcept override;
  /// Collective: nodes that stand out are measured again; what this process found wrong in all of its visits.
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

/// What the links have shown, on rank 0 of the team; empty elsewhere.
struct PairLooks {
  std::vector<PairSample> samples;
  std::vector<PairSample> again, controls;
  std::vector<std::vector<double>> round_byte_s;  // of each visit, for each round: of all exchanges together
};

class PairVisits final : public measure::Workload {
 public:
  PairVisits(const Nodes& nodes, const Settings& settings, const PairEffort& effort, PairLooks& looks,
             const TellRows& tell);
  int run(std::uint64_t first, std::uint64_t count) noexcept override;
  [[nodiscard]] std::optional<measure::CheckResult> verify(std::uint64_t repetitions) override;

 private:
  void visit();
  void measure_again();
  void tell_again() const;
  [[nodiscard]] PairKind kind() const;
  [[nodiscard]] PairMeter::Order order() const;

  const Nodes* nodes_;
  const Settings* settings_;
  PairLooks* looks_;
  const TellRows* tell_;
  std::optional<PairMeter> meter_;  // on leaders
  int visits_ = 0;
  std::int64_t wrong_ = 0;
  std::exception_ptr failure_;
};

/// One operation in every pass; the passes are the visits.
class OnceAVisit final : public measure::Schedule {
 public:
  [[nodiscard]] measure::Decision next(const measure::History& history) const override;
  [[nodiscard]] std::string_view rule() const override { return "fixed"; }
};

/// What tests of a session put in the place of the machine.
struct Stand {
  MakeKernel make = make_kernel;
  std::optional<int> ranks_of_each = std::nullopt;  // of a node
  PairEffort effort = {};
  std::function<std::optional<int>()> domain = [] { return machine::own_domain(); };  // of this process
};

/// The block of a screening while it is measured. Its tables are written visit by visit: a node may die.
class ScreenSession final : public suites::Session {
 public:
  /// Collective. Throws mpi::Error.
  ScreenSession(const Settings& settings, const suites::BlockPlan& block,
                const suites::SessionContext& context, Stand stand = {});
  [[nodiscard]] std::vector<measure::Task> tasks() override;
  [[nodiscard]] std::vector<record::PointRecord> records(std::size_t point, const measure::Outcome& outcome,
                                                         record::PointRecord base) override;
  [[nodiscard]] std::optional<suites::BlockProgress> stage() const override;

 private:
  struct Looked {
    TestSpec spec;
    std::string key;
    NodeLooks nodes = {};
    PairLooks pairs = {};
  };
  [[nodiscard]] std::unique_ptr<measure::Workload> open(Looked& looked);

  Settings settings_;
  Stand stand_;
  TellRows tell_;
  Nodes nodes_;
  Domains domains_;
  OnceAVisit schedule_;
  std::vector<std::unique_ptr<Looked>> looked_;  // of the points that are measured
  std::vector<std::size_t> looked_of_;           // by point of the block
};

}  // namespace steelyard::screen
