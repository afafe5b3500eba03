// SPDX-License-Identifier: Apache-2.0
#include "machine/blas.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "machine/blas_kernels.hpp"
#include "machine/privacy.hpp"
#include "machine/text.hpp"

namespace steelyard::machine {
namespace {

/// Functions of one library, or of all that are loaded.
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

/// The file that defines the function; empty if it is not known.
std::filesystem::path file_of(const void* function) {
  Dl_info info{};
  const bool found = function != nullptr && ::dladdr(function, &info) != 0 && info.dli_fname != nullptr;
  return found ? info.dli_fname : "";
}

/// As its build configuration says, and of those the ones whose tables it exports, if it exports any.
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

/// The names by the numbers that BLIS_ARCH_TYPE takes; the last one is the generic kernel's.
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
  // Asked for its kernel before it is ready, it ends the process where BLIS_ARCH_TYPE is set.
  if (const auto get_ready = symbols.find<void()>("bli_init")) get_ready();
  const auto name = symbols.find<const char*(int)>("bli_arch_string");
  const auto query = symbols.find<int()>("bli_arch_query_id");
  const char* kernel = query != nullptr && name != nullptr ? name(query()) : nullptr;
  if (kernel != nullptr) blas.kernel = kernel;
  blas.kernels = blis_kernels(name);
  blas.threads = symbols.number_of("bli_thread_get_num_threads");
  return blas;
}

/// What MKL_Get_Version fills.
struct MklVersion {
  int major, minor, update;
  const char *status, *build, *processor, *platform;
};

/// "Intel(R) Advanced Vector Extensions 512 (Intel(R) AVX-512) enabled processors"
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

/// The function whose library holds the kernels.
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

/// The library's variable that forces a kernel, where the environment has it.
std::string_view forcing_variable(const BlasIdentity& blas) {
  const auto variables = kernel_variables(blas.name);
  const bool forced = !variables.empty() && std::getenv(std::string(variables.front()).c_str()) != nullptr;
  return forced ? variables.front() : std::string_view();
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

/// What keeps a kernel from being judged; empty for nothing.
std::string unknown_about(const BlasIdentity& blas, const VectorUnits& units) {
  if (blas.kernel.empty()) return "the library does not tell its kernel";
  if (find_blas_kernel(blas.name, blas.kernel) == nullptr) return "how wide this kernel works is not known";
  return units.bits == 0 ? "the processor's vectors are not known" : "";
}

}  // namespace

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

const BlasKernel* widest_kernel(const BlasIdentity& blas, const VectorUnits& units) {
  for (const auto& kernel : executable_kernels(blas.name, units))
    if (!word_of_kernel(blas, kernel.name).empty()) return find_blas_kernel(blas.name, kernel.name);
  return nullptr;
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
    // Said with the kernel, it needs not be said without.
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
