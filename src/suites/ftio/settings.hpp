// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "units/quantity.hpp"

namespace steelyard::ftio {

// Sizes of the out-of-core transform. Source: FTIO paper, 3.4 to 3.6 and 5.5. Pure.

using Complex = std::complex<double>;
inline constexpr std::int64_t element_byte = sizeof(Complex);

/// A matrix of N x N elements with N = i^2 c on c processes. Process p holds the columns p B .. p B + B - 1
/// of all rows: c Squares of B x B, each made of Mini-Squares of i x i.
struct Shape {
  int processes = 1;                                                         // c
  std::int64_t parameter = 2;                                                // i
  [[nodiscard]] std::int64_t band() const { return parameter * parameter; }  // B
  [[nodiscard]] std::int64_t order() const { return band() * processes; }    // N
  [[nodiscard]] std::int64_t part() const {
    return band() / processes;
  }  // what one exchange sends to another
  [[nodiscard]] std::int64_t elements() const { return order() * order(); }
  [[nodiscard]] Bytes section() const { return Bytes{element_byte * band()}; }  // of one row
  [[nodiscard]] Bytes file() const { return order() * section(); }              // of one process
  [[nodiscard]] Bytes matrix() const { return processes * file(); }
};

/// Whether its order has no prime factor beyond 7: rows of such a length are transformed several times
/// as fast as others.
[[nodiscard]] bool smooth(const Shape& shape);

/// Step between valid parameters: every valid one is a multiple of it, because c divides i^2.
[[nodiscard]] std::int64_t parameter_step(int processes);
/// Whether c divides i^2; i is at least 2, and the bytes of the matrix can be counted.
[[nodiscard]] bool valid_parameter(int processes, std::int64_t parameter);
/// Whether segments of a Mini-Square can be whole blocks of a disk, as access past the page cache needs.
[[nodiscard]] constexpr bool whole_blocks(std::int64_t parameter) {
  constexpr std::int64_t least_block = 512;
  return parameter * element_byte % least_block == 0;
}
/// The lowest valid i of at least sqrt(c) + 1.
[[nodiscard]] std::int64_t default_parameter(int processes);
/// The first `count` valid ones from `least` on.
[[nodiscard]] std::vector<std::int64_t> valid_parameters(int processes, std::int64_t least,
                                                         std::size_t count);
/// Valid ones next to one that is not: the one below, if there is one, and the one above.
[[nodiscard]] std::vector<std::int64_t> nearest_parameters(int processes, std::int64_t parameter);
/// The lowest valid i whose matrix is at least twice this memory: no page cache can hold it.
[[nodiscard]] std::int64_t parameter_beyond(int processes, Bytes memory);

/// Parameter of the original's own results, valid for most numbers of processes.
inline constexpr std::int64_t paper_parameter = 24;

// Phases of a run and how much each moves. Source: FTIO paper, 3.5 to 3.7. Pure.

enum class Phase { initialise, first_transforms, transpose, exchange, second_transforms, verify };
inline constexpr std::array phases = {Phase::initialise, Phase::first_transforms,  Phase::transpose,
                                      Phase::exchange,   Phase::second_transforms, Phase::verify};
inline constexpr std::size_t phase_count = phases.size();
inline constexpr std::size_t timed_phases = 5;  // all but the verification
[[nodiscard]] constexpr std::size_t index(Phase phase) {
  return static_cast<std::size_t>(phase);
}
/// "A init", "B dft1", ...
[[nodiscard]] std::string_view text(Phase phase);

/// Traffic of one process between file and memory.
struct Traffic {
  std::int64_t read_byte = 0, written_byte = 0, calls = 0;
  bool operator==(const Traffic&) const = default;
  Traffic& operator+=(const Traffic& other);
};

/// Rows that one call and one message hold; 1 is the definition.
struct Batches {
  std::int64_t transform_rows = 1;  // of a series of transforms
  std::int64_t exchange_rows = 1;   // of a Square that is exchanged
};

/// Traffic of one process in a phase. By the definition: a call per row section, per segment of a
/// Mini-Square, per row of an exchanged Square.
[[nodiscard]] Traffic traffic(const Shape& shape, Phase phase, const Batches& batches = {});
/// Sum of the traffic of the timed phases.
[[nodiscard]] Traffic timed_traffic(const Shape& shape, const Batches& batches = {});

/// Nominal operations of both series: 2 N transforms of 5 N log2 N.
[[nodiscard]] double flops(const Shape& shape);

// Choices of the user.

/// Access to files: one file per process by system calls, the same through MPI-IO, or one file of all
/// processes through MPI-IO.
enum class FileAccess { posix, mpi, shared };
/// Treatment of the pages of the files: they are kept, dropped after each phase, or passed by (O_DIRECT).
enum class PageCache { keep, drop, direct };

/// Choices of the user; the defaults are the rule.
struct Settings {
  std::vector<std::int64_t> parameters;  // empty: default_parameter of the processes
  std::optional<int> processes;          // instead of all
  int runs = 1;                          // of each parameter
  FileAccess access = FileAccess::posix;
  PageCache cache = PageCache::keep;
  Batches batches;
  bool keep = false;                     // the files of the last run
  std::int64_t memory_byte = 0;          // of the nodes used, to compare the matrix with; 0 = unknown
  std::optional<double> needs_budget_s;  // of a campaign whose budget does not hold it: it is left out
  std::optional<double> clock_hz;        // -clock-ghz: of the processors, for cycles that nobody counts
};

/// Settings for a campaign of a minute on `world` processes: three runs, on all of them or on the most whose
/// matrix is not beyond 128 MiB.
[[nodiscard]] Settings hurried(Settings settings, int world);

/// One sentence per departure from the rule that makes results not comparable. Only processes, parameter and
/// directory may vary.
[[nodiscard]] std::vector<std::string> departures(const Settings& settings);

[[nodiscard]] int processes(const Settings& settings, int world);
/// Parameters that are measured.
[[nodiscard]] std::vector<std::int64_t> parameters(const Settings& settings, int world);

[[nodiscard]] std::string_view text(FileAccess access);
[[nodiscard]] std::string_view text(PageCache cache);

}  // namespace steelyard::ftio
