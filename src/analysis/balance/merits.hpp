// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/balance/system.hpp"
#include "record/file.hpp"

/// A dozen numbers that describe a result; report, acceptance, history and monitoring give
/// them the same names.
namespace steelyard::balance {

struct MeritFigure {
  std::string_view key, title, suite;
  std::string_view unit;             // base unit of the value; empty: a share
  std::string_view shown_unit;       // for people
  double scale = 1;                  // of the shown unit, in base units
  std::optional<Quantity> quantity;  // nullopt: from points of IMB
  bool per_process = false;          // the quantity is of one process, the figure of all
  bool lower_is_better = false;
};

/// Figures in the order of tables.
[[nodiscard]] std::span<const MeritFigure> merit_figures();
/// Figure of that key; nullptr if there is none.
[[nodiscard]] const MeritFigure* merit_figure(std::string_view key);

struct Merit {
  const MeritFigure* figure = nullptr;
  std::optional<double> value = {};       // in base units
  std::optional<double> half_width = {};  // of the 95 % interval, relative
  std::optional<analysis::RelativeInterval> interval = {};
  std::string doubt = {};   // in words; empty: none
  bool wrong = false;       // its verification failed
  bool unverified = false;  // it was measured and not verified
};

/// Values of all figures, in their order. `run`: the records that the system is of; nullptr for a text
/// of another program.
[[nodiscard]] std::vector<Merit> merits(const System& system, const record::Run* run);
/// Whether a point of IMB gives one.
[[nodiscard]] bool gives_merit(const record::PointRecord& point);

}  // namespace steelyard::balance
