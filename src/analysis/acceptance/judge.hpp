// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/acceptance/figures.hpp"
#include "analysis/comparison/run_filter.hpp"
#include "analysis/tables.hpp"
#include "record/json.hpp"
#include "units/amount.hpp"

/// Criteria that a result has to meet, as a file states them (docs/acceptance.md).
/// Criteria judged from results: docs/acceptance.md.
namespace steelyard::acceptance {

/// The criteria cannot be judged as they are written; what() begins with their place.
class BadCriteria : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Base that a limit is a share of; amount: it is a number and no share.
enum class Of { amount, committed, reference, system, peak_flop, peak_memory, median };

/// "2.5 Tflop/s", "95% of committed", "90% of reference:first".
struct Limit {
  std::string written;
  Of of = Of::amount;
  units::Amount amount;   // Of::amount
  double share = 1;       // of all others
  std::string name = {};  // of the reference or the published system
};

enum class Combine { median, mean, best, worst, every };
enum class Every { none, point, node, link };
enum class Rule { interval, value };
/// Way to count a criterion that could not be decided.
enum class Undecided { report, fail, pass };

struct Criterion {
  std::string id, text, section, place;  // place: "contract.toml:12:1"
  std::string figure, select, table;     // one of them
  std::string metric, statistic;         // empty: the primary one, its value
  std::optional<Limit> at_least, at_most, within, spread_at_most;
  bool spread_over_nodes = false;
  Every every = Every::none;
  double allowed = 0;  // of `every`: how many may fail, or which share if below 1
  Combine combine = Combine::median;
  Rule rule = Rule::interval;
  std::size_t min_launches = 1;
  bool verified = false, official = false, complete = false;
  comparison::RunFilter where;
  Undecided undecided = Undecided::report;
  std::string waived;  // the reason; empty: it counts
  double weight = 1;
};

/// The limits as they are written: "at least 95% of committed, at most 3 Tflop/s".
[[nodiscard]] std::string limits_text(const Criterion& criterion);

/// Geometric mean of value / X over criteria, where X is the base of their limits (or the limits).
struct Mean {
  std::string id, text, place;
  std::vector<std::string> of;
  double at_least = 1;
};

/// Requirements that the inputs have to meet.
struct Require {
  comparison::RunFilter runs;
  bool same_layout = false;
};

struct Criteria {
  std::string title, sha256;
  double confidence = 0.95;
  Require require;
  std::map<std::string, units::Amount> committed;  // by figure or id
  std::map<std::string, units::Amount> peak;       // "flop", "memory"
  std::vector<Criterion> list;
  std::vector<Mean> means;
};

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
  bool spread = false;   // value and limit are shares
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
  [[nodiscard]] bool accepted() const {
    return !list.empty() && count(Verdict::pass) + count(Verdict::waived) == list.size();
  }
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
