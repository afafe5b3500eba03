// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "foreign/text.hpp"

/// Whose text it is, and where one output begins and ends. Content decides, never a name.
namespace steelyard::foreign {

enum class Format {
  imb,
  osu,
  hpl,
  hpcc,
  stream,
  babelstream,
  ior,
  mdtest,
  fio,
  b_eff,
  b_eff_io,
  hpcg,
  graph500,
  nccl
};

struct FormatName {
  Format format;
  std::string_view word;      // of --as
  std::string_view program;   // whose text it is
  std::string_view end_mark;  // what the user is told of a text that was cut off; empty: there is none
};
/// In the order of the enumeration.
[[nodiscard]] std::span<const FormatName> formats();
[[nodiscard]] const FormatName& name_of(Format format);
[[nodiscard]] std::optional<Format> format_named(std::string_view word);
/// "imb, osu, ..."
[[nodiscard]] std::string known_formats();

/// One output of one program.
struct Block {
  Format format = Format::imb;
  std::span<const Line> lines;
  bool ended = false;               // its end mark is there
  std::string launcher = {};        // a line before it that looks like the call of a launcher
  std::size_t strange = 0;          // lines without the prefix that the others had
  std::optional<Line> warned = {};  // of a document: a warning that stands before it
  std::size_t before = 0;           // of a document: others of its program right before it, which it goes on
  [[nodiscard]] std::size_t first_line() const { return lines.front().number; }
  [[nodiscard]] std::size_t last_line() const { return lines.back().number; }
};

/// The outputs that a text holds, in their order, prefixes of their lines taken away.
[[nodiscard]] std::vector<Block> blocks_of(std::span<Line> lines);

/// What to do instead, where a line begins a form of a known program that is not read; empty: it begins none.
[[nodiscard]] std::string_view refused_form(std::string_view line);

/// Whether there is any, or a form that is refused: looks at marks alone.
[[nodiscard]] bool has_mark(std::string_view text);

}  // namespace steelyard::foreign
