// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace steelyard::beff {

/// The three programming methods. Source: 000_ea2d91109a99d1ca.txt section 4.
enum class Method { sendrecv, alltoallv, nonblocking };

inline constexpr std::array<Method, 3> methods = {Method::sendrecv, Method::alltoallv, Method::nonblocking};

[[nodiscard]] constexpr std::string_view text(Method method) {
  constexpr std::array<std::string_view, 3> names = {"Sndrcv", "Alltoal", "non-blk"};
  return names[static_cast<std::size_t>(method)];
}

}  // namespace steelyard::beff
