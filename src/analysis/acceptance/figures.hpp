// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/balance/system.hpp"
#include "record/file.hpp"

/// Figures of a result by name.
namespace steelyard::acceptance {

/// One launch: records of a run, or a text of another program with a system and figures alone.
struct Launch {
  std::string source, sha256;
  record::Run run;
  balance::System system;
  std::vector<record::PointRecord> hpcc;  // the keys of its Summary as points
  bool foreign = false;
};

struct Figure {
  double value = 0;
  std::optional<analysis::RelativeInterval> interval = {};  // of 95 %
  std::string doubt = {};
  bool wrong = false;                 // its verification failed
  bool unverified = false;            // nothing of it was verified
  std::optional<bool> official = {};  // nullopt: there is no such rule
};

/// Meaning of a figure's name, wherever it is measured.
struct FigureKind {
  std::string name, suite;  // suite: the one that measures it; empty: several
  std::string unit;
  bool lower_is_better = false;
};

/// Kind of a figure by its name: keys of figures of merit ("hpl"), quantities and ratios of the balance
/// ("hpl_flop_s", "memory_per_flop"), and values of summaries ("hpcc.StarSTREAM_Triad",
/// "b_eff.b_eff_byte_s"). Returns nullopt for a name that is none of them.
[[nodiscard]] std::optional<FigureKind> figure_kind(std::string_view name);
/// Names of all figures that have no dot, and the keys of HPC Challenge.
[[nodiscard]] std::vector<std::string> figure_names();
/// Units of ratios that are no units of measure: "byte/flop".
[[nodiscard]] std::vector<std::string_view> composed_units();

/// Returns nullopt if the launch did not measure the figure.
[[nodiscard]] std::optional<Figure> figure_of(const Launch& launch, const FigureKind& kind);
/// The same for a published system, which has quantities and what follows from them.
[[nodiscard]] std::optional<Figure> figure_of(const balance::System& system, const FigureKind& kind);
/// Suites that measured a figure: that of its kind, or those of the quantities of a ratio.
[[nodiscard]] std::set<std::string> suites_of(const Launch& launch, const FigureKind& kind);
/// Whether the launch kept the rules of a suite, as its summary says; nullopt if there is no such rule.
[[nodiscard]] std::optional<bool> official_of(const Launch& launch, const std::string& suite);
/// Reason why a figure is missing: why it was left out or withheld, or why a point of its suite was skipped
/// or failed; may be empty.
[[nodiscard]] std::string reason_for(const Launch& launch, const FigureKind& kind);
/// The same of what this launch was to measure, and of nothing else: empty where it was not asked for.
[[nodiscard]] std::string lack_of(const Launch& launch, const FigureKind& kind);

}  // namespace steelyard::acceptance
