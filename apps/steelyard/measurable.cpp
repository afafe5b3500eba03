// SPDX-License-Identifier: Apache-2.0
#include "measuring.hpp"
#include "suites/imb/suite.hpp"

namespace steelyard::cli {

std::vector<std::unique_ptr<suites::MeasurableSuite>> measurable(const SuiteSettings& settings) {
  std::vector<std::unique_ptr<suites::MeasurableSuite>> all;
  all.push_back(imb::mpi1_suite(settings.imb));
  return all;
}

}  // namespace steelyard::cli
