// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "machine/blas.hpp"
#include "tree.hpp"

namespace {

using namespace steelyard::machine;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

std::vector<std::string> names(std::string_view make, const VectorUnits& units) {
  std::vector<std::string> all;
  for (const auto& kernel : executable_kernels(make, units)) all.emplace_back(kernel.name);
  return all;
}

VectorUnits of(std::string_view flags, int sve_bits = 0) {
  std::vector<std::string> all;
  for (std::size_t at = 0; at < flags.size();) {
    const auto end = std::min(flags.find(' ', at), flags.size());
    all.emplace_back(flags.substr(at, end - at));
    at = end + 1;
  }
  return vector_units(std::move(all), sve_bits);
}

constexpr auto old_x86 = "sse2 pni", haswell = "sse2 pni ssse3 sse4_1 sse4_2 avx avx2 fma";
const std::string skylake = std::string(haswell) + " avx512f avx512dq avx512bw avx512vl avx512cd";
const std::string zen4 = skylake + " avx512_vnni avx512_bf16 sse4a";
const std::string sapphire = skylake + " avx512_vnni avx512_bf16 amx_tile amx_bf16";

TEST(vector_units, are_as_wide_as_the_processor_says) {
  EXPECT_EQ(of(old_x86).bits, 128);
  EXPECT_FALSE(of(old_x86).fused);
  EXPECT_EQ(of("sse2 avx").bits, 256);
  EXPECT_FALSE(of("sse2 avx").fused);
  EXPECT_EQ(of(haswell).bits, 256);
  EXPECT_TRUE(of(haswell).fused);
  EXPECT_EQ(of(skylake).bits, 512);
  EXPECT_EQ(of("fp asimd").bits, 128);
  EXPECT_EQ(of("fp asimd sve", 256).bits, 256);
  EXPECT_EQ(of("fp asimd sve", 0).bits, 128) << "a length that nobody tells";
  EXPECT_EQ(of("power8 power9").bits, 128);
  EXPECT_EQ(of("esan3 zarch vx vxd").bits, 128);
  EXPECT_EQ(of("").bits, 0);
}

TEST(blas_kernels, are_those_that_the_processor_executes_from_the_widest) {
  EXPECT_THAT(names("OpenBLAS", of(old_x86)), ElementsAre("Prescott"));
  EXPECT_EQ(names("OpenBLAS", of(haswell)).front(), "Haswell");
  EXPECT_THAT(names("OpenBLAS", of(haswell)), Not(Contains("SkylakeX")));
  EXPECT_EQ(names("OpenBLAS", of(skylake)).front(), "SkylakeX");
  EXPECT_THAT(names("OpenBLAS", of(skylake)), Not(Contains("Cooperlake")));
  EXPECT_THAT(names("OpenBLAS", of(zen4)), Contains("Cooperlake"));
  EXPECT_THAT(names("OpenBLAS", of(zen4)), Not(Contains("SapphireRapids"))) << "has no matrix tiles";
  EXPECT_THAT(names("OpenBLAS", of(sapphire)), Contains("SapphireRapids"));
  EXPECT_THAT(names("OpenBLAS", of(zen4)), Not(Contains("Bulldozer"))) << "four operands are gone";
  EXPECT_THAT(names("OpenBLAS", of("fp asimd")), Not(Contains("armv8sve")));
  EXPECT_EQ(names("OpenBLAS", of("fp asimd sve bf16", 256)).front(), "neoversev1");
  EXPECT_THAT(names("OpenBLAS", of("power8 power9")), ElementsAre("POWER9", "POWER8"));
  EXPECT_THAT(names("OpenBLAS", of("zarch vx")), ElementsAre("Z13", "ZARCH_GENERIC"));
  EXPECT_EQ(names("BLIS", of(skylake)).front(), "skx");
  EXPECT_EQ(names("BLIS", of("avx512f avx512er avx avx2 fma")).front(), "knl");
  EXPECT_EQ(names("MKL", of(haswell)).front(), "AVX2");
  EXPECT_THAT(names("ATLAS", of(skylake)), IsEmpty());
  EXPECT_THAT(names("OpenBLAS", of("")), IsEmpty()) << "nothing is known of the processor";
}

TEST(blas_kernels, fall_short_where_they_are_narrower_or_have_no_multiply_adds) {
  const auto falls = [](std::string_view kernel, const VectorUnits& units) {
    return falls_short(*find_blas_kernel("OpenBLAS", kernel), units);
  };
  EXPECT_TRUE(falls("Prescott", of(haswell)));
  EXPECT_TRUE(falls("Sandybridge", of(haswell)));
  EXPECT_FALSE(falls("Sandybridge", of("avx sse2")));
  EXPECT_FALSE(falls("Zen", of(haswell)));
  EXPECT_TRUE(falls("Zen", of(zen4)));
  EXPECT_FALSE(falls("Cooperlake", of(zen4)));
  EXPECT_TRUE(falls("NEOVERSEN1", of("asimd sve", 256)));
  EXPECT_FALSE(falls("neoversen1", of("asimd sve", 128)));
  EXPECT_FALSE(falls("armv8sve", of("asimd sve", 512)));
  EXPECT_EQ(text(*find_blas_kernel("OpenBLAS", "Sandybridge"), of(haswell)),
            "vectors of 256 bit without multiply-adds");
  EXPECT_EQ(find_blas_kernel("OpenBLAS", "Unheard"), nullptr);
}

TEST(blas_kernels, of_a_machine_follow_from_its_files) {
  const auto units_of = [](const std::string& cpuinfo, const std::string& more = "") {
    const Tree tree("@ /proc/cpuinfo\n" + cpuinfo + "\n" + more);
    Source source(tree.roots());
    return vector_units(source);
  };
  EXPECT_EQ(units_of("flags\t\t: fpu sse2 avx avx2 fma").bits, 256);
  EXPECT_EQ(units_of("cpu\t\t: POWER9, altivec supported").flags,
            (std::vector<std::string>{"power8", "power9"}));
  EXPECT_EQ(units_of("features\t: esan3 zarch vx vxe").bits, 128);
  EXPECT_EQ(units_of("Features\t: fp asimd sve", "@ /proc/sys/abi/sve_default_vector_length\n64\n").bits,
            512);
}

TEST(blas_kernels, are_forced_by_variables_of_their_library) {
  EXPECT_EQ(kernel_variables("OpenBLAS").front(), "OPENBLAS_CORETYPE");
  EXPECT_EQ(kernel_variables("BLIS").front(), "BLIS_ARCH_TYPE");
  EXPECT_EQ(kernel_variables("MKL").front(), "MKL_ENABLE_INSTRUCTIONS");
  EXPECT_THAT(kernel_variables("ATLAS"), IsEmpty());
}

}  // namespace
