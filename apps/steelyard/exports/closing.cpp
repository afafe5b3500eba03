// SPDX-License-Identifier: Apache-2.0
#include "exports/closing.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "analysis/balance/joined.hpp"
#include "commands/balance_input.hpp"
#include "formats/tables/tables.hpp"

namespace steelyard::cli {
namespace {

// What is read last stays on the screen.
constexpr std::array<std::string_view, 4> in_order = {"ratios", "figures", "withheld", "verdict"};
constexpr std::array<std::string_view, 3> in_brief = {"figures", "withheld", "verdict"};
constexpr std::size_t width = 100;

balance::Balance judged(const std::filesystem::path& directory) {
  auto input = read_balance_input(directory.string(), {});
  auto references = balance::reference_systems(balance::read_systems(balance::systems_data()), "hpcc");
  return balance::judge(balance::joined_runs(std::move(input.systems), balance::Joined::by_campaign),
                        std::move(references));
}

}  // namespace

std::string closing_text(const std::filesystem::path& directory, bool brief) {
  const auto balance = judged(directory);
  if (std::ranges::none_of(balance.systems, &balance::Judged::has_ratio)) return "";
  const auto all = balance::tables(balance);
  analysis::Tables some;
  const auto shown = brief ? std::span<const std::string_view>(in_brief) : in_order;
  for (const std::string_view id : shown)
    std::ranges::copy_if(all, std::back_inserter(some),
                         [&](const auto& section) { return section.id == id; });
  return formats::tables_text(some, width);
}

}  // namespace steelyard::cli
