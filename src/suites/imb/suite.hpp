// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "suites/imb/settings.hpp"
#include "suites/suite.hpp"

namespace steelyard::imb {

/// A part with these settings: catalogue and plan. Pure.
[[nodiscard]] std::unique_ptr<suites::Suite> definition(const Part& part, const Settings& settings);

/// The same, measurable (only in builds with MPI; library steelyard_imb).
[[nodiscard]] std::unique_ptr<suites::Suite> measurable(const Part& part, const Settings& settings);

}  // namespace steelyard::imb
