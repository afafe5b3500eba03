// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "foreign/piece.hpp"
#include "record/file.hpp"

/// Results of other benchmark programs as runs of this program's records (docs/foreign.md). A number is taken
/// as printed, with its own statistic; none gets an interval. Pure: opens, executes and fetches nothing.
namespace steelyard::foreign {

/// Thrown if the user's description contradicts the text.
class Contradiction : public Unreadable {
 public:
  using Unreadable::Unreadable;
};

struct Source {
  std::string name;  // of the file, kept in the records
  std::string_view text;
  std::string file_utc = {};  // when the file was changed last; empty: not known
};

/// Block that was recognised and could not be read.
struct RefusedBlock {
  Format format = Format::imb;
  std::size_t line = 0;
  std::string what;
};

struct Reading {
  std::vector<record::Run> runs;
  std::vector<RefusedBlock> refused;
  std::vector<Format> formats = {};          // of the blocks that were read, each once
  std::vector<std::string> unused = {};      // parameters that the user gave and that no point has or lacks
  std::vector<std::string> parameters = {};  // that points have or lack
};

/// True if a text has the mark of a known program. Cheap, and true of texts that turn out to be unreadable.
[[nodiscard]] bool is_foreign(std::string_view text);

/// True if only points of other programs' texts have this suite: osu, ior, ...
[[nodiscard]] bool is_suite(std::string_view name);

/// Runs of a text. Throws Unreadable if it is too large, holds lines of several programs mixed, or holds
/// nothing that is known; Contradiction if `told` differs from the text.
[[nodiscard]] Reading read(const Source& source, const Description& told = {});

/// Message about a refused block: "line 12: table of ... (imb)".
[[nodiscard]] std::string text(const RefusedBlock& refused);

}  // namespace steelyard::foreign
