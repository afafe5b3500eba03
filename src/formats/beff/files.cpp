// SPDX-License-Identifier: Apache-2.0
#include "formats/beff/files.hpp"

#include <span>
#include <string_view>

#include "formats/beff/plot.hpp"
#include "formats/beff/sections.hpp"

namespace steelyard::formats {
namespace {

using beff::Source;

struct Section {
  std::string_view name;
  std::string (*body)(const Source&);
};

constexpr Section section_head{"HEAD", beff::head};
constexpr Section section_overview{"BEFF", beff::overview};
constexpr std::array protocol = {section_head, Section{"LOOP", beff::loop},
                                 Section{"LOOPLNGS", beff::loop_lengths}, Section{"VALUES", beff::values}};
constexpr std::array short_protocol = {section_head,
                                       Section{"ELAPSED", beff::elapsed},
                                       Section{"PATTERN", beff::patterns},
                                       Section{"BY-METHODS", beff::by_methods},
                                       Section{"BY-REPETITIONS", beff::by_repetitions},
                                       Section{"BY-MTHD-MSGLNG", beff::by_method_and_length},
                                       Section{"BY-MSGLNG", beff::by_length},
                                       Section{"BY-PATTERN-MSGLNG", beff::by_pattern_and_length},
                                       section_overview};
constexpr std::array summary = {section_head, section_overview};

std::string text(const Source& source, std::span<const Section> sections, const std::string& last_line) {
  std::string result;
  for (const Section& section : sections) {
    const std::string marker = "SECTION-" + std::string(section.name);
    result += marker + "-BEGIN\n" + section.body(source) + marker + "-END\n\n";
  }
  return result + last_line + "\n";
}

}  // namespace

BeffFiles beff_files(const record::RunRecord& head, const analysis::BeffRun& run,
                     const analysis::BeffFrame& frame, std::optional<double> elapsed_s,
                     const BeffFilesOptions& options) {
  const Source source{head, run, frame, analysis::beff_summary(run, frame), elapsed_s};
  const auto figures = beff::figures(run);
  BeffFiles files;
  files.last_line = beff::last_line(source);
  files.prot = text(source, protocol, files.last_line);
  files.shorter = text(source, short_protocol, files.last_line);
  files.sum = text(source, summary, files.last_line);
  files.plot = beff::plot_data(run, figures);
  files.gps = beff::gnuplot_script(run, figures, options);
  files.tex = beff::latex_report(source, figures);
  return files;
}

}  // namespace steelyard::formats
