// SPDX-License-Identifier: Apache-2.0
#include "exports/report.hpp"

#include "analysis/balance/layout.hpp"
#include "analysis/balance/measured.hpp"
#include "commands/balance_input.hpp"
#include "exports/output.hpp"
#include "report/report.hpp"

namespace steelyard::cli {

void judge(report::Material& material, std::vector<balance::System> systems,
           std::vector<balance::System> references) {
  for (balance::System& system : references)
    if (const auto inside =
            balance::intra_node_fraction(system.processes_per_node, balance::IntraNode::expected))
      system.inputs.set(balance::Quantity::inter_node_share, 1 - *inside);
  material.judged = balance::judge(balance::merge_repeated(std::move(systems)), std::move(references));
}

std::filesystem::path write_report(const std::filesystem::path& directory) {
  auto input = read_balance_input(directory.string(), {});
  report::Material material;
  material.runs = std::move(input.runs);
  judge(material, std::move(input.systems),
        balance::reference_systems(balance::read_systems(balance::systems_data()), "hpcc"));
  const auto file = directory / "report.html";
  write_output(report::html(material, {.generated_utc = record::utc_now()}), file.string(),
               Existing::replaced);
  return file;
}

}  // namespace steelyard::cli
