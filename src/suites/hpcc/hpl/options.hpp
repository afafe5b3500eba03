// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "suites/hpcc/sizes.hpp"

/// Options of the linear solver in the input file, beyond orders, block sizes, grids and threshold. Pure.
namespace steelyard::hpcc::hpl {

/// The values of all enumerations are the codes of the input file (lines 9 to 30).
enum class Mapping { row_major = 0, column_major = 1 };
/// Part of a panel that is brought up to date when a column, or a part of the recursion, is factored.
enum class Factorisation { left = 0, crout = 1, right = 2 };
/// Way of a panel along a process row.
enum class Broadcast {
  ring = 0,
  ring_modified = 1,
  two_rings = 2,
  two_rings_modified = 3,
  spread_roll = 4,
  spread_roll_modified = 5,
  automatic = -1,  // not in the input file: a nonblocking broadcast of the MPI library
};
/// Ways to interchange rows and to spread them over a process column. mix: binary_exchange up to the
/// threshold; automatic, which the input file does not have: nonblocking collectives of the MPI library.
enum class Swap { binary_exchange = 0, spread_roll = 1, mix = 2, automatic = -1 };
enum class Storage { transposed = 0, plain = 1 };
enum class Equilibration { no = 0, yes = 1 };

/// Options of a run; every combination of the lists is run. The defaults are those of the
/// reference without an input file.
struct Options {
  Mapping mapping = Mapping::column_major;
  std::vector<Factorisation> panel{Factorisation::right};      // PFACT
  std::vector<int> stop{4};                                    // NBMIN, each >= 1
  std::vector<int> parts{2};                                   // NDIV, each >= 2
  std::vector<Factorisation> recursive{Factorisation::crout};  // RFACT
  std::vector<Broadcast> broadcast{Broadcast::ring_modified};  // BCAST
  std::vector<int> depth{1};                                   // DEPTH, each >= 0
  Swap swap = Swap::mix;
  std::int64_t swap_threshold = 64;  // columns; with mix
  Storage l1 = Storage::transposed;
  Storage u = Storage::transposed;
  Equilibration equilibration = Equilibration::yes;
  int alignment = 8;  // doubles, >= 1
};

/// One combination of the options, as the solver needs it.
struct Variant {
  Grid grid;
  std::int64_t n = 0, nb = 1;
  Mapping mapping = Mapping::column_major;
  int depth = 1;
  Broadcast broadcast = Broadcast::ring_modified;
  Factorisation recursive = Factorisation::crout, panel = Factorisation::right;
  int stop = 4, parts = 2;
  Swap swap = Swap::mix;
  std::int64_t swap_threshold = 64;
  Storage l1 = Storage::transposed, u = Storage::transposed;
  Equilibration equilibration = Equilibration::yes;
  int alignment = 8;
  std::optional<int> at_once;  // panels that trailing columns get at once where that can be; nullopt: by rule
  // Trailing rows, at most, of a product between two looks at messages that are on their way. The product is as wide
  // as the update: libraries pack its operands anew, the more often the smaller it is.
  std::int64_t slice_rows = 512;
  // Trailing columns, at least, whose rows travel together where rows are in several process rows.
  std::int64_t strip = 1024;
  // Whether processes of a process column share memory instead of sending messages, if one node has all of them and
  // the MPI library is not to move rows.
  bool share = true;
  // Whether they, or those of the only process row, then take over rows of each other's products, if each has a processor.
  bool help = true;
};

/// All combinations in the order of a run, outermost first: grids, orders, block sizes, DEPTH, BCAST, RFACT,
/// PFACT, NBMIN, NDIV.
[[nodiscard]] std::vector<Variant> variants(const Problem& problem, const Options& options);

/// The letter of PFACT and RFACT in texts and keys: L, C, R.
[[nodiscard]] char letter(Factorisation factorisation);
/// Letter of the mapping: R or C.
[[nodiscard]] char letter(Mapping mapping);
/// The digit of BCAST in texts and keys; 9 where the MPI library moves panels or rows, which no code of the
/// input file asks for.
[[nodiscard]] char topology(const Variant& variant);
/// Code of a combination in result tables, such as WR11C2R4.
[[nodiscard]] std::string tv_code(const Variant& variant);

/// Operations that the result counts for: 2/3 N^3 + 3/2 N^2.
[[nodiscard]] double operations(std::int64_t n);
/// Part of the work that is done when the first `columns` of n are factored: 1 - ((n - columns) / n)^3.
[[nodiscard]] double done_share(std::int64_t n, std::int64_t columns);

}  // namespace steelyard::hpcc::hpl
