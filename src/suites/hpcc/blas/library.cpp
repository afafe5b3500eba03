// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/blas/library.hpp"

#include <dlfcn.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "machine/text.hpp"
#include "suites/hpcc/blas/blas.hpp"

namespace steelyard::hpcc {
namespace {

// Codes of the C interface of the BLAS.
constexpr int column_major = 102, not_transposed = 111;

/// A library's own calls must find its own functions, not those of the linked BLAS; sanitizers, which put
/// theirs before all others, do not allow it.
constexpr int mode() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(RTLD_DEEPBIND)
  return RTLD_NOW | RTLD_LOCAL;
#else
  return RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND;
#endif
}

template <class Function>
Function* find(void* handle, const char* name) {
  return reinterpret_cast<Function*>(::dlsym(handle, name));
}

/// Variables of the environment as long as it lives.
class Environment {
 public:
  explicit Environment(const Variables& variables) {
    for (const auto& [name, value] : variables) {
      const char* before = std::getenv(name.c_str());
      before_.emplace_back(name, before == nullptr ? std::nullopt : std::optional<std::string>(before));
      put(name, value);
    }
  }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment() {
    for (auto one = before_.rbegin(); one != before_.rend(); ++one) put(one->first, one->second);
  }

 private:
  static void put(const std::string& name, const std::optional<std::string>& value) {
    if (value)
      ::setenv(name.c_str(), value->c_str(), 1);
    else
      ::unsetenv(name.c_str());
  }
  Variables before_;
};

/// What the loader says of its last failure.
std::string loader_fault() {
  const char* text = ::dlerror();
  return text == nullptr ? "cannot be loaded" : text;
}

/// MKL is a family of files that find one another by their place, and looks at its variables when it is first
/// called: it can be told as long as nobody has called it.
bool is_told_by_first_call(const BlasCandidate& candidate) {
  return candidate.make == "MKL";
}

}  // namespace

BlasLibrary BlasLibrary::linked() {
  BlasLibrary library;
  if (auto identity = machine::identify_blas()) {
    library.identity_ = std::move(*identity);
    return library;
  }
  // Linked statically: its functions are not found by name.
  library.identity_.file = "the linked BLAS";
  library.identity_.kernel = blas::kernel();
  library.identity_.config = blas::library();
  if (const auto words = machine::words(library.identity_.config); words.size() > 1) {
    library.identity_.name = words[0];
    library.identity_.version = words[1];
  }
  return library;
}

std::optional<BlasLibrary> BlasLibrary::of(void* handle, std::shared_ptr<const FileCopy> copy) {
  BlasLibrary library;
  // The loader knows a copy by its path, which must not become another one's meanwhile.
  library.handle_ = std::shared_ptr<void>(
      handle, [copy = std::move(copy)](void* opened) { static_cast<void>(::dlclose(opened)); });
  library.dgemm_ = find<Dgemm>(handle, "cblas_dgemm");
  auto identity = machine::identify_blas(handle);
  if (library.dgemm_ == nullptr || !identity) return std::nullopt;
  library.identity_ = std::move(*identity);
  return library;
}

std::optional<BlasLibrary> BlasLibrary::open(const std::string& file) {
  void* handle = ::dlopen(file.c_str(), mode());
  return handle == nullptr ? std::nullopt : of(handle);
}

BlasLibrary BlasLibrary::load(const BlasCandidate& candidate, const std::string& kernel, int threads,
                              CopySource copy) {
  if (candidate.as_linked()) return linked();
  const Environment environment(variables_of(candidate, threads));
  std::string path = candidate.file;
  if (needs_copy(candidate)) {
    if (copy.path.empty() && !copy.own) copy.own = std::make_shared<FileCopy>(candidate.file);
    path = copy.path.empty() ? copy.own->path() : copy.path;
  }
  void* handle = ::dlopen(path.c_str(), mode());
  if (handle == nullptr) throw std::runtime_error(loader_fault());
  auto library = of(handle, std::move(copy.own));
  if (!library) throw std::runtime_error("it lacks cblas_dgemm");
  library->work_once();
  library->identity_ = machine::identify_blas(handle).value_or(library->identity_);
  library->identity_.file = std::filesystem::path(candidate.file).filename().string();
  const auto& taken = library->identity_.kernel;
  if (!kernel.empty() && machine::lower(taken) != machine::lower(kernel))
    throw std::runtime_error("it takes its kernel " + taken + " instead of " + kernel);
  return std::move(*library);
}

/// Some libraries look at their variables at the first call only.
void BlasLibrary::work_once() const {
  constexpr std::array<double, 4> a{1, 0, 0, 1};
  std::array<double, 4> c{};
  multiply(2, 1, a.data(), a.data(), 0, c.data());
}

void BlasLibrary::multiply(std::int64_t n, double alpha, const double* a, const double* b, double beta,
                           double* c) const noexcept {
  if (dgemm_ == nullptr) return blas::multiply(n, alpha, a, b, beta, c);
  const auto order = static_cast<int>(n);
  dgemm_(column_major, not_transposed, not_transposed, order, order, order, alpha, a, order, b, order, beta,
         c, order);
}

void BlasLibrary::set_threads(int threads) const noexcept {
  if (dgemm_ == nullptr) return blas::set_threads(threads);
  void* handle = handle_.get();
  for (const char* name : {"openblas_set_num_threads", "MKL_Set_Num_Threads"})
    if (const auto set = find<void(int)>(handle, name)) return set(threads);
  if (const auto set = find<void(std::int64_t)>(handle, "bli_thread_set_num_threads")) set(threads);
}

void* BlasLibrary::function(const char* name) const noexcept {
  return ::dlsym(handle_.get(), name);
}

std::string BlasLibrary::name() const {
  if (identity_.name.empty()) return identity_.file;
  return identity_.version.empty() ? identity_.name : identity_.name + " " + identity_.version;
}

bool needs_copy(const BlasCandidate& candidate) {
  void* handle = ::dlopen(candidate.file.c_str(), RTLD_NOLOAD | RTLD_LAZY);
  if (handle != nullptr) ::dlclose(handle);
  return handle != nullptr && !is_told_by_first_call(candidate);
}

}  // namespace steelyard::hpcc
