// SPDX-License-Identifier: Apache-2.0
#include "formats/beff_files.hpp"

#include <array>
#include <cerrno>
#include <fstream>
#include <span>
#include <string_view>
#include <system_error>

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

[[noreturn]] void refuse(const std::filesystem::path& path) {
  throw record::WriteError("cannot write '" + path.string() + "': " + std::generic_category().message(errno));
}

void write(const std::filesystem::path& path, const std::string& content) {
  errno = 0;
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << content;
  if (!out.flush()) refuse(path);
}

void refuse_existing(const std::filesystem::path& prefix) {
  std::error_code ignored;
  for (const File& file : all_files)
    if (std::filesystem::exists(path_of(prefix, file), ignored))
      throw record::WriteError("'" + path_of(prefix, file).string() + "' exists; --overwrite replaces it");
}

/// Opens without changing what is there; a file that came into being by it goes again.
void try_to_open(const std::filesystem::path& path) {
  std::error_code ignored;
  const bool there = std::filesystem::exists(path, ignored);
  errno = 0;
  if (!std::ofstream(path, std::ios::binary | std::ios::app)) refuse(path);
  if (!there) std::filesystem::remove(path, ignored);
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

void check_beff_files(const std::filesystem::path& prefix, Existing existing) {
  if (existing == Existing::refuse) refuse_existing(prefix);
  for (const File& file : all_files) try_to_open(path_of(prefix, file));
}

void write_beff_files(const std::filesystem::path& prefix, const BeffFiles& files, Existing existing) {
  if (existing == Existing::refuse) refuse_existing(prefix);
  for (const File& file : all_files) write(path_of(prefix, file), files.*file.content);
}

}  // namespace steelyard::formats
