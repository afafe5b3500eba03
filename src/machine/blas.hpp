// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "machine/findings.hpp"
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

// Which BLAS is loaded and which of its kernels works here. The libraries are asked by name, so that nothing
// is linked for it.

struct BlasIdentity {
  std::string name = {};     // OpenBLAS, BLIS, MKL, ATLAS; empty for another make
  std::string version = {};  // what the library says; empty if nothing
  std::string kernel = {};   // chosen for this processor; empty where the library does not tell
  std::string config = {};   // OpenBLAS alone
  std::string file = {};     // file name without its directory
  std::string path = {};     // of the file that holds the kernels: `file` may only hand calls on to it
  std::optional<int> threads = {};
  /// Kernels that it can be told to use instead, in the library's own order; empty where there are none.
  std::vector<std::string> kernels = {};
};

/// The BLAS of a library opened with dlopen(); nullptr: of all that this process has loaded. Nothing if it
/// has no cblas_dgemm.
[[nodiscard]] std::optional<BlasIdentity> identify_blas(void* library = nullptr);

/// "OpenBLAS 0.3.21, kernel SkylakeX"; for a make that is not known its file.
[[nodiscard]] std::string described(const BlasIdentity& blas);

/// What stands in the library's kernel variable to force that kernel: its name, of BLIS its number. Empty
/// where the library cannot be told.
[[nodiscard]] std::string word_of_kernel(const BlasIdentity& blas, std::string_view kernel);

/// The widest kernel that library and processor have in common; nullptr where the library cannot be told.
[[nodiscard]] const BlasKernel* widest_kernel(const BlasIdentity& blas, const VectorUnits& units);

/// What is wrong with the kernel and how to cure it; two empty texts if nothing is.
struct BlasAdvice {
  std::string text, cure;
};
/// A kernel that makes less of the processor than its vectors offer, whoever chose it.
[[nodiscard]] BlasAdvice advise_on_blas(const BlasIdentity& blas, const VectorUnits& units);

/// Adds to the section "program" which kernel the BLAS uses: a warning with the cure where it falls short of
/// the processor, a note where the library or this program does not know it.
void judge_blas_kernel(const BlasIdentity& blas, const VectorUnits& units, std::vector<Finding>& findings);

}  // namespace steelyard::machine
