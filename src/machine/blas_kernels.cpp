// SPDX-License-Identifier: Apache-2.0
#include "machine/blas_kernels.hpp"

#include <sys/prctl.h>

#include <algorithm>
#include <array>
#include <utility>

#include "machine/processors.hpp"
#include "machine/text.hpp"

namespace steelyard::machine {
namespace {

constexpr std::string_view open_blas = "OpenBLAS", blis = "BLIS", mkl = "MKL";
constexpr std::string_view skylake = "avx512f avx512dq avx512bw avx512vl avx512cd";
constexpr std::string_view cooper_lake = "avx512f avx512dq avx512bw avx512vl avx512cd avx512_bf16";
constexpr std::string_view sapphire_rapids =
    "avx512f avx512dq avx512bw avx512vl avx512cd avx512_bf16 amx_tile amx_bf16";
constexpr int scalable = BlasKernel::scalable;

// Of kernels that are equal by this table the one comes first that a library of any age has.
constexpr auto kernels = std::to_array<BlasKernel>({
    {open_blas, "SkylakeX", skylake, 512, true},
    {open_blas, "Cooperlake", cooper_lake, 512, true},
    {open_blas, "SapphireRapids", sapphire_rapids, 512, true},
    {open_blas, "Haswell", "avx2 fma", 256, true},
    {open_blas, "Zen", "avx2 fma", 256, true},
    {open_blas, "Excavator", "avx2 fma fma4", 256, true},
    {open_blas, "Steamroller", "avx fma fma4", 256, true},
    {open_blas, "Piledriver", "avx fma fma4", 256, true},
    {open_blas, "Bulldozer", "avx fma4", 256, true},
    {open_blas, "Sandybridge", "avx", 256, false},
    {open_blas, "Nehalem", "sse4_2", 128, false},
    {open_blas, "Penryn", "sse4_1", 128, false},
    {open_blas, "Dunnington", "sse4_1", 128, false},
    {open_blas, "Core2", "ssse3", 128, false},
    {open_blas, "Atom", "ssse3", 128, false},
    {open_blas, "Nano", "ssse3", 128, false},
    {open_blas, "Barcelona", "sse4a", 128, false},
    {open_blas, "Bobcat", "sse4a ssse3", 128, false},
    {open_blas, "Opteron_SSE3", "pni 3dnow", 128, false},
    {open_blas, "Opteron", "3dnow", 128, false},
    {open_blas, "Athlon", "3dnow", 128, false},
    {open_blas, "Prescott", "pni", 128, false},

    {open_blas, "neoversev1", "sve bf16", scalable, true},
    {open_blas, "armv8sve", "sve", scalable, true},
    {open_blas, "neoversen2", "sve sve2 bf16", scalable, true},
    {open_blas, "neoversev2", "sve sve2 bf16", scalable, true},
    {open_blas, "a64fx", "sve", scalable, true},
    {open_blas, "neoversen1", "asimd", 128, true},
    {open_blas, "armv8", "asimd", 128, true},
    {open_blas, "cortexa57", "asimd", 128, true},
    {open_blas, "cortexa72", "asimd", 128, true},
    {open_blas, "cortexa73", "asimd", 128, true},
    {open_blas, "cortexa53", "asimd", 128, true},
    {open_blas, "cortexa55", "asimd", 128, true},
    {open_blas, "thunderx2t99", "asimd", 128, true},
    {open_blas, "thunderx3t110", "asimd", 128, true},
    {open_blas, "thunderx", "asimd", 128, true},
    {open_blas, "tsv110", "asimd", 128, true},
    {open_blas, "emag8180", "asimd", 128, true},
    {open_blas, "falkor", "asimd", 128, true},

    {open_blas, "POWER10", "power10", 128, true},
    {open_blas, "POWER9", "power9", 128, true},
    {open_blas, "POWER8", "power8", 128, true},

    {open_blas, "Z14", "vxe", 128, true},
    {open_blas, "Z13", "vx", 128, true},
    {open_blas, "ZARCH_GENERIC", "zarch", 64, false},

    {blis, "skx", skylake, 512, true},
    {blis, "zen5", "avx512f avx512dq avx512bw avx512vl avx512_vnni avx512_vp2intersect", 512, true},
    {blis, "zen4", "avx512f avx512dq avx512bw avx512vl avx512_vnni avx512_bf16", 512, true},
    {blis, "knl", "avx512f avx512er", 512, true},
    {blis, "haswell", "avx2 fma", 256, true},
    {blis, "zen3", "avx2 fma", 256, true},
    {blis, "zen2", "avx2 fma", 256, true},
    {blis, "zen", "avx2 fma", 256, true},
    {blis, "excavator", "avx fma fma4", 256, true},
    {blis, "steamroller", "avx fma fma4", 256, true},
    {blis, "piledriver", "avx fma fma4", 256, true},
    {blis, "bulldozer", "avx fma4", 256, true},
    {blis, "sandybridge", "avx", 256, false},
    {blis, "penryn", "ssse3", 128, false},
    {blis, "armsve", "sve", scalable, true},
    {blis, "a64fx", "sve", scalable, true},
    {blis, "firestorm", "asimd", 128, true},
    {blis, "thunderx2", "asimd", 128, true},
    {blis, "altra", "asimd", 128, true},
    {blis, "altramax", "asimd", 128, true},
    {blis, "cortexa57", "asimd", 128, true},
    {blis, "cortexa53", "asimd", 128, true},
    {blis, "power10", "power10", 128, true},
    {blis, "power9", "power9", 128, true},
    {blis, "generic", "", 64, false},

    {mkl, "AVX512", skylake, 512, true},
    {mkl, "AVX2", "avx2 fma", 256, true},
    {mkl, "AVX", "avx", 256, false},
    {mkl, "SSE4_2", "sse4_2", 128, false},
});

struct Variables {
  std::string_view make;
  std::array<std::string_view, 3> names;
  std::size_t count;
};
constexpr auto variables = std::to_array<Variables>({
    {open_blas, {"OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "OPENBLAS_BLOCK_FACTOR"}, 3},
    {blis, {"BLIS_ARCH_TYPE", "BLIS_MODEL_TYPE"}, 2},
    {mkl, {"MKL_ENABLE_INSTRUCTIONS", "MKL_DEBUG_CPU_TYPE", "MKL_CBWR"}, 3},
});

bool has(const std::vector<std::string>& flags, std::string_view flag) {
  return std::ranges::find(flags, flag) != flags.end();
}

bool has_any(const std::vector<std::string>& flags, std::initializer_list<std::string_view> wanted) {
  return std::ranges::any_of(wanted, [&](auto flag) { return has(flags, flag); });
}

/// Bits of a scalable vector, as this process uses them or as a recorded machine gives them to a new one.
int scalable_bits(Source& source) {
#ifdef PR_SVE_GET_VL
  if (source.live()) {
    const int found = ::prctl(PR_SVE_GET_VL);
    if (found > 0) return 8 * (found & PR_SVE_VL_LEN_MASK);
  }
#endif
  return 8 * static_cast<int>(source.peek_number("/proc/sys/abi/sve_default_vector_length").value_or(0));
}

}  // namespace

VectorUnits vector_units(std::vector<std::string> flags, int sve_bits) {
  VectorUnits units{std::move(flags)};
  const auto& all = units.flags;
  if (has(all, "avx512f"))
    units.bits = 512;
  else if (has(all, "avx"))
    units.bits = 256;
  else if (has_any(all, {"sse2", "asimd", "power8", "vx"}))
    units.bits = 128;
  if (has(all, "sve")) units.bits = std::max(units.bits, sve_bits);
  units.fused = has_any(all, {"fma", "fma4", "avx512f", "asimd", "power8", "vx"});
  return units;
}

VectorUnits vector_units(Source& source) {
  return vector_units(processor_flags(source), scalable_bits(source));
}

std::vector<BlasKernel> known_kernels(std::string_view make) {
  std::vector<BlasKernel> found;
  std::ranges::copy_if(kernels, std::back_inserter(found),
                       [&](const BlasKernel& kernel) { return kernel.make == make; });
  return found;
}

const BlasKernel* find_blas_kernel(std::string_view make, std::string_view name) {
  const auto found = std::ranges::find_if(kernels, [&](const BlasKernel& kernel) {
    return kernel.make == make && lower(kernel.name) == lower(name);
  });
  return found == kernels.end() ? nullptr : &*found;
}

bool can_execute(const VectorUnits& units, const BlasKernel& kernel) {
  return std::ranges::all_of(words(kernel.needs), [&](auto flag) { return has(units.flags, flag); });
}

int bits_of(const BlasKernel& kernel, const VectorUnits& units) {
  return kernel.bits == scalable ? units.bits : kernel.bits;
}

std::vector<BlasKernel> executable_kernels(std::string_view make, const VectorUnits& units) {
  auto found = known_kernels(make);
  std::erase_if(found,
                [&](const BlasKernel& kernel) { return units.flags.empty() || !can_execute(units, kernel); });
  std::ranges::stable_sort(found, std::greater(), [&](const BlasKernel& kernel) {
    return std::pair(bits_of(kernel, units), kernel.fused);
  });
  return found;
}

bool falls_short(const BlasKernel& kernel, const VectorUnits& units) {
  return bits_of(kernel, units) < units.bits || (units.fused && !kernel.fused);
}

std::string text(const BlasKernel& kernel, const VectorUnits& units) {
  const int bits = bits_of(kernel, units);
  const std::string vectors = bits > 64 ? "vectors of " + std::to_string(bits) + " bit" : "single numbers";
  return vectors + (units.fused && !kernel.fused ? " without multiply-adds" : "");
}

std::span<const std::string_view> kernel_variables(std::string_view make) {
  const auto found = std::ranges::find(variables, make, &Variables::make);
  if (found == variables.end()) return {};
  return std::span(found->names).first(found->count);
}

}  // namespace steelyard::machine
