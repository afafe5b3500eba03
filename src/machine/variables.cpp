// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <map>

#include "machine/privacy.hpp"

namespace steelyard::machine {

record::Document describe_environment_variables() {
  std::map<std::string, std::string> found;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const auto equals = text.find('=');
    if (equals == std::string_view::npos || !recorded_variable(text.substr(0, equals))) continue;
    found.emplace(valid_utf8(text.substr(0, equals)), without_private(text.substr(equals + 1)));
  }
  Json list = Json::object();
  for (const auto& [name, value] : found) list[name] = value;
  return list;
}

}  // namespace steelyard::machine
