// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "suites/beff/settings.hpp"
#include "suites/beffio/settings.hpp"
#include "suites/ftio/settings.hpp"
#include "suites/hpcc/settings.hpp"
#include "suites/imb/settings.hpp"
#include "suites/suite.hpp"

/// The suites of this program. A new one is a member of SuiteSettings and a line in suites.cpp and
/// measurable.cpp; a new part of IMB is in all of them.
namespace steelyard::cli {

/// Settings of every part of IMB: its own defaults at first.
class ImbSettings {
 public:
  ImbSettings();
  [[nodiscard]] imb::Settings& of(const imb::Part& part) { return all_.at(&part); }
  [[nodiscard]] const imb::Settings& of(const imb::Part& part) const { return all_.at(&part); }

 private:
  std::map<const imb::Part*, imb::Settings> all_;
};

struct SuiteSettings {
  ImbSettings imb = {};
  beff::Settings beff = {};
  beffio::Settings beffio = {};
  hpcc::Settings hpcc = {};
  ftio::Settings ftio = {};
};

/// Definitions with these settings, in the order in which suites are listed and run.
[[nodiscard]] std::vector<std::unique_ptr<suites::Suite>> definitions(const SuiteSettings& settings = {});

/// The same, borrowed.
[[nodiscard]] std::vector<const suites::Suite*> pointers(
    std::span<const std::unique_ptr<suites::Suite>> suites);

}  // namespace steelyard::cli
