// SPDX-License-Identifier: Apache-2.0
#include "options/command_list.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "suites/suite_list.hpp"

namespace steelyard::cli {
namespace {

// Names that measure, besides those of suites.
constexpr std::array<std::string_view, 3> measuring_names{"run", "selftest", "hpl"};

// IMB-MPI1.mpich -> imb_mpi1
std::string plain_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  std::string name(slash == std::string_view::npos ? path : path.substr(slash + 1));
  name.erase(std::min(name.find('.'), name.size()));
  for (char& c : name) c = c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

}  // namespace

CommandList::CommandList(std::span<const Command* const> measuring, std::span<const Command* const> reading)
    : all_(measuring.begin(), measuring.end()), measures_(!measuring.empty()) {
  all_.insert(all_.end(), reading.begin(), reading.end());
}

const Command* CommandList::find(std::string_view name) const {
  const auto found = std::ranges::find(all_, name, &Command::name);
  return found == all_.end() ? nullptr : *found;
}

const Command* CommandList::front_end(std::string_view argv0) const {
  const auto found = std::ranges::find_if(all_, [&](const Command* one) { return is_link_of(*one, argv0); });
  return found == all_.end() ? nullptr : *found;
}

bool is_link_of(const Command& command, std::string_view argv0) {
  return !command.link.empty() && plain_name(argv0) == plain_name(command.link);
}

bool is_measuring_name(std::string_view name) {
  const auto is_name = [&](std::string_view known) { return plain_name(known) == plain_name(name); };
  return std::ranges::any_of(measuring_names, is_name) ||
         std::ranges::any_of(suites::suite_list(), is_name, &suites::SuiteEntry::name);
}

}  // namespace steelyard::cli
