// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace steelyard::record {

/// Why a point has no result, or a partial one. Spelt in the file as here.
enum class ReasonCode {
  memory,
  time,
  unsupported,
  processes,
  file_system,
  space,
  mpi_error,
  verification,
  excluded,
  interrupted,
  dependency,
  internal,
  unreadable
};

[[nodiscard]] std::string_view text(ReasonCode code);

/// What is known of it; bytes with `memory` and `space`.
struct Reason {
  ReasonCode code = ReasonCode::internal;
  std::string text;
  std::optional<int> rank;
  std::optional<std::string> host;
  std::optional<std::string> mpi_call;
  std::optional<std::string> mpi_class;
  std::optional<std::int64_t> needed_byte;
  std::optional<std::int64_t> available_byte;
};

}  // namespace steelyard::record
