// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "foreign/text.hpp"

/// Programs whose texts are known, and the limits of one output. The content decides, never a file name.
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
  std::string_view program;   // program that writes the text
  std::string_view end_mark;  // message for a text that was cut off; empty: there is none
};
/// Names of all formats, in the order of the enumeration.
[[nodiscard]] std::span<const FormatName> formats();
[[nodiscard]] const FormatName& name_of(Format format);
[[nodiscard]] std::optional<Format> format_named(std::string_view word);
/// Words of all formats: "imb, osu, ...".
[[nodiscard]] std::string known_formats();

/// One output of one program.
struct Block {
  Format format = Format::imb;
  std::span<const Line> lines;
  bool ended = false;               // its end mark is there
  std::string launcher = {};        // a line before it that looks like the call of a launcher
  std::size_t strange = 0;          // lines without the prefix that the others had
  std::optional<Line> warned = {};  // of a document: a warning that stands before it
  std::size_t before = 0;           // of a document: number of those before it that it continues
  bool ended_again = false;         // its end mark follows once more, outside of any output
  [[nodiscard]] std::size_t first_line() const { return lines.front().number; }
  [[nodiscard]] std::size_t last_line() const { return lines.back().number; }
};

/// Outputs that a text holds, in their order, without the prefixes of their lines.
[[nodiscard]] std::vector<Block> blocks_of(std::span<Line> lines);

/// Advice for a line that begins a form of a known program that is not read; empty if it begins none.
[[nodiscard]] std::string_view refused_form(std::string_view line);

/// True if there is any output, or a form that is refused: looks at marks alone.
[[nodiscard]] bool has_mark(std::string_view text);

}  // namespace steelyard::foreign
