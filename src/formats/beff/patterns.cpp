// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "formats/beff/sections.hpp"
#include "formats/beff/words.hpp"

namespace steelyard::formats::beff {
namespace {

/// The method with which the last two lengths were measured alone; -1 if they were measured with all.
int chosen_method(const analysis::BeffRun& run, int repetition, std::size_t pattern) {
  if (!run.shortened(repetition)) return -1;
  const auto length = run.cube().lengths().size() - 2;
  for (int m = 0; m < run.cube().methods(); ++m)
    if (run.cube().at(repetition, pattern, length, m)) return m;
  return -1;
}

std::string row(const analysis::BeffRun& run, std::size_t pattern) {
  const auto& shape = run.cube().patterns()[pattern];
  const int used = run.used(pattern);
  const auto per_process = used > 0 ? std::optional(shape.messages / used) : std::nullopt;
  std::string text =
      fmt::format(" p{:02} {:<17} {:5}  {:12.0f}  {}  {}  {:6}  (", run.number(pattern), plain(shape.name),
                  shape.slots, shape.messages, number(per_process, 9, 2),
                  number(share(per_process, shape.slots), 9, 2), run.cube().processes() - used);
  for (int r = 0; r < run.cube().repetitions(); ++r)
    text += fmt::format(" {:2}", chosen_method(run, r, pattern));
  return text + " )\n";
}

}  // namespace

std::string patterns(const Source& source) {
  constexpr auto* columns = "{:>28}  {:>12}  {:>9}  {:>9}  {:>6}  {}\n";
  std::string text =
      fmt::format(columns, "slots", "messages", "messages", "... per", "unused", "(method at the");
  text += fmt::format(columns, "", "of all", "/ process", "slot", "proc.", " last lengths)");
  for (std::size_t p = 0; p < source.run.cube().patterns().size(); ++p) text += row(source.run, p);
  return text;
}

}  // namespace steelyard::formats::beff
