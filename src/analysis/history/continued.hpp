// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/history/history.hpp"

/// Series of ours that begin with the texts of other programs.
namespace steelyard::history {

/// Gives entries of such texts the context of ours that they fit, if only one does: as many processes (else more), and the
/// nodes and the machine that they tell. Answers a sentence for each entry that fits several.
[[nodiscard]] std::vector<std::string> adopt_contexts(std::vector<Entry>& entries);

/// Which of our keys an imported one continues in, and what the values of such a series are.
class Continued {
 public:
  /// A parameter that the text cannot tell is left out of the keys of ours; one that fits several continues in none.
  Continued(const Keys& keys, const std::vector<RunColumns>& runs);

  /// The key under which a value is gathered.
  [[nodiscard]] std::uint32_t key(std::uint32_t key) const;
  /// What the series is of; `own` unless it begins with an import.
  [[nodiscard]] Statistic statistic(std::uint32_t key) const;
  /// A value of such a series in its definition. Ours without it becomes `skipped`.
  [[nodiscard]] Column in_definition(const Column& column) const;

 private:
  std::map<std::uint32_t, std::uint32_t> to_;
  std::map<std::uint32_t, Statistic> statistics_;
};

}  // namespace steelyard::history
