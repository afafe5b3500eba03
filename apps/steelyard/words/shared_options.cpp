// SPDX-License-Identifier: Apache-2.0
#include "words/shared_options.hpp"

#include "errors.hpp"

namespace steelyard::cli {

std::filesystem::path existing_directory(const std::string& named_by, const std::string& name) {
  std::error_code error;
  if (!std::filesystem::exists(name, error))
    throw Refused(named_by + ": there is no directory '" + name + "', and none is made");
  if (!std::filesystem::is_directory(name, error))
    throw Refused(named_by + ": '" + name + "' is no directory");
  return name;
}

}  // namespace steelyard::cli
