// SPDX-License-Identifier: Apache-2.0
#include "machine/blas.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include "machine/privacy.hpp"
#include "machine/words.hpp"

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

std::string file_of(const void* symbol) {
  Dl_info info{};
  const bool found = ::dladdr(symbol, &info) != 0 && info.dli_fname != nullptr;
  return found ? valid_utf8(std::filesystem::path(info.dli_fname).filename().string()) : std::string();
}

BlasIdentity open_blas(const Symbols& symbols) {
  BlasIdentity blas{.name = "OpenBLAS", .kernel = symbols.text_of("openblas_get_corename")};
  blas.config = symbols.text_of("openblas_get_config");
  if (const auto parts = words(blas.config); parts.size() > 1) blas.version = parts[1];
  blas.threads = symbols.number_of("openblas_get_num_threads");
  return blas;
}

BlasIdentity blis(const Symbols& symbols) {
  BlasIdentity blas{.name = "BLIS", .version = symbols.text_of("bli_info_get_version_str")};
  const auto name = symbols.find<const char*(int)>("bli_arch_string");
  const auto query = symbols.find<int()>("bli_arch_query_id");
  const char* kernel = query != nullptr && name != nullptr ? name(query()) : nullptr;
  if (kernel != nullptr) blas.kernel = kernel;
  blas.threads = symbols.number_of("bli_thread_get_num_threads");
  return blas;
}

BlasIdentity of_make(const Symbols& symbols) {
  if (symbols.find<void>("openblas_get_corename") != nullptr) return open_blas(symbols);
  if (symbols.find<void>("bli_arch_query_id") != nullptr) return blis(symbols);
  if (symbols.find<void>("mkl_get_max_threads") != nullptr) return {.name = "MKL"};
  if (symbols.find<void>("ATL_dgemm") != nullptr) return {.name = "ATLAS"};
  return {};
}

BlasAdvice forced(const BlasIdentity& blas) {
  if (std::getenv("OPENBLAS_CORETYPE") != nullptr)
    return {"OPENBLAS_CORETYPE forces OpenBLAS to its kernel " + blas.kernel +
                ", which may be narrower than what the processor offers.",
            "unset OPENBLAS_CORETYPE"};
  if (std::getenv("OPENBLAS_L2_SIZE") != nullptr)
    return {"OPENBLAS_L2_SIZE makes OpenBLAS block its kernel " + blas.kernel +
                " for a cache that may not be the processor's.",
            "unset OPENBLAS_L2_SIZE"};
  return {};
}

BlasAdvice generic(const BlasIdentity& blas) {
  if (blas.kernel != "generic") return {};
  if (const char* type = std::getenv("BLIS_ARCH_TYPE"))
    return {"BLIS_ARCH_TYPE=" + std::string(type) + " makes BLIS use its generic kernel.",
            "set BLIS_ARCH_TYPE=0, whose kernel is for vectors of 512 bit, or unset it"};
  return {"BLIS " + blas.version +
              " does not know this processor and uses its generic kernel, several times slower.",
          "set BLIS_ARCH_TYPE=0 where the processor has vectors of 512 bit, or use a newer BLIS"};
}

}  // namespace

std::optional<BlasIdentity> identify_blas(void* library) {
  const Symbols symbols(library);
  const auto* multiply = symbols.find<void>("cblas_dgemm");
  if (multiply == nullptr) return std::nullopt;
  auto blas = of_make(symbols);
  blas.file = file_of(multiply);
  return blas;
}

BlasAdvice advise_on_blas(const BlasIdentity& blas) {
  if (blas.name == "OpenBLAS") return forced(blas);
  return blas.name == "BLIS" ? generic(blas) : BlasAdvice{};
}

int vector_bits(std::string_view kernel) {
  constexpr std::array<std::string_view, 3> wide{"SkylakeX", "Cooperlake", "SapphireRapids"};
  constexpr std::array<std::string_view, 7> middle{"Haswell",    "Zen",       "Excavator",  "Steamroller",
                                                   "Piledriver", "Bulldozer", "Sandybridge"};
  if (std::ranges::find(wide, kernel) != wide.end()) return 512;
  return std::ranges::find(middle, kernel) != middle.end() ? 256 : 128;
}

void judge_blas_kernel(const BlasIdentity& blas, int processor_bits, std::vector<Finding>& findings) {
  if (blas.name.empty()) return;
  const bool narrow = blas.name != "OpenBLAS" || vector_bits(blas.kernel) < processor_bits;
  if (const auto advice = advise_on_blas(blas); narrow && !advice.text.empty()) {
    // Said with the kernel, it needs not be said without.
    std::erase_if(findings, [&](const Finding& finding) { return finding.cure.starts_with(advice.cure); });
    findings.push_back({Level::warning, "program", "blas_environment", advice.text, advice.cure});
    return;
  }
  const std::string kernel = blas.kernel.empty() ? "" : ", kernel " + blas.kernel;
  findings.push_back({Level::ok, "program", "", blas.name + " " + blas.version + kernel + ".", ""});
}

}  // namespace steelyard::machine
