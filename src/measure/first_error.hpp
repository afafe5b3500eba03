// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace steelyard::measure {

/// Keeps the first code of a series of calls that is no success, for regions that neither throw nor end
/// early. As in MPI, 0 is success.
constexpr void keep_first(int& error, int code) noexcept {
  error = error == 0 ? code : error;
}

}  // namespace steelyard::measure
