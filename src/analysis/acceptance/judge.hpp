// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/acceptance/criteria.hpp"
#include "analysis/acceptance/figures.hpp"
#include "analysis/tables.hpp"
#include "record/json.hpp"

/// Criteria judged from results: docs/acceptance.md.
namespace steelyard::acceptance {

/// Verdicts, gravest first; the last one never counts.
enum class Verdict { wrong_input, fail, missing, undecided, pass, waived };
inline constexpr std::size_t verdict_count = 6;
[[nodiscard]] std::string_view text(Verdict verdict);

/// Results by the name that limits call them: --reference NAME=RESULT,...
using Named = std::map<std::string, std::vector<Launch>>;

struct Judgement {
  std::string id, text, section;
  Verdict verdict = Verdict::missing;
  std::optional<double> value, low, high, limit;
  bool at_most = false;  // the limit is an upper one
  std::string unit, limit_written;
  std::optional<double> margin;  // positive: on the good side
  std::size_t launches = 0;
  std::optional<int> launches_needed;
  std::string reason;                 // half sentences, with what makes the value doubtful
  std::vector<std::string> failures;  // items of `every` that do not hold
  std::size_t items = 1;
  bool wrong = false;                   // a verification of its data failed, also if it is waived
  std::optional<double> over_base;      // value / X, above 1 on the good side; for means
  double below_log = 0, above_log = 0;  // how far the interval of ln (that) reaches below and above it
  double weight = 1;
};

struct Input {
  std::string source, run, machine, sha256;
  int nodes = 0, processes = 0;  // nodes 0: not known
  std::string mpi = {};
};

struct Sheet {
  std::string title, criteria_sha256;
  double confidence = 0.95;
  std::vector<Input> inputs;
  std::vector<std::string> notes;  // references of other machines, inputs that the requirements exclude
  std::vector<Judgement> list;
  [[nodiscard]] std::size_t count(Verdict verdict) const;
  /// Whether there are criteria, and all are passed or waived.
  [[nodiscard]] bool accepted() const;
};

/// Judges all criteria. Every launch counts once for each criterion whose `where` it meets. Throws
/// BadCriteria for units of another kind, unknown names, a selection of several points without `every`,
/// references of another layout.
[[nodiscard]] Sheet judge(const Criteria& criteria, std::span<const Launch> launches, const Named& references,
                          const std::vector<balance::System>& published);

/// Tables of the sheet: head, the table "criteria", failures of `every`, the closing sentence.
[[nodiscard]] analysis::Tables tables(const Sheet& sheet);
/// Closing sentence: "Accepted: 2 passed" or "Not accepted: 1 failed, 1 passed".
[[nodiscard]] std::string closing(const Sheet& sheet);
/// The sheet as one object of format steelyard.accept; null for what is missing.
[[nodiscard]] record::Json document(const Sheet& sheet);
/// Data of the bars that a page draws: how far each criterion and its interval are from the limit, as shares
/// of it, positive on the good side.
[[nodiscard]] record::Json bars(const Sheet& sheet);
/// Everything that a test report says of a criterion in one line.
[[nodiscard]] std::string finding(const Judgement& one);

/// A file of criteria that these launches of a reference would pass: for each figure of merit that they have and each
/// word of `select` a limit beyond three times the spread of the launches (at least 2 %), and 5 % at least.
[[nodiscard]] std::string proposal(std::span<const Launch> launches, const std::vector<std::string>& select);

}  // namespace steelyard::acceptance
