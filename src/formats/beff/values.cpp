// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>

#include "formats/beff/print.hpp"
#include "formats/beff/seconds.hpp"
#include "formats/beff/sections.hpp"

namespace steelyard::formats::beff {
namespace {

using analysis::BeffLoop;

/// The three rows of one pattern, length and method.
struct Row {
  const char* name;
  double BeffLoop::*byte_s;
  const char* absent;
};
constexpr std::array rows = {Row{"min", &BeffLoop::min_byte_s, "  ------"},
                             Row{"avg", &BeffLoop::avg_byte_s, "   ---- "},
                             Row{"max", &BeffLoop::max_byte_s, "    --  "}};

constexpr int label_width = 22;

std::string cells(const analysis::BeffRun& run, const Loop& at, const Row& row) {
  std::string text;
  for (int r = 0; r < run.cube().repetitions(); ++r) {
    const auto loop = run.loop(r, at.pattern, at.length, at.method);
    text += loop ? fmt::format(" {:7.3f}", (*loop).*row.byte_s / 1e6) : row.absent;
  }
  return text;
}

std::optional<double> best(const analysis::BeffRun& run, const Loop& at) {
  const auto& pattern = run.cube().patterns()[at.pattern];
  const auto all = run.cube().best_repetition(at.pattern, at.length, at.method);
  if (!all) return std::nullopt;
  return *all * pattern.slots / pattern.messages;
}

std::string outcome(const analysis::BeffRun& run, const Loop& at) {
  const auto fastest = best(run, at);
  if (!fastest) return " ->  ------ (----- s)";
  return fmt::format(" -> {:7.3f} ({:5.3f} s)", *fastest / 1e6, spent_s(run, at));
}

std::string label(const analysis::BeffRun& run, const Loop& at) {
  const bool first_pattern = at.pattern == 0, first = first_pattern && at.method == 0;
  const std::string size = first ? fmt::format("{}", run.cube().lengths()[at.length].count()) : "";
  const std::string method = first_pattern ? fmt::format("mthd{}", at.method) : "";
  return fmt::format(" {:>10} {:>5} p{:02} ", size, method, run.number(at.pattern));
}

std::string three_rows(const analysis::BeffRun& run, const Loop& at) {
  std::string text;
  for (const Row& row : rows) {
    const bool first = &row == &rows.front();
    text += (first ? label(run, at) : std::string(label_width, ' ')) + row.name + "=" + cells(run, at, row) +
            (first ? outcome(run, at) : "") + "\n";
  }
  return text;
}

}  // namespace

std::string values(const Source& source) {
  std::string text =
      "bandwidth of one process in MB/s: min, avg, max over the processes, one column per repetition;\n"
      "-> the best of the min row (time spent in the loops of all repetitions)\n";
  for_each_loop(source.run, [&](const Loop& at) { text += three_rows(source.run, at); });
  return text;
}

}  // namespace steelyard::formats::beff
