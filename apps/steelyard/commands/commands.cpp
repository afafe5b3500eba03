// SPDX-License-Identifier: Apache-2.0
#include "commands/commands.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <vector>

#include "suites/suite_list.hpp"

namespace steelyard::cli {
namespace {

constexpr const Command* reading[] = {&report_command,  &balance_command, &compare_command, &accept_command,
                                      &history_command, &screen_command,  &systems_command, &export_command,
                                      &list_command,    &import_command,  &doctor_command,  &docs_command};

// Besides the suites.
constexpr std::array<std::string_view, 3> measuring_names{"run", "selftest", "hpl"};

std::vector<const Command*> joined() {
  const auto first = measuring_commands();
  std::vector<const Command*> all(first.begin(), first.end());
  all.insert(all.end(), std::begin(reading), std::end(reading));
  return all;
}

// IMB-MPI1.mpich -> imb_mpi1
std::string plain_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  std::string name(slash == std::string_view::npos ? path : path.substr(slash + 1));
  name.erase(std::min(name.find('.'), name.size()));
  for (char& c : name) c = c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

}  // namespace

std::span<const Command* const> commands() {
  static const std::vector<const Command*> all = joined();
  return all;
}

const Command* find_command(std::string_view name) {
  const auto all = commands();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Command* c) { return c->name == name; });
  return found == all.end() ? nullptr : *found;
}

const Command* command_of_program(std::string_view argv0) {
  const std::string name = plain_name(argv0);
  for (const Command* command : commands())
    if (!command->link.empty() && name == plain_name(command->link)) return command;
  return nullptr;
}

bool is_measuring_name(std::string_view name) {
  const auto is_name = [&](std::string_view known) { return plain_name(known) == plain_name(name); };
  return std::ranges::any_of(measuring_names, is_name) ||
         std::ranges::any_of(suites::suite_list, is_name, &suites::SuiteInfo::name);
}

}  // namespace steelyard::cli
