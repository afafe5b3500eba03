// SPDX-License-Identifier: Apache-2.0
#include "exports/report.hpp"

#include "analysis/balance/joined.hpp"
#include "analysis/balance/layout.hpp"
#include "commands/balance_input.hpp"
#include "exports/output.hpp"
#include "report/report.hpp"

namespace steelyard::cli {
namespace {

/// Runs that are not of one campaign are told apart by the names that the report gives them.
void bear_names_of_runs(const report::ReportInput& material, std::vector<balance::System>& systems) {
  const auto names = report::run_names(material.runs);
  std::size_t run = 0;
  for (balance::System& system : systems) {
    if (system.started.empty() || run == names.size()) continue;
    if (system.campaign.empty()) balance::rename(system, names[run]);
    ++run;
  }
}

}  // namespace

void judge(report::ReportInput& material, std::vector<balance::System> systems,
           std::vector<balance::System> references) {
  for (balance::System& system : references)
    if (const auto inside =
            balance::intra_node_fraction(system.processes_per_node, balance::IntraNode::expected))
      system.inputs.set(balance::Quantity::inter_node_share, 1 - *inside);
  bear_names_of_runs(material, systems);
  systems = balance::joined_runs(std::move(systems), balance::Joined::by_campaign);
  balance::make_names_unique(systems);
  material.judged = balance::judge(std::move(systems), std::move(references));
}

void add_launches(report::ReportInput& material, const std::string& input) {
  if (material.runs.size() != 1 || material.runs.front().head.series.empty() || input == "-") return;
  auto all = record::runs(record::read(input, record::parse_run_choice("all")));
  std::erase_if(all,
                [&](const record::Run& run) { return run.head.series != material.runs.front().head.series; });
  if (all.size() > 1) material.launches = std::move(all);
}

std::filesystem::path write_report(const std::filesystem::path& directory) {
  auto input = read_balance_input(directory.string(), {});
  report::ReportInput material;
  material.runs = std::move(input.runs);
  add_launches(material, directory.string());
  judge(material, std::move(input.systems),
        balance::reference_systems(balance::read_systems(balance::systems_data()), "hpcc"));
  const auto file = directory / "report.html";
  write_output(report::html(material, {.generated_utc = record::utc_now()}), file.string(),
               Existing::replaced);
  return file;
}

}  // namespace steelyard::cli
