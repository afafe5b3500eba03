// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "machine/blas_kernels.hpp"
#include "machine/findings.hpp"

/// Which BLAS is loaded and which of its kernels works here. The libraries are asked by name, so that nothing
/// is linked for it.
namespace steelyard::machine {

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
