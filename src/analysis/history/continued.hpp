// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analysis/history/history.hpp"

/// Series of ours that begin with values from the texts of other programs.
namespace steelyard::history {

/// Gives entries of such texts the context of ours that they fit, if only one does: one with as many
/// processes (else with more), and with the nodes and the machine that they tell. Returns a sentence for each
/// entry that fits several.
[[nodiscard]] std::vector<std::string> adopt_contexts(std::vector<Entry>& entries);

/// Continuation of imported keys: which of our keys one continues in, and how the values of such a
/// series are defined.
class Continued {
 public:
  /// A parameter that the text cannot tell is left out of our keys; an imported key that fits several of ours
  /// continues in none.
  Continued(const Keys& keys, const std::vector<RunColumns>& runs);

  /// The key under which a value is gathered.
  [[nodiscard]] std::uint32_t key(std::uint32_t key) const;
  /// Definition of the values of a series; `own` unless it begins with an import.
  [[nodiscard]] Statistic statistic(std::uint32_t key) const;
  /// Value of such a series in its definition. A value of ours that is not recorded in it becomes `skipped`.
  [[nodiscard]] Column in_definition(const Column& column) const;

 private:
  std::map<std::uint32_t, std::uint32_t> to_;
  std::map<std::uint32_t, Statistic> statistics_;
};

}  // namespace steelyard::history
