// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "options/values.hpp"
#include "suites/hpcc/settings.hpp"

/// The options --blas and --blas-trial: which BLAS shall compute.
namespace steelyard::cli {

/// "fastest", "as-linked", or a library's file and behind a colon the kernel that it shall take. Throws
/// units::ParseError.
[[nodiscard]] hpcc::BlasWish parse_blas(std::string_view word);
/// The BLAS that --blas and --blas-trial ask for; without them `otherwise`, in a base run as-linked. Throws UsageError
/// if they contradict each other.
[[nodiscard]] hpcc::BlasWish blas_wish(const Values& values, hpcc::BlasWish::Kind otherwise);

// As a check of an option table.
void check_blas(std::string_view word);

}  // namespace steelyard::cli
