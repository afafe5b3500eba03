// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

/// Problem sizes of the HPC Challenge tests, derived from the sizes and grids of the linear solver. Pure.
/// Source: the published HPC Challenge suite 1.5.0, whose size rules these are.
namespace steelyard::hpcc {

/// Process grid of the linear solver and of PTRANS.
struct Grid {
  int rows = 1;     // P
  int columns = 1;  // Q
  [[nodiscard]] std::int64_t processes() const { return std::int64_t{rows} * columns; }
  friend bool operator==(const Grid&, const Grid&) = default;
};

/// Values of the input file from which the sizes of the other tests follow.
struct Problem {
  std::vector<std::int64_t> orders;  // N of the linear solver
  std::vector<std::int64_t> blocks;  // NB
  std::vector<Grid> grids;
};

/// Factors of a length: any, only 2, or only 2, 3 and 5.
enum class Smoothness { any, two, two_three_five };

/// Limit of lengths. wide: 64 bit; strict: at most 2^30 elements, as loop variables of 32 bit allow.
enum class LengthLimit { wide, strict };

/// Bytes per process that the largest matrix takes on the smallest grid: 8 N^2 / (P Q), cut to a whole
/// number, but no more than 2^47, what a process can address. Throws std::invalid_argument for a problem
/// without orders or grids.
[[nodiscard]] std::int64_t memory_per_process(const Problem& problem);

/// A number of bytes, or 2^62 where it is larger: an order of 2^31 has a matrix that 64 bits do not count.
[[nodiscard]] constexpr std::int64_t counted_in_int64(double bytes) {
  return static_cast<std::int64_t>(std::min(bytes, 0x1p62));
}

/// Largest number of this smoothness that is not above `limit`; 0 for a limit below 1.
[[nodiscard]] std::int64_t largest(Smoothness smoothness, std::int64_t limit);

/// Elements of each of `vectors` vectors that together fill `memory_byte`. A memory that holds none gives 0,
/// or 1 (2^0) for powers of two.
[[nodiscard]] std::int64_t vector_length(std::int64_t memory_byte, int vectors, int element_byte,
                                         Smoothness smoothness, LengthLimit limit = LengthLimit::wide);

/// Order of the square matrices of DGEMM: three of them and a few vectors fill the memory.
[[nodiscard]] std::int64_t dgemm_order(std::int64_t memory_byte);

/// Elements of each of the three vectors of STREAM.
[[nodiscard]] std::int64_t stream_length(std::int64_t memory_byte, LengthLimit limit = LengthLimit::wide);

/// n of a RandomAccess table of 2^n words: of one process (Single and Star), or over all processes (MPI),
/// at most 58.
[[nodiscard]] int random_access_bits(std::int64_t memory_byte);
[[nodiscard]] int random_access_bits(std::int64_t memory_byte, int processes);

/// Complex elements of the one-process transform: a power of two, or a product of 2, 3 and 5, which needs
/// three vectors instead of two.
[[nodiscard]] std::int64_t fft_length(std::int64_t memory_byte, Smoothness smoothness = Smoothness::two,
                                      LengthLimit limit = LengthLimit::wide);

/// Length of the distributed transform, which runs on the first `processes` ranks only.
struct GlobalFft {
  int processes = 1;
  std::int64_t length = 1;
  friend bool operator==(const GlobalFft&, const GlobalFft&) = default;
};
[[nodiscard]] GlobalFft global_fft(std::int64_t memory_byte, int world,
                                   Smoothness smoothness = Smoothness::two,
                                   LengthLimit limit = LengthLimit::wide);

/// Orders of PTRANS: first those of `extra` that use at least 90 % of the linear solver's memory, then half
/// of every order of the solver.
[[nodiscard]] std::vector<std::int64_t> ptrans_orders(const Problem& problem,
                                                      std::span<const std::int64_t> extra);
/// Those of `extra` that are left out.
[[nodiscard]] std::vector<std::int64_t> dropped_ptrans_orders(const Problem& problem,
                                                              std::span<const std::int64_t> extra);
/// Block sizes of PTRANS: the extra ones, then those of the solver.
[[nodiscard]] std::vector<std::int64_t> ptrans_blocks(const Problem& problem,
                                                      std::span<const std::int64_t> extra);

/// Grid for a number of processes: the largest divisor not above the square root as rows; a prime from 20 on
/// leaves one process out.
[[nodiscard]] Grid default_grid(int processes);
inline constexpr std::int64_t default_block = 80;
/// Order whose matrix takes 0.8 of the memory of the grid, a multiple of twice the default block.
[[nodiscard]] std::int64_t default_order(double memory_mebibyte, const Grid& grid);
/// Largest multiple of twice the block up to `order`, as PTRANS wants it; `order` itself if there is none.
[[nodiscard]] std::int64_t rounded_order(std::int64_t order, std::int64_t block);
/// The problem that follows from memory per process alone by the rule of the published suite.
[[nodiscard]] Problem default_problem(double memory_mebibyte, int processes);

/// One dimension of a block-cyclic distribution: n elements in blocks of `block` over `parts` processes, the
/// first block on part 0. Pure.
struct BlockCyclic {
  std::int64_t n = 0;
  std::int64_t block = 1;
  int parts = 1;

  [[nodiscard]] constexpr int owner(std::int64_t global) const {
    return static_cast<int>(global / block % parts);
  }
  /// Index within its owner.
  [[nodiscard]] constexpr std::int64_t local(std::int64_t global) const {
    return global / block / parts * block + global % block;
  }
  [[nodiscard]] constexpr std::int64_t global(int part, std::int64_t local) const {
    return (local / block * parts + part) * block + local % block;
  }
  /// Elements of one part.
  [[nodiscard]] constexpr std::int64_t count(int part) const {
    const std::int64_t full = n / block, last = full % parts;
    const std::int64_t rest = part < last ? block : part == last ? n % block : 0;
    return full / parts * block + rest;
  }
  /// Blocks in all, the last one possibly shorter.
  [[nodiscard]] constexpr std::int64_t blocks() const { return (n + block - 1) / block; }
  [[nodiscard]] constexpr std::int64_t size_of(std::int64_t b) const {
    return b < n / block ? block : n % block;
  }
};

}  // namespace steelyard::hpcc
