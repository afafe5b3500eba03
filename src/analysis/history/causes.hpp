// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "analysis/history/history.hpp"

namespace steelyard::history {

/// Recorded aspects of each entry, read once: many series ask for them.
class Aspects {
 public:
  explicit Aspects(const std::vector<Entry>& entries);
  /// Fills `causes` with the aspects that differ around a change and nowhere inside the two stretches, and
  /// `also` with those that changed elsewhere too. Places in the values of the series: where the stretch before
  /// the change begins, and the first and the last place at which the change may be. The stretch after it ends
  /// with the series.
  void explain(SeriesFinding& one, std::size_t begin, std::size_t first, std::size_t last) const;
  /// Names of the aspects that differ between two entries, with "before -> after".
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> differences(std::size_t from,
                                                                             std::size_t to) const;

 private:
  [[nodiscard]] const std::string& value(std::size_t entry, std::size_t aspect) const {
    return values_[entry][aspect];
  }

  /// Whether an aspect differs. It never does between a text of another program and a run of ours, nor
  /// between two texts if either does not tell it.
  [[nodiscard]] bool differ(std::size_t from, std::size_t to, std::size_t aspect) const;

  std::vector<std::string> names_;
  std::vector<bool> of_text_;                     // of each entry: it is a text of another program
  std::vector<std::vector<std::string>> values_;  // by entry and name
};

}  // namespace steelyard::history
