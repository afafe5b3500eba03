// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#if defined(__aarch64__)
#include <sys/auxv.h>
#endif

/// Instruction sets, known here only: a loop is compiled for several of them and chosen at run time.
namespace steelyard::hpcc {

enum class Isa { baseline, avx2, avx512, sve };

/// The instruction set that a loop is compiled for, as a constant.
template <Isa isa>
using CompiledFor = std::integral_constant<Isa, isa>;

/// Calls the loop, with a CompiledFor if it takes one.
template <Isa isa, class Loop>
__attribute__((always_inline)) inline void call(const Loop& loop) noexcept {
  if constexpr (std::is_invocable_v<const Loop&, CompiledFor<isa>>)
    loop(CompiledFor<isa>());
  else
    loop();
}

#if defined(__x86_64__)

[[nodiscard]] inline Isa widest_isa() noexcept {
  const bool wide = __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
                    __builtin_cpu_supports("avx512vl") != 0;
  if (wide) return Isa::avx512;
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 ? Isa::avx2
                                                                                   : Isa::baseline;
}

#if defined(__clang__)  // which ignores all of an attribute that holds an unknown word
template <class Loop>
__attribute__((target("avx512f,avx512dq,avx512vl"))) inline void run_avx512(Loop loop) noexcept {
  call<Isa::avx512>(loop);
}
#else
template <class Loop>
__attribute__((target("avx512f,avx512dq,avx512vl,prefer-vector-width=512"))) inline void run_avx512(
    Loop loop) noexcept {
  call<Isa::avx512>(loop);
}
#endif

template <class Loop>
__attribute__((target("avx2,fma"))) inline void run_avx2(Loop loop) noexcept {
  call<Isa::avx2>(loop);
}

#else
template <class Loop>
void run_avx512(Loop) noexcept {}
template <class Loop>
void run_avx2(Loop) noexcept {}
#endif

#if defined(__aarch64__)

[[nodiscard]] inline Isa widest_isa() noexcept {
  return (getauxval(AT_HWCAP) & HWCAP_SVE) != 0 ? Isa::sve : Isa::baseline;
}

/// Runs the loop compiled for SVE, for vectors of any length.
template <class Loop>
__attribute__((target("+sve"))) inline void run_sve(Loop loop) noexcept {
  call<Isa::sve>(loop);
}

#else
template <class Loop>
void run_sve(Loop) noexcept {}
#endif

#if !defined(__x86_64__) && !defined(__aarch64__)
[[nodiscard]] inline Isa widest_isa() noexcept {
  return Isa::baseline;
}
#endif

/// Runs the loop compiled for the widest instruction set of this processor. The loop's call operator must be
/// declared __attribute__((always_inline)), as must everything in it that takes time.
template <class Loop>
void run_widest(Loop loop) noexcept {
  switch (widest_isa()) {
    case Isa::avx512: return run_avx512(loop);
    case Isa::avx2: return run_avx2(loop);
    case Isa::sve: return run_sve(loop);
    case Isa::baseline: return call<Isa::baseline>(loop);
  }
}

}  // namespace steelyard::hpcc
