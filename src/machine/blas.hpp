// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "machine/findings.hpp"
#include "machine/source.hpp"

/// Kernels of those BLAS libraries that choose one by the processor: what each needs, how wide it works, and
/// the variables of the environment that force it. Known from the libraries' own sources; pure.
namespace steelyard::machine {

/// Vector units of a processor, for doubles.
struct VectorUnits {
  std::vector<std::string> flags;  // words of cpuinfo
  int bits = 0;                    // of the widest vectors; 0: not known
  bool fused = false;              // true if they multiply and add at once
};
[[nodiscard]] VectorUnits vector_units(Source& source);
/// Vector units from the words alone; sve_bits: length of scalable vectors, 0 if there are none.
[[nodiscard]] VectorUnits vector_units(std::vector<std::string> flags, int sve_bits = 0);

struct BlasKernel {
  std::string_view make;   // OpenBLAS, BLIS, MKL
  std::string_view name;   // name in the library
  std::string_view needs;  // flags of the processor, a blank between two
  int bits;                // of the vectors that it works with; scalable: as long as the processor's
  bool fused;              // true if it multiplies and adds at once
  static constexpr int scalable = -1;
};

/// Kernel of that name in any case of letters; nullptr if it is not known.
[[nodiscard]] const BlasKernel* find_blas_kernel(std::string_view make, std::string_view name);
/// Kernels of that library that the processor can execute, from the widest to the narrowest.
[[nodiscard]] std::vector<BlasKernel> executable_kernels(std::string_view make, const VectorUnits& units);

/// Number of bits that the kernel handles at once on this processor.
[[nodiscard]] int bits_of(const BlasKernel& kernel, const VectorUnits& units);
/// True if the kernel's vectors are narrower than the processor's, or leave its multiply-adds unused.
[[nodiscard]] bool falls_short(const BlasKernel& kernel, const VectorUnits& units);
/// Description of a kernel: "vectors of 256 bit without multiply-adds".
[[nodiscard]] std::string text(const BlasKernel& kernel, const VectorUnits& units);

/// Variables of the environment that force a library of that make: the first chooses its kernel, the others
/// its blocks or model. Empty for makes that have none.
[[nodiscard]] std::span<const std::string_view> kernel_variables(std::string_view make);

// The loaded BLAS and its working kernel. The libraries are asked by name, so that nothing is linked for it.

struct BlasIdentity {
  std::string name = {};     // OpenBLAS, BLIS, MKL, ATLAS; empty for another make
  std::string version = {};  // as the library tells it; empty if it does not
  std::string kernel = {};   // chosen for this processor; empty if the library does not tell
  std::string config = {};   // OpenBLAS alone
  std::string file = {};     // file name without its directory
  std::string path = {};     // of the file that holds the kernels: `file` may only hand calls on to it
  std::optional<int> threads = {};
  /// Kernels that the environment can choose instead, in the library's own order; empty if there are none.
  std::vector<std::string> kernels = {};
};

/// BLAS of a library opened with dlopen(), or with nullptr of all that this process has loaded; nullopt if
/// there is no cblas_dgemm.
[[nodiscard]] std::optional<BlasIdentity> identify_blas(void* library = nullptr);

/// Description of a BLAS: "OpenBLAS 0.3.21, kernel SkylakeX"; the file for an unknown make.
[[nodiscard]] std::string described(const BlasIdentity& blas);

/// Value of the library's kernel variable that forces that kernel: its name, for BLIS its number. Empty if
/// the library cannot be forced.
[[nodiscard]] std::string word_of_kernel(const BlasIdentity& blas, std::string_view kernel);

/// Fault of the kernel and its cure; two empty texts if there is none.
struct BlasAdvice {
  std::string text, cure;
};
/// Advice on a kernel that makes less of the processor than its vectors offer, whoever chose it.
[[nodiscard]] BlasAdvice advise_on_blas(const BlasIdentity& blas, const VectorUnits& units);

/// Adds the BLAS kernel to the section "program": a warning with the cure if it falls short of the processor,
/// a note if the library or this program does not know it.
void judge_blas_kernel(const BlasIdentity& blas, const VectorUnits& units, std::vector<Finding>& findings);

}  // namespace steelyard::machine
