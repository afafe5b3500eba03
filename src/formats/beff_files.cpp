// SPDX-License-Identifier: Apache-2.0
#include "formats/beff_files.hpp"

#include <array>
#include <fstream>
#include <span>
#include <string_view>

#include "formats/beff_plot.hpp"
#include "formats/beff_sections.hpp"
#include "record/file.hpp"

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

struct File {
  const char* suffix;
  std::string BeffFiles::*content;
};
constexpr std::array all_files = {File{".prot", &BeffFiles::prot}, File{".short", &BeffFiles::shorter},
                                  File{".sum", &BeffFiles::sum},   File{".plot", &BeffFiles::plot},
                                  File{".gps", &BeffFiles::gps},   File{".tex", &BeffFiles::tex}};

std::filesystem::path path_of(const std::filesystem::path& prefix, const File& file) {
  return prefix.string() + file.suffix;
}

void write(const std::filesystem::path& path, const std::string& content) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << content;
  if (!out.flush()) throw record::WriteError("cannot write '" + path.string() + "'");
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

void write_beff_files(const std::filesystem::path& prefix, const BeffFiles& files, Existing existing) {
  for (const File& file : all_files)
    if (existing == Existing::refuse && std::filesystem::exists(path_of(prefix, file)))
      throw record::WriteError("'" + path_of(prefix, file).string() + "' exists; --overwrite replaces it");
  for (const File& file : all_files) write(path_of(prefix, file), files.*file.content);
}

}  // namespace steelyard::formats
