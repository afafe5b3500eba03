// SPDX-License-Identifier: Apache-2.0
#include "commands/commands.hpp"

namespace steelyard::cli {
namespace {

constexpr const Command* reading_commands[] = {
    &report_command,  &balance_command, &compare_command, &accept_command, &history_command, &screen_command,
    &systems_command, &export_command,  &list_command,    &import_command, &doctor_command,  &docs_command};

}  // namespace

const CommandList& commands() {
  static const CommandList all(measuring_commands(), reading_commands);
  return all;
}

}  // namespace steelyard::cli
