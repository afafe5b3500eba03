// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "machine/source.hpp"

/// The kernels of those BLAS libraries that choose one by the processor: what each needs, how wide it works,
/// and by which variables of the environment it is forced. Known from the libraries' own sources; pure.
namespace steelyard::machine {

/// What the vector units of a processor offer for doubles.
struct VectorUnits {
  std::vector<std::string> flags;  // words of cpuinfo
  int bits = 0;                    // of the widest vectors; 0: not known
  bool fused = false;              // whether they multiply and add at once
};
[[nodiscard]] VectorUnits vector_units(Source& source);
/// The same from the words alone; sve_bits: length of scalable vectors, 0 where there are none.
[[nodiscard]] VectorUnits vector_units(std::vector<std::string> flags, int sve_bits = 0);

struct BlasKernel {
  std::string_view make;   // OpenBLAS, BLIS, MKL
  std::string_view name;   // as the library calls it
  std::string_view needs;  // flags of the processor, a blank between two
  int bits;                // of the vectors that it works with; scalable: as long as the processor's
  bool fused;              // whether it multiplies and adds at once
  static constexpr int scalable = -1;
};

[[nodiscard]] std::vector<BlasKernel> known_kernels(std::string_view make);
/// In any case of letters; nullptr for one that is not known.
[[nodiscard]] const BlasKernel* find_blas_kernel(std::string_view make, std::string_view name);
[[nodiscard]] bool can_execute(const VectorUnits& units, const BlasKernel& kernel);
/// Kernels of that library that the processor can execute, from the widest to the narrowest.
[[nodiscard]] std::vector<BlasKernel> executable_kernels(std::string_view make, const VectorUnits& units);

/// Bits that the kernel handles at once, here.
[[nodiscard]] int bits_of(const BlasKernel& kernel, const VectorUnits& units);
/// Whether the kernel's vectors are narrower than the processor's, or leave its multiply-adds unused.
[[nodiscard]] bool falls_short(const BlasKernel& kernel, const VectorUnits& units);
/// "vectors of 256 bit without multiply-adds"
[[nodiscard]] std::string text(const BlasKernel& kernel, const VectorUnits& units);

/// Variables of the environment that force a library of that make: the first chooses its kernel, the others
/// its blocks or model. Empty for makes that have none.
[[nodiscard]] std::span<const std::string_view> kernel_variables(std::string_view make);

}  // namespace steelyard::machine
