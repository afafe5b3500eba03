// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/balance/economy.hpp"
#include "analysis/balance/references.hpp"
#include "analysis/balance/system.hpp"
#include "analysis/balance/verdict.hpp"
#include "analysis/tables.hpp"

/// The whole balance analysis of some systems, and what every form of it shows.
namespace steelyard::balance {

// Systems of different size side by side, every column over its best. Source: HPCC balance paper, 5.

/// Divisor of results before columns are compared.
enum class Normalise { hpl, peak, process, none };

struct NormalisedColumn {
  std::string key, title, unit;
  std::vector<std::optional<double>> values = {};    // one per system
  std::vector<std::optional<double>> relative = {};  // over the best; all absent where the column is empty
  std::optional<std::size_t> best = {};              // system with the largest value
  bool only_value = false;
};
/// The nine columns in their order, then those of I/O where any system has them. Values whose verification
/// failed are left out, and those of one node from network columns unless every system is on one node.
[[nodiscard]] std::vector<NormalisedColumn> normalised_columns(std::span<const System> systems, Normalise by);

// The whole analysis.

/// Divisor of accumulated figures.
enum class Per { system, node, process, core };

struct BalanceOptions {
  Method method = Method::linear;
  Normalise normalise = Normalise::hpl;
  Per per = Per::system;
  std::vector<double> at_flop_s;  // curves are read off here
  VerdictOptions verdict;
  std::optional<Price> price;
};

struct RatioRow {
  const Ratio* ratio = nullptr;
  FlaggedRatio value;
  Standing standing;
};

struct ReadOff {
  double at_flop_s = 0;
  const Ratio* ratio = nullptr;
  Interpolated found;
};

struct Judged {
  System system;
  std::vector<Flagged> flags;
  std::vector<RatioRow> ratios;   // all, in their order
  std::vector<RatioRow> figures;  // that the references have too
  std::optional<InterNode> inter_node;
  std::optional<MemoryCommunication> memory_communication;
  CoffeeCups cups;
  std::optional<Energy> energy;
  std::vector<UnitCost> costs;
  Verdict verdict;
  /// Whether any ratio could be computed.
  [[nodiscard]] bool has_ratio() const;
  /// Whether any flag is one that --strict refuses.
  [[nodiscard]] bool doubtful() const;
};

struct Exponent {
  std::string quantity;
  double value = 0;
  std::size_t points = 0;
};

struct JudgedCurve {
  std::string label;
  bool own = false;
  std::vector<System> systems;  // by HPL
  std::vector<Exponent> exponents;
  std::vector<ReadOff> read_off;
};

struct Balance {
  BalanceOptions options;
  std::vector<Judged> systems;      // under judgement
  std::vector<System> references;   // shown beside them
  std::vector<JudgedCurve> curves;  // own first
  std::vector<System> compared;     // of the normalised columns: own, then references that have more than one
  std::vector<NormalisedColumn> columns;
  /// Whether there is nothing to show: no system under judgement has a ratio or a figure. A single figure is worth a
  /// table, as its ratios say what they lack.
  [[nodiscard]] bool is_empty() const;
};
[[nodiscard]] Balance judge(std::vector<System> systems, std::vector<System> references,
                            BalanceOptions options = {});

/// Tables that text and HTML show, verdict first; the table "ratios" of every system has the
/// columns of the CSV form.
[[nodiscard]] analysis::Tables tables(const Balance& balance);

/// The verdict of a system for a screen. What is missing or not judged is only named; `command` tells why.
[[nodiscard]] analysis::Section brief_verdict(const Judged& judged, const std::string& command);

/// Columns of the published table: switch, processor, clock, processes x threads, bandwidths,
/// latencies, HPL, balance; then what was read off the curves, if that was asked for. Source: HPCC
/// balance paper, 4 and Table 1.
[[nodiscard]] analysis::Tables published_tables(const Balance& balance);

/// Data of the figures that have any, by their id (docs/balance.md).
[[nodiscard]] analysis::Tables figures(const Balance& balance);

/// Origin of an analysis: files read, options used.
struct Provenance {
  struct File {
    std::string name, sha256;
  };
  std::vector<File> files;
  std::string version;
  std::vector<std::pair<std::string, std::string>> options;
};
/// The analysis as one object of format steelyard.balance; null for what is missing, no number
/// that is not finite.
[[nodiscard]] record::Document document(const Balance& balance, const Provenance& provenance);

/// What such an object tells of a system beside its judgement: with it a reader finds the same.
[[nodiscard]] record::Document system_document(const System& system);
/// Systems of such an object, to be judged or to be references. Throws std::invalid_argument.
[[nodiscard]] std::vector<System> systems_of(const record::Document& document);

/// Whether a text is what `balance --format csv` writes.
[[nodiscard]] bool is_balance_csv(std::string_view text);
/// Systems of such a text, with ratios instead of inputs: they can be references, not be judged. Values of
/// one node's network and failed ones are left out. Throws std::invalid_argument.
[[nodiscard]] std::vector<System> systems_of_csv(std::string_view text);

}  // namespace steelyard::balance
