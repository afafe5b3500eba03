// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "units/quantity.hpp"

/// What the benchmarks of IMB-IO do with files. Pure. Source: 001_04218b74f686a5f6.txt sections 4.2.4
/// and 4.2.5.
namespace steelyard::imb {

enum class Direction { write, read };
/// One process with its own file; all with one file, each for itself or together; each with a private file.
enum class Access { single, parallel, collective, priv };
enum class Pointer { individual, explicit_offset, shared };
enum class Waiting { blocking, non_blocking };

struct FileAction {
  Direction direction = Direction::write;
  Access access = Access::single;
  Pointer pointer = Pointer::individual;
  Waiting waiting = Waiting::blocking;

  [[nodiscard]] constexpr bool own_file() const { return access == Access::single || access == Access::priv; }
  [[nodiscard]] constexpr bool writes() const { return direction == Direction::write; }
  [[nodiscard]] constexpr bool blocks() const { return waiting == Waiting::blocking; }
  /// All processes of the group call it together.
  [[nodiscard]] constexpr bool together() const { return access == Access::collective; }
  /// A view of tiles: the file pointer of each process jumps over what belongs to the others.
  [[nodiscard]] constexpr bool tiled() const { return pointer == Pointer::individual && !own_file(); }
};

/// By the seed's spelling; Open_Close has none, nor has any other name: throws std::invalid_argument.
[[nodiscard]] FileAction file_action(std::string_view benchmark);
[[nodiscard]] bool moves_data(std::string_view benchmark);

/// The part of X bytes that one process moves.
struct Portion {
  std::int64_t start = 0, bytes = 0;
  friend bool operator==(const Portion&, const Portion&) = default;
};
/// X is divided in units of 4 bytes, the first processes have one more; what is left behind the last whole
/// unit belongs to the last that has any.
[[nodiscard]] Portion portion(Bytes size, int processes, int rank);
/// The same for an action: private files take the portion of rank 0, at the start of their own file; one
/// process moves everything.
[[nodiscard]] Portion portion(const FileAction& action, Bytes size, int processes, int rank);
/// Bytes from one repetition to the next in the file of this action.
[[nodiscard]] std::int64_t step_byte(const FileAction& action, Bytes size, int processes);

}  // namespace steelyard::imb
