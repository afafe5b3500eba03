// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace steelyard::machine {

/// Bytes in gzip format; nullopt if this program was built without zlib.
[[nodiscard]] std::optional<std::string> packed(std::string_view bytes);
/// Content of gzip data; nullopt if it is none, or without zlib.
[[nodiscard]] std::optional<std::string> unpacked(std::string_view bytes);

}  // namespace steelyard::machine
