// SPDX-License-Identifier: Apache-2.0
#include "exports/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <numeric>

#include "analysis/balance/system.hpp"
#include "exports/output.hpp"
#include "formats/live/verdict.hpp"
#include "formats/tables/tables.hpp"
#include "input/balance_input.hpp"
#include "options/checks.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

// Sections in the order in which they are printed: the one that is read last stays on the screen.
constexpr std::array<std::string_view, 4> in_order = {"ratios", "figures", "withheld", "verdict"};
constexpr std::array<std::string_view, 3> in_brief = {"figures", "withheld", "verdict"};
constexpr std::size_t width = 100;

balance::Balance judged(const std::filesystem::path& directory) {
  auto input = read_balance_input(directory.string(), {});
  auto references = balance::reference_systems(balance::read_systems(balance::systems_data()), "hpcc");
  return balance::judge(balance::joined_runs(std::move(input.systems), balance::Joined::by_campaign),
                        std::move(references));
}

/// Figures of one system, two in a line, each with its gravest doubt and the number of the others.
analysis::Table in_pairs(const analysis::Table& figures) {
  constexpr std::size_t room = 27;  // columns of a doubt: two of them, names, values and units fill a line
  const auto columns = formats::eye_columns(figures);
  const auto row_of = [&](std::size_t number) {
    std::vector<std::string> cells;
    for (const std::size_t c : columns)
      cells.push_back(formats::eye_text(figures.rows[number][c], figures.columns[c].kind));
    cells.resize(4);
    std::swap(cells[1], cells[2]);  // the value before its unit
    cells[3] = formats::fitted(comma_words(cells[3]), room);
    return cells;
  };
  using enum analysis::ColumnKind;
  analysis::Table pairs;
  for (const auto kind : {text, number, text, text, text, number, text, text})
    pairs.columns.push_back({"", "", "", kind});
  const auto rows = formats::eye_rows(figures);
  const std::size_t half = (rows.size() + 1) / 2;
  for (std::size_t i = 0; i < half; ++i) {
    auto cells = row_of(rows[i]);
    if (half + i < rows.size()) std::ranges::move(row_of(rows[half + i]), std::back_inserter(cells));
    cells.resize(pairs.columns.size());
    pairs.rows.emplace_back(cells.begin(), cells.end());
  }
  return pairs;
}

/// Shortens the verdict of a system and, if it is the only one, its figures; both lose the title then. Other
/// sections stay as they are.
void shorten(analysis::Section& section, const balance::Balance& balance,
             const std::filesystem::path& directory) {
  const auto judged = std::ranges::find(balance.systems, section.title,
                                        [](const balance::Judged& one) { return one.system.name; });
  if (section.id == "verdict" && judged != balance.systems.end())
    section = balance::brief_verdict(*judged, "steelyard balance " + units::in_shell(directory.string()));
  const bool alone = balance.systems.size() == 1;
  if (alone && section.id == "figures") section.table = in_pairs(section.table);
  if (alone && (section.id == "verdict" || section.id == "figures")) section.title.clear();
}

/// Gives systems of no campaign the names of their runs in the report, which tell them apart.
void bear_names_of_runs(const report::ReportInput& material, std::span<const std::size_t> of_runs,
                        std::vector<balance::System>& systems) {
  const auto names = report::run_names(material.runs);
  for (std::size_t run = 0; run < of_runs.size(); ++run)
    if (balance::System& system = systems.at(of_runs[run]); system.campaign.empty())
      balance::rename(system, names.at(run));
}

/// Words in which every character but letters and digits is '-'.
std::string plain(std::string_view words) {
  std::string text;
  for (const char c : words) text += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '-';
  return text;
}

/// Long tables of the parts, then the figures of the balance.
analysis::Tables long_tables(const report::ReportInput& material, const std::vector<report::Part>& parts) {
  analysis::Tables list;
  for (const report::Part& part : parts)
    for (analysis::Section section : part.folded) {
      section.id = part.id;
      if (!section.table.rows.empty()) list.push_back(std::move(section));
    }
  if (material.judged)
    for (analysis::Section& section : balance::figures(*material.judged)) list.push_back(std::move(section));
  return list;
}

/// Short tables, and a list of the files that hold the long ones.
analysis::Tables read_at_once(const std::vector<report::Part>& parts, const analysis::Tables& lists,
                              const std::vector<std::string>& files) {
  analysis::Tables tables;
  for (const report::Part& part : parts) {
    tables.push_back({part.id, part.title});
    tables.insert(tables.end(), part.shown.begin(), part.shown.end());
  }
  analysis::Section data = analysis::table_section("data", "Data in columns");
  data.table.columns = {{"file", "file", "", analysis::ColumnKind::text},
                        {"table", "table", "", analysis::ColumnKind::text},
                        {"rows", "rows", "", analysis::ColumnKind::number}};
  for (std::size_t i = 0; i < files.size(); ++i)
    data.table.rows.push_back({files[i], lists[i].title, std::ssize(lists[i].table.rows)});
  if (!files.empty()) tables.push_back(std::move(data));
  return tables;
}

/// Curves of every part.
std::string figures(const std::vector<report::Part>& parts) {
  std::string text;
  for (const report::Part& part : parts)
    for (const auto* list : {&part.shown, &part.folded})
      for (const analysis::Section& section : *list) text += formats::latex_plot(section);
  return text;
}

}  // namespace

std::optional<std::string> closing_text(const std::filesystem::path& directory, bool brief,
                                        std::size_t columns) {
  const auto balance = judged(directory);
  if (balance.is_empty()) return std::nullopt;
  if (std::ranges::none_of(balance.systems, &balance::Judged::has_ratio)) return "";
  auto all = balance::tables(balance);
  analysis::Tables some;
  if (brief)
    for (analysis::Section& section : all) shorten(section, balance, directory);
  const auto shown = brief ? std::span<const std::string_view>(in_brief) : in_order;
  for (const std::string_view id : shown)
    std::ranges::copy_if(all, std::back_inserter(some),
                         [&](const auto& section) { return section.id == id; });
  return formats::tables_text(some, std::min(columns, brief ? formats::brief_columns : width));
}

void judge(report::ReportInput& material, std::vector<balance::System> systems,
           std::vector<balance::System> references, std::span<const std::size_t> of_runs) {
  for (balance::System& system : references)
    if (const auto inside =
            balance::intra_node_fraction(system.processes_per_node, balance::IntraNode::expected))
      system.inputs.set(balance::Quantity::inter_node_share, 1 - *inside);
  bear_names_of_runs(material, of_runs, systems);
  systems = balance::joined_runs(std::move(systems), balance::Joined::by_campaign);
  balance::make_names_unique(systems);
  material.judged = balance::judge(std::move(systems), std::move(references));
}

void add_launches(report::ReportInput& material, const std::string& input) {
  if (material.runs.size() != 1 || material.runs.front().head.series.empty() || input == "-") return;
  record::FileContent told_already;  // its warnings came with the run that is shown
  auto all = record::read_runs(input, record::parse_run_choice("all"), &told_already);
  std::erase_if(all,
                [&](const record::Run& run) { return run.head.series != material.runs.front().head.series; });
  if (all.size() > 1) material.launches = std::move(all);
}

std::filesystem::path write_report(const std::filesystem::path& directory) {
  auto input = read_balance_input(directory.string(), {}, "hpcc", {}, PointsRead::rows);
  report::ReportInput material;
  material.runs = std::move(input.runs);
  material.rows = std::move(input.rows);
  add_launches(material, directory.string());
  std::vector<std::size_t> of_runs(input.systems.size());
  std::iota(of_runs.begin(), of_runs.end(), 0U);
  judge(material, std::move(input.systems),
        balance::reference_systems(balance::read_systems(balance::systems_data()), "hpcc"), of_runs);
  const auto file = directory / "report.html";
  write_output(report::html(material, {.generated_utc = record::utc_now()}), file.string(),
               Existing::replaced);
  return file;
}

void write_latex(const report::ReportInput& material, const std::string& title, const std::string& file,
                 LatexForm form) {
  const auto parts = report::parts(material);
  const bool alone = file == "-";
  const auto lists = alone ? analysis::Tables() : long_tables(material, parts);
  const std::filesystem::path path(file);
  std::vector<std::string> names;
  for (const auto& section : lists)
    names.push_back(
        fmt::format("{}-{:02}-{}.dat", path.stem().string(), names.size() + 1, plain(section.id)));
  const auto tables = read_at_once(parts, lists, names);
  write_output(form == LatexForm::body ? formats::tables_latex_body(tables) + figures(parts)
                                       : formats::tables_latex(tables, title),
               file, Existing::replaced);
  for (std::size_t i = 0; i < lists.size(); ++i)
    write_output(formats::table_columns(lists[i]), (path.parent_path() / names[i]).string(),
                 Existing::replaced);
}

}  // namespace steelyard::cli
