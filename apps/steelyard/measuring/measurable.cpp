// SPDX-License-Identifier: Apache-2.0
#include "measuring/measuring.hpp"
#include "suites/beff/definition.hpp"
#include "suites/beffio/definition.hpp"
#include "suites/ftio/definition.hpp"
#include "suites/hpcc/definition.hpp"
#include "suites/imb/suite.hpp"
#include "suites/session.hpp"

namespace steelyard::cli {

std::vector<std::unique_ptr<suites::MeasurableSuite>> measurable(const SuiteSettings& settings) {
  std::vector<std::unique_ptr<suites::MeasurableSuite>> all;
  for (const imb::Part* part : imb::parts()) all.push_back(imb::measurable(*part, settings.imb.of(*part)));
  all.push_back(beff::measurable_suite(settings.beff));
  all.push_back(beffio::measurable_suite(settings.beffio));
  all.push_back(hpcc::measurable_suite(settings.hpcc));
  all.push_back(ftio::measurable_suite(settings.ftio));
  return all;
}

}  // namespace steelyard::cli
