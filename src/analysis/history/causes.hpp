// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "analysis/history/history.hpp"

namespace steelyard::history {

/// What was recorded of each entry, once: aspects are asked for by many series.
class Aspects {
 public:
  explicit Aspects(const std::vector<Entry>& entries);
  /// Fills causes (differ around the change and nowhere inside the two stretches) and also (they changed elsewhere, too).
  /// `begin` and `end`: places in the values of the series that the two stretches begin and end at.
  void explain(SeriesFinding& one, std::size_t begin, std::size_t end) const;
  /// Names of what differs between two entries, with "before -> after".
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> differences(std::size_t from,
                                                                             std::size_t to) const;

 private:
  [[nodiscard]] const std::string& value(std::size_t entry, std::size_t aspect) const {
    return values_[entry][aspect];
  }

  /// Between a text of another program and a run of ours nothing does, nor between texts what one does not tell.
  [[nodiscard]] bool differ(std::size_t from, std::size_t to, std::size_t aspect) const;

  std::vector<std::string> names_;
  std::vector<bool> of_text_;                     // of each entry
  std::vector<std::vector<std::string>> values_;  // of each entry, by name
};

}  // namespace steelyard::history
