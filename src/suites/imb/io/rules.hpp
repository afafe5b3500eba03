// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "record/records.hpp"
#include "suites/imb/settings.hpp"
#include "units/quantity.hpp"

/// Rules for the files of the benchmarks of IMB-IO. Pure. Source: IMB 3.1 User's Guide, 4.2.4 and 4.2.5.
namespace steelyard::imb {

enum class Direction { write, read };
/// Access to files: one process with its own file; all with one file, each for itself or together; each
/// with a private file.
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
  /// Whether all processes of the group call it together.
  [[nodiscard]] constexpr bool together() const { return access == Access::collective; }
  /// Whether the view has tiles: the file pointer of each process jumps over what belongs to the others.
  [[nodiscard]] constexpr bool tiled() const { return pointer == Pointer::individual && !own_file(); }
};

/// Action of a benchmark by its original spelling. Throws std::invalid_argument for Open_Close, which has
/// none, and for any other name.
[[nodiscard]] FileAction file_action(std::string_view benchmark);
[[nodiscard]] bool moves_data(std::string_view benchmark);

/// Part of X bytes that one process moves.
struct Portion {
  std::int64_t start = 0, bytes = 0;
  friend bool operator==(const Portion&, const Portion&) = default;
};
/// Portion of a process: X is divided in units of 4 bytes, the first processes have one more; what is left
/// behind the last whole unit belongs to the last process that has any.
[[nodiscard]] Portion portion(Bytes size, int processes, int rank);
/// The same for an action: private files take the portion of rank 0, at the start of their own file; one
/// process moves everything.
[[nodiscard]] Portion portion(const FileAction& action, Bytes size, int processes, int rank);
/// Bytes from one repetition to the next in the file of this action.
[[nodiscard]] std::int64_t step_byte(const FileAction& action, Bytes size, int processes);

// The rules of IMB-IO's non-blocking rows, and what they add to a record. Pure.

/// Order of the matrix of the computation: 100, in later releases 10.
[[nodiscard]] int matrix_order(Version version);

/// Length that the computation beside one transfer shall have. The reference's 0.1 s (later releases 0.01 s)
/// make a row last seconds; unless -iter or -iter_policy off ask for that, a row computes for at most 0.06 s,
/// in at least 3 repetitions.
[[nodiscard]] Seconds computation_target(const Settings& settings);
/// Most repetitions of a non-blocking row under that rule; nullopt if it does not bound them.
[[nodiscard]] std::optional<std::uint64_t> most_overlapped(const Settings& settings);

/// Whether all transfers of a row are started before the first is waited for: later releases
/// do so where processes move data each for itself.
[[nodiscard]] bool started_at_once(const Settings& settings, const Definition& definition);

/// Number of receive sections that a non-blocking read needs: as many as reads may be under
/// way at the same time.
[[nodiscard]] std::int64_t sections(const Settings& settings, const Definition& definition,
                                    std::uint64_t planned);

/// Adds t_pure, t_CPU and overlap to metrics and to classic values. t_ovrl is what the record has measured.
void put_overlap_values(double pure_s, double compute_s, record::PointRecord& record);

/// Adds the share of the file that lay in memory before it was read, and the flag cached_read if that was
/// more than a hundredth.
void put_residence(double share, record::PointRecord& record);

}  // namespace steelyard::imb
