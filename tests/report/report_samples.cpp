// SPDX-License-Identifier: Apache-2.0
// report_samples DIR [RESULT]: reports to look at and to try in a browser: one and two machines, 400, 10 000 and 100
// 000 points, hostile texts; or that of a result file alone.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <span>

#include "analysis/balance/measured.hpp"
#include "formats/tables/tables.hpp"
#include "report/report.hpp"
#include "synthetic.hpp"

namespace {

using steelyard::report::ReportInput;

ReportInput material_of(std::vector<steelyard::record::Run> runs) {
  namespace balance = steelyard::balance;
  ReportInput material{.runs = std::move(runs)};
  std::vector<balance::System> systems;
  for (const auto& run : material.runs) systems.push_back(balance::system_of_run(run));
  material.judged = balance::judge(
      std::move(systems), balance::reference_systems(balance::read_systems(balance::systems_data()), "hpcc"));
  if (material.runs.size() == 2)
    material.compared = steelyard::comparison::compare({&material.runs[0], 1}, {&material.runs[1], 1});
  return material;
}

void write(const std::filesystem::path& file, const ReportInput& material) {
  std::ofstream(file, std::ios::binary)
      << steelyard::report::html(material, {.generated_utc = "2026-11-20T09:00:00Z"});
}

/// A published system beside the others: its files were larger than its memory.
ReportInput published_cup() {
  namespace balance = steelyard::balance;
  const auto published =
      balance::reference_systems(balance::read_systems(balance::systems_data()), "b_eff_io");
  const auto with_cup = std::ranges::find_if(
      published, [](const auto& system) { return balance::coffee_cups(system).mixed.has_value(); });
  ReportInput material;
  material.foreign = {*with_cup};
  material.judged = balance::judge(material.foreign, published);
  return material;
}

/// Every form of the report on one result.
void write_forms(const std::filesystem::path& directory, const ReportInput& material) {
  namespace formats = steelyard::formats;
  write(directory / "result.html", material);
  const auto tables = steelyard::report::tables(steelyard::report::parts(material));
  std::ofstream(directory / "result.txt") << formats::tables_text(tables);
  std::ofstream(directory / "result.md") << formats::tables_markdown(tables);
  std::ofstream(directory / "result.tex")
      << formats::tables_latex(tables, steelyard::report::title_of(material));
}

}  // namespace

int main(int count, char** words) {
  namespace synthetic = steelyard::synthetic;
  const std::span<char*> arguments(words, static_cast<std::size_t>(count));
  if (arguments.size() != 2 && arguments.size() != 3) {
    std::cerr << "usage: report_samples DIR [RESULT]\n";
    return 2;
  }
  const std::filesystem::path directory(arguments[1]);
  std::filesystem::create_directories(directory);
  if (arguments.size() == 3) {
    write_forms(directory, material_of(steelyard::record::runs(steelyard::record::read(arguments[2]))));
    return 0;
  }
  for (const std::size_t points : {400U, 10000U, 100000U})
    write(directory / ("points_" + std::to_string(points) + ".html"),
          material_of({synthetic::run({.points = points})}));
  write(directory / "two.html",
        material_of({synthetic::run({.name = "alpha"}), synthetic::run({.name = "beta", .factor = 1.08})}));
  write(directory / "cup.html", published_cup());
  for (const int nodes : {64, 1024})
    write(directory / ("screening_" + std::to_string(nodes) + ".html"),
          {.runs = {synthetic::screening(nodes)}});
  write(directory / "screening_switches.html", {.runs = {synthetic::screening_of_switches(64)}});
  write(directory / "hostile.html", material_of({synthetic::hostile_run()}));
  return 0;
}
