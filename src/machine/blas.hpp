// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
  std::optional<int> threads = {};
};

/// The BLAS of a library opened with dlopen(); nullptr: of all that this process has loaded. Nothing if it
/// has no cblas_dgemm.
[[nodiscard]] std::optional<BlasIdentity> identify_blas(void* library = nullptr);

/// What is wrong with the kernel and how to cure it; two empty texts if nothing is.
struct BlasAdvice {
  std::string text, cure;
};
/// A variable of the environment that forces OpenBLAS to a kernel or block size, or a BLIS that does not know
/// the processor and falls back to its generic kernel.
[[nodiscard]] BlasAdvice advise_on_blas(const BlasIdentity& blas);

/// Width of the vectors that a kernel of OpenBLAS for this architecture works with, in bit.
[[nodiscard]] int vector_bits(std::string_view open_blas_kernel);

/// Adds to the section "program" which kernel the BLAS uses, and warns of one that is narrower than the
/// processor's vectors. processor_bits: 0 where they are not known.
void judge_blas_kernel(const BlasIdentity& blas, int processor_bits, std::vector<Finding>& findings);

}  // namespace steelyard::machine
