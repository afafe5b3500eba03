// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "analysis/balance/balance.hpp"
#include "input/foreign_input.hpp"
#include "record/file.hpp"
#include "report/rows.hpp"

/// Inputs of `balance`: result files, texts of other programs, systems.json, its own output.
/// The kind is found by content.
namespace steelyard::cli {

struct BalanceInput {
  std::vector<balance::System> systems;
  std::string file;
  std::string sha256;                             // of a text; of a result file: empty
  std::vector<record::Run> runs = {};             // of a result file: those that became the systems
  std::shared_ptr<const report::Rows> rows = {};  // for ReportInput
};

/// What is read of points: all of them, or rows in place of those that a report needs no more of, where the file is of one
/// run.
enum class PointsRead { all, rows };

/// Systems of one file. `run`: which run of a result file; `kind`: which records of a systems.json. Throws
/// record::ReadError with file, line and what was expected.
[[nodiscard]] BalanceInput read_balance_input(const std::string& file, const record::RunChoice& run,
                                              const std::string& kind = "hpcc",
                                              const DescribedFile& told = {},
                                              PointsRead points = PointsRead::all);

/// Name and digest of an input. A result file is read once more for it; that of standard input is empty. Throws
/// record::ReadError if the file is gone.
[[nodiscard]] balance::Provenance::File provenance_of(const BalanceInput& input);

}  // namespace steelyard::cli
