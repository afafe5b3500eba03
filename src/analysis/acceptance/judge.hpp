// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
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

/// Gravest first, but for those that never count.
enum class Verdict { wrong_input, fail, missing, undecided, pass, waived };
inline constexpr std::size_t verdict_count = 6;
[[nodiscard]] std::string_view text(Verdict verdict);

/// Results by the name that limits call them: --reference NAME=RESULT,...
using Named = std::map<std::string, std::vector<Launch>>;

struct Judgement {
  std::string id, text, section;
  Verdict verdict = Verdict::missing;
  std::optional<double> value, low, high, limit;
  bool at_most = false;  // what the limit is
  std::string unit, limit_written;
  std::optional<double> margin;  // positive: on the good side
  std::size_t launches = 0;
  std::optional<int> launches_needed;
  std::string reason;                 // half sentences, with what makes the value doubtful
  std::vector<std::string> failures;  // items of `every` that do not hold
  std::size_t items = 1;
  std::optional<double> over_base;  // value / X on the good side above 1, for means
  double half_log = 0;              // half of its interval
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
  /// Nothing but passed and waived.
  [[nodiscard]] bool accepted() const;
};

/// Every launch counts once for each criterion whose `where` it meets. Throws BadCriteria for units of another kind,
/// names that nothing has, a selection of several points without `every`, references of another layout.
[[nodiscard]] Sheet judge(const Criteria& criteria, std::span<const Launch> launches, const Named& references,
                          const std::vector<balance::System>& published);

/// Head, the table "criteria", failures of `every`, the closing sentence.
[[nodiscard]] analysis::Tables tables(const Sheet& sheet);
/// "pass: 1, undecided: 1" as a sentence; "Accepted: ..." or "Not accepted: ...".
[[nodiscard]] std::string closing(const Sheet& sheet);
/// One object of format steelyard.accept; null for what is not there.
[[nodiscard]] record::Json document(const Sheet& sheet);
/// What a page draws: how far each criterion and its interval are from the limit, as shares of it, positive on the good
/// side.
[[nodiscard]] record::Json bars(const Sheet& sheet);
/// Everything that a test report says of a criterion in one line.
[[nodiscard]] std::string finding(const Judgement& one);

/// A file of criteria that these launches of a reference would pass: for each figure of merit that they have and each
/// word of `select` a limit beyond three times the spread of the launches (at least 2 %), and 5 % at least.
[[nodiscard]] std::string proposal(std::span<const Launch> launches, const std::vector<std::string>& select);

}  // namespace steelyard::acceptance
