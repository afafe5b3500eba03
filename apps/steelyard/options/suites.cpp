// SPDX-License-Identifier: Apache-2.0
#include "options/suites.hpp"

#include "suites/beff/definition.hpp"
#include "suites/beffio/definition.hpp"
#include "suites/ftio/definition.hpp"
#include "suites/hpcc/definition.hpp"
#include "suites/imb/part_definition.hpp"
#include "suites/screen/definition.hpp"

namespace steelyard::cli {

std::vector<std::unique_ptr<suites::Suite>> definitions() {
  std::vector<std::unique_ptr<suites::Suite>> all;
  for (const imb::Part* part : imb::parts())
    all.push_back(imb::definition(*part, imb::defaults(*part, imb::Version::v31)));
  all.push_back(std::make_unique<beff::Definition>(beff::Settings{}));
  all.push_back(std::make_unique<beffio::Definition>(beffio::Settings{}));
  all.push_back(std::make_unique<hpcc::Definition>(hpcc::Settings{}));
  all.push_back(std::make_unique<ftio::Definition>(ftio::Settings{}));
  all.push_back(std::make_unique<screen::Definition>(screen::Settings{}));
  return all;
}

std::vector<const suites::Suite*> pointers(std::span<const std::unique_ptr<suites::Suite>> suites) {
  std::vector<const suites::Suite*> out;
  for (const auto& suite : suites) out.push_back(suite.get());
  return out;
}

}  // namespace steelyard::cli
