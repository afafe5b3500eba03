// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "suites/imb/settings.hpp"
#include "suites/suite.hpp"

namespace steelyard::suites {
class MeasurableSuite;
}

namespace steelyard::imb {

/// imb-mpi1 with these settings: catalogue and plan. Pure.
[[nodiscard]] std::unique_ptr<suites::Suite> mpi1_definition(const Settings& settings);

/// The same, measurable (only in builds with MPI; library steelyard_imb).
[[nodiscard]] std::unique_ptr<suites::MeasurableSuite> mpi1_suite(const Settings& settings);

}  // namespace steelyard::imb
