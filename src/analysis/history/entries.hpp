// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/history/history.hpp"

/// Runs in the order of time, and the entries that they make.
/// Series of ours that begin with values from the texts of other programs.
namespace steelyard::history {

/// Days since 1970 of "2026-05-12..."; nullopt for other texts and for days before 1995 or after 2099.
[[nodiscard]] std::optional<std::int64_t> day_of(std::string_view utc);

/// Keeps a run that two files hold once; drops different runs of one id, and notes it as a conflict.
void drop_repeats(std::vector<RunColumns>& runs, History& history);
/// Sorts runs by time and leaves out those without a plausible date.
void order(std::vector<RunColumns>& runs, History& history);
/// Makes the entries: the launches of a series are one entry, at the place of the last. Returns the
/// entry of each run.
[[nodiscard]] std::vector<std::size_t> make_entries(const std::vector<RunColumns>& runs, History& history);
/// Place of the first entry that counts. Throws UnknownSince.
[[nodiscard]] std::size_t place_of_since(const History& history);

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
