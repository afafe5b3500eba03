// SPDX-License-Identifier: Apache-2.0
// The list of suites where only readers are compiled: texts name suites, none is planned.
#include "suites/suite_list.hpp"

namespace steelyard::suites {

std::span<const SuiteEntry> suite_list() {
  return {};
}

}  // namespace steelyard::suites
