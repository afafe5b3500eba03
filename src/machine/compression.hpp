// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace steelyard::machine {

/// gzip; nothing if this program was built without zlib.
[[nodiscard]] std::optional<std::string> packed(std::string_view bytes);
/// The text of gzip data; nothing if it is none, or without zlib.
[[nodiscard]] std::optional<std::string> unpacked(std::string_view bytes);
/// RFC 4648, with padding.
[[nodiscard]] std::string base64(std::string_view bytes);

}  // namespace steelyard::machine
