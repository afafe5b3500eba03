// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace steelyard::cli {

/// Gives a variable of the environment back that stood aside while libraries were loaded, so that OpenBLAS started no
/// threads. The first call of main().
void end_of_loading() noexcept;

}  // namespace steelyard::cli
