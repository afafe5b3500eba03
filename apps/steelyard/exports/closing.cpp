// SPDX-License-Identifier: Apache-2.0
#include "exports/closing.hpp"

#include <algorithm>
#include <array>

#include "analysis/balance/measured.hpp"
#include "commands/balance_input.hpp"
#include "formats/tables/tables.hpp"

namespace steelyard::cli {
namespace {

constexpr std::array<std::string_view, 3> shown = {"verdict", "figures", "ratios"};
constexpr std::size_t width = 100;

balance::Balance judged(const std::filesystem::path& directory) {
  auto input = read_balance_input(directory.string(), {});
  auto references = balance::reference_systems(balance::read_systems(balance::systems_data()), "hpcc");
  return balance::judge(balance::merge_repeated(std::move(input.systems)), std::move(references));
}

}  // namespace

std::string closing_text(const std::filesystem::path& directory) {
  const auto balance = judged(directory);
  if (std::ranges::none_of(balance.systems, &balance::Judged::has_ratio)) return "";
  const auto all = balance::tables(balance);
  analysis::Tables some;
  for (const std::string_view id : shown)
    std::ranges::copy_if(all, std::back_inserter(some),
                         [&](const auto& section) { return section.id == id; });
  return formats::tables_text(some, width);
}

}  // namespace steelyard::cli
