// SPDX-License-Identifier: Apache-2.0
#include "measuring/suites.hpp"

#include "suites/beff/definition.hpp"
#include "suites/beffio/definition.hpp"
#include "suites/ftio/definition.hpp"
#include "suites/hpcc/definition.hpp"
#include "suites/imb/suite.hpp"

namespace steelyard::cli {

ImbSettings::ImbSettings() {
  for (const imb::Part* part : imb::parts()) all_.emplace(part, imb::defaults(*part, imb::Version::v31));
}

std::vector<std::unique_ptr<suites::Suite>> definitions(const SuiteSettings& settings) {
  std::vector<std::unique_ptr<suites::Suite>> all;
  for (const imb::Part* part : imb::parts()) all.push_back(imb::definition(*part, settings.imb.of(*part)));
  all.push_back(std::make_unique<beff::Definition>(settings.beff));
  all.push_back(std::make_unique<beffio::Definition>(settings.beffio));
  all.push_back(std::make_unique<hpcc::Definition>(settings.hpcc));
  all.push_back(std::make_unique<ftio::Definition>(settings.ftio));
  return all;
}

std::vector<const suites::Suite*> pointers(std::span<const std::unique_ptr<suites::Suite>> suites) {
  std::vector<const suites::Suite*> out;
  for (const auto& suite : suites) out.push_back(suite.get());
  return out;
}

}  // namespace steelyard::cli
