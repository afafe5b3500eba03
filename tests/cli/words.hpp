// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "commands/program.hpp"
#include "options/resolve.hpp"
#include "process/errors.hpp"

namespace steelyard::cli::test {

using Strings = std::vector<std::string>;

/// The words of a subcommand after it; variables that are set.
inline Invocation invoke(const char* command, const Strings& words,
                         const std::map<std::string, std::string>& variables = {}) {
  const Command& chosen = *commands().find(command);
  Strings argv{"steelyard", command};
  argv.insert(argv.end(), words.begin(), words.end());
  return resolve(chosen, parse_words(chosen, words), argv, commands(),
                 [&](const char* name) -> std::optional<std::string> {
                   const auto found = variables.find(name);
                   return found == variables.end() ? std::nullopt : std::optional(found->second);
                 });
}

/// Error text of what is wrong with the words; "accepted" if nothing is.
template <class Act>
std::string refusal(Act act) {
  try {
    static_cast<void>(act());
    return "accepted";
  } catch (const UsageError& error) {
    return error.what() + (error.suggestion().empty() ? "" : " | " + error.suggestion());
  } catch (const Refused& error) {
    return error.what();
  }
}

inline std::string refusal(const char* command, const Strings& words) {
  return refusal([&] { return parse_words(*commands().find(command), words); });
}

}  // namespace steelyard::cli::test
