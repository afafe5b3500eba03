// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <optional>
#include <vector>

#include "measure/workload.hpp"
#include "suites/screen/definition.hpp"
#include "suites/screen/nodes.hpp"
#include "suites/screen/pair_meter.hpp"
#include "suites/screen/tables.hpp"

namespace steelyard::screen {

/// Results of the links, on rank 0 of the team; empty elsewhere.
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

}  // namespace steelyard::screen
