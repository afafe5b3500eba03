// SPDX-License-Identifier: Apache-2.0
#include "machine/blas.hpp"

#include <dlfcn.h>
#include <sys/prctl.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "machine/privacy.hpp"
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

// Among kernels that are equal by this table, the one that the oldest releases have comes first.
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

/// Functions of one library, or of all loaded ones.
class Symbols {
 public:
  explicit Symbols(void* library) : library_(library != nullptr ? library : RTLD_DEFAULT) {}

  template <class T>
  [[nodiscard]] T* find(const char* name) const {
    return reinterpret_cast<T*>(::dlsym(library_, name));
  }
  [[nodiscard]] std::string text_of(const char* function) const {
    const auto call = find<const char*()>(function);
    const char* text = call == nullptr ? nullptr : call();
    return text == nullptr ? "" : text;
  }
  [[nodiscard]] std::optional<int> number_of(const char* function) const {
    const auto call = find<int()>(function);
    return call == nullptr ? std::nullopt : std::optional(call());
  }

 private:
  void* library_;
};

/// File that defines the function; empty if it is not known.
std::filesystem::path file_of(const void* function) {
  Dl_info info{};
  const bool found = function != nullptr && ::dladdr(function, &info) != 0 && info.dli_fname != nullptr;
  return found ? info.dli_fname : "";
}

std::vector<BlasKernel> known_kernels(std::string_view make) {
  std::vector<BlasKernel> found;
  std::ranges::copy_if(kernels, std::back_inserter(found),
                       [&](const BlasKernel& kernel) { return kernel.make == make; });
  return found;
}

/// Kernels of the build configuration, and of those the ones whose tables it exports, if it exports any.
std::vector<std::string> open_blas_kernels(const Symbols& symbols, const std::string& config) {
  if (config.find("DYNAMIC_ARCH") == config.npos) return {};
  std::vector<std::string> all, exported;
  for (const auto& kernel : known_kernels("OpenBLAS")) {
    const auto table = "gotoblas_" + upper(kernel.name);
    all.emplace_back(kernel.name);
    if (symbols.find<void>(table.c_str()) != nullptr) exported.emplace_back(kernel.name);
  }
  return exported.empty() ? all : exported;
}

/// Names by the numbers that BLIS_ARCH_TYPE takes; the last one is the generic kernel's.
std::vector<std::string> blis_kernels(const char* (*name)(int)) {
  constexpr int more_than_any = 64;
  std::vector<std::string> all;
  for (int number = 0; name != nullptr && number < more_than_any; ++number) {
    const char* kernel = name(number);
    if (kernel == nullptr) break;
    all.emplace_back(kernel);
    if (all.back() == "generic") return all;
  }
  return {};
}

BlasIdentity ask_open_blas(const Symbols& symbols) {
  BlasIdentity blas{.name = "OpenBLAS", .kernel = symbols.text_of("openblas_get_corename")};
  blas.config = symbols.text_of("openblas_get_config");
  if (const auto parts = words(blas.config); parts.size() > 1) blas.version = parts[1];
  blas.kernels = open_blas_kernels(symbols, blas.config);
  blas.threads = symbols.number_of("openblas_get_num_threads");
  return blas;
}

BlasIdentity ask_blis(const Symbols& symbols) {
  BlasIdentity blas{.name = "BLIS", .version = symbols.text_of("bli_info_get_version_str")};
  // Asked for its kernel before it is ready, it ends the process if BLIS_ARCH_TYPE is set.
  if (const auto get_ready = symbols.find<void()>("bli_init")) get_ready();
  const auto name = symbols.find<const char*(int)>("bli_arch_string");
  const auto query = symbols.find<int()>("bli_arch_query_id");
  const char* kernel = query != nullptr && name != nullptr ? name(query()) : nullptr;
  if (kernel != nullptr) blas.kernel = kernel;
  blas.kernels = blis_kernels(name);
  blas.threads = symbols.number_of("bli_thread_get_num_threads");
  return blas;
}

/// Structure that MKL_Get_Version fills.
struct MklVersion {
  int major, minor, update;
  const char *status, *build, *processor, *platform;
};

/// Kernel in a text like "Intel(R) Advanced Vector Extensions 512 (Intel(R) AVX-512) enabled processors".
std::string mkl_kernel(std::string_view processor) {
  struct Word {
    std::string_view in_text, kernel;
  };
  constexpr std::array known{Word{"AVX-512", "AVX512"}, Word{"AVX2", "AVX2"}, Word{"AVX", "AVX"},
                             Word{"SSE4.2", "SSE4_2"}};
  for (const auto& word : known)
    if (processor.find(word.in_text) != processor.npos) return std::string(word.kernel);
  return std::string(processor);
}

BlasIdentity ask_mkl(const Symbols& symbols) {
  BlasIdentity blas{.name = "MKL"};
  for (const auto& kernel : known_kernels("MKL")) blas.kernels.emplace_back(kernel.name);
  blas.threads = symbols.number_of("mkl_get_max_threads");
  const auto tell = symbols.find<void(MklVersion*)>("mkl_get_version");
  if (tell == nullptr) return blas;
  MklVersion version{};
  tell(&version);
  blas.version = std::to_string(version.major) + "." + std::to_string(version.minor) + "." +
                 std::to_string(version.update);
  if (version.processor != nullptr) blas.kernel = mkl_kernel(version.processor);
  return blas;
}

/// Function whose library holds the kernels.
const void* among_kernels(const Symbols& symbols) {
  for (const char* name : {"openblas_get_corename", "bli_arch_query_id", "mkl_get_max_threads"})
    if (const void* function = symbols.find<void>(name)) return function;
  return symbols.find<void>("cblas_dgemm");
}

BlasIdentity of_make(const Symbols& symbols) {
  if (symbols.find<void>("openblas_get_corename") != nullptr) return ask_open_blas(symbols);
  if (symbols.find<void>("bli_arch_query_id") != nullptr) return ask_blis(symbols);
  if (symbols.find<void>("mkl_get_max_threads") != nullptr) return ask_mkl(symbols);
  if (symbols.find<void>("ATL_dgemm") != nullptr) return {.name = "ATLAS"};
  return {};
}

/// Library's variable that forces a kernel; empty unless the environment has it.
std::string_view forcing_variable(const BlasIdentity& blas) {
  const auto variables = kernel_variables(blas.name);
  const bool forced = !variables.empty() && std::getenv(std::string(variables.front()).c_str()) != nullptr;
  return forced ? variables.front() : std::string_view();
}

/// Widest kernel that library and processor have in common; nullptr if the library cannot be forced.
const BlasKernel* widest_kernel(const BlasIdentity& blas, const VectorUnits& units) {
  for (const auto& kernel : executable_kernels(blas.name, units))
    if (!word_of_kernel(blas, kernel.name).empty()) return find_blas_kernel(blas.name, kernel.name);
  return nullptr;
}

std::string cure_of(const BlasIdentity& blas, const BlasKernel& kernel, const VectorUnits& units) {
  const auto* widest = widest_kernel(blas, units);
  const auto worth = [&](const BlasKernel& one) { return std::pair(bits_of(one, units), one.fused); };
  if (widest == nullptr || worth(*widest) <= worth(kernel))
    return "another build of " + blas.name +
           " with kernels for this processor, or another library: run "
           "--blas FILE";
  return "export " + std::string(kernel_variables(blas.name).front()) + "=" +
         word_of_kernel(blas, widest->name);
}

/// Reason why a kernel cannot be judged; empty if it can.
std::string unknown_about(const BlasIdentity& blas, const VectorUnits& units) {
  if (blas.kernel.empty()) return "the library does not tell its kernel";
  if (find_blas_kernel(blas.name, blas.kernel) == nullptr) return "how wide this kernel works is not known";
  return units.bits == 0 ? "the processor's vectors are not known" : "";
}

bool can_execute(const VectorUnits& units, const BlasKernel& kernel) {
  return std::ranges::all_of(words(kernel.needs), [&](auto flag) { return has(units.flags, flag); });
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

const BlasKernel* find_blas_kernel(std::string_view make, std::string_view name) {
  const auto found = std::ranges::find_if(kernels, [&](const BlasKernel& kernel) {
    return kernel.make == make && lower(kernel.name) == lower(name);
  });
  return found == kernels.end() ? nullptr : &*found;
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

std::optional<BlasIdentity> identify_blas(void* library) {
  const Symbols symbols(library);
  const auto* multiply = symbols.find<void>("cblas_dgemm");
  if (multiply == nullptr) return std::nullopt;
  auto blas = of_make(symbols);
  blas.file = valid_utf8(file_of(multiply).filename().string());
  std::error_code unknown;
  const auto path = std::filesystem::canonical(file_of(among_kernels(symbols)), unknown);
  if (!unknown) blas.path = path.string();
  return blas;
}

std::string described(const BlasIdentity& blas) {
  if (blas.name.empty()) return blas.file;
  return blas.name + (blas.version.empty() ? "" : " " + blas.version) +
         (blas.kernel.empty() ? "" : ", kernel " + blas.kernel);
}

std::string word_of_kernel(const BlasIdentity& blas, std::string_view kernel) {
  const auto same = [&](const std::string& name) { return lower(name) == lower(kernel); };
  const auto found = std::ranges::find_if(blas.kernels, same);
  if (found == blas.kernels.end()) return "";
  return blas.name == "BLIS" ? std::to_string(found - blas.kernels.begin()) : *found;
}

BlasAdvice advise_on_blas(const BlasIdentity& blas, const VectorUnits& units) {
  const auto* kernel = find_blas_kernel(blas.name, blas.kernel);
  if (kernel == nullptr || !falls_short(*kernel, units)) return {};
  const auto variable = forcing_variable(blas);
  const std::string because = variable.empty() ? "" : ", to which " + std::string(variable) + " forces it";
  return {blas.name + " " + blas.version + " computes with its kernel " + blas.kernel + because + ", for " +
              text(*kernel, units) + "; this processor has " + std::to_string(units.bits) + " bit" +
              (units.fused && !kernel->fused ? " with multiply-adds." : "."),
          cure_of(blas, *kernel, units)};
}

void judge_blas_kernel(const BlasIdentity& blas, const VectorUnits& units, std::vector<Finding>& findings) {
  if (blas.name.empty()) return;
  if (const auto advice = advise_on_blas(blas, units); !advice.text.empty()) {
    // The advice on the kernel replaces the one on the variable alone.
    const auto variable = std::string(forcing_variable(blas));
    std::erase_if(findings, [&](const Finding& finding) {
      return !variable.empty() && finding.code == "blas_environment" && finding.text.starts_with(variable);
    });
    findings.push_back({Level::warning, "program", "blas_environment", advice.text, advice.cure});
    return;
  }
  if (const auto unknown = unknown_about(blas, units); !unknown.empty()) {
    const std::string text =
        described(blas) + ": " + unknown + "; the share of the peak that DGEMM reaches will tell.";
    findings.push_back({Level::note, "program", "", text, ""});
    return;
  }
  findings.push_back({Level::ok, "program", "", described(blas) + ".", ""});
}

}  // namespace steelyard::machine
