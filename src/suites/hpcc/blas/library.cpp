// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/blas/library.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

#include "machine/text.hpp"
#include "suites/hpcc/blas/blas.hpp"

namespace steelyard::hpcc {
namespace {

[[noreturn]] void give_up(const std::string& what) {
  throw std::runtime_error(what + ": " + std::generic_category().message(errno));
}

/// A descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  [[nodiscard]] int get() const { return number_; }
  [[nodiscard]] int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

/// Opens a file of this process alone, from which programs may be loaded.
int nameless_file() {
  const int in_memory = memfd_create("steelyard-blas", MFD_CLOEXEC);
  if (in_memory >= 0) return in_memory;
  const char* directory = std::getenv("TMPDIR");
  std::string name = std::string(directory == nullptr ? "/tmp" : directory) + "/steelyard-blas-XXXXXX";
  const int file = mkostemp(name.data(), O_CLOEXEC);
  if (file >= 0) unlink(name.c_str());
  return file;
}

void copy(int from, int to) {
  std::array<char, 1 << 16> buffer{};
  for (ssize_t read_now = 0; (read_now = read(from, buffer.data(), buffer.size())) != 0;) {
    if (read_now < 0) give_up("cannot be read");
    for (ssize_t done = 0; done < read_now;) {
      const auto written = write(to, buffer.data() + done, static_cast<std::size_t>(read_now - done));
      if (written <= 0) give_up("cannot be copied");
      done += written;
    }
  }
}

// Codes of the C interface of the BLAS.
constexpr int column_major = 102, not_transposed = 111;

/// Mode of loading. A library's own calls must find its own functions, not those of the linked BLAS;
/// sanitizers, which put theirs before all others, do not allow it.
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

/// Variables of the environment, set as long as it lives.
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

/// The loader's message about its last failure.
std::string loader_fault() {
  const char* text = ::dlerror();
  return text == nullptr ? "cannot be loaded" : text;
}

/// Whether the library can be told by variables until its first call. MKL is a family of files that find one
/// another by their place, and looks at its variables when it is first called.
bool is_told_by_first_call(const BlasCandidate& candidate) {
  return candidate.make == "MKL";
}

}  // namespace

FileCopy::FileCopy(const std::string& file) {
  const Descriptor from(open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (from.get() < 0) give_up("cannot be read");
  Descriptor to(nameless_file());
  if (to.get() < 0) give_up("cannot be copied");
  copy(from.get(), to.get());
  descriptor_ = to.release();
}

FileCopy& FileCopy::operator=(FileCopy&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

FileCopy::~FileCopy() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::string FileCopy::path() const {
  return "/proc/self/fd/" + std::to_string(descriptor_);
}

CopyPlace FileCopy::place() const {
  struct stat status {};
  if (fstat(descriptor_, &status) != 0) return {};
  return {getpid(), descriptor_, status.st_dev, status.st_ino};
}

std::string path_of(const CopyPlace& place) {
  if (place.descriptor < 0) return "";
  const auto path = "/proc/" + std::to_string(place.process) + "/fd/" + std::to_string(place.descriptor);
  struct stat status {};
  const bool same =
      stat(path.c_str(), &status) == 0 && status.st_dev == place.device && status.st_ino == place.node;
  return same ? path : "";
}

std::string lack_of_room(std::string_view make, int threads) {
  constexpr std::size_t mebibyte = 1 << 20, of_a_thread = 128;
  if (make != "OpenBLAS" || threads < 1) return "";
  const std::size_t all = of_a_thread * static_cast<std::size_t>(threads);
  void* trial = mmap(nullptr, all * mebibyte, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (trial == MAP_FAILED)
    return "the " + std::to_string(all) + " MiB in which OpenBLAS works are refused (see ulimit -v)";
  munmap(trial, all * mebibyte);
  return "";
}

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
  if (auto lack = lack_of_room(candidate.make, threads); !lack.empty()) throw std::runtime_error(lack);
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

void BlasLibrary::work_once() const {
  constexpr std::int64_t order = 128;  // small ones need no memory
  const std::vector<double> a(order * order, 1);
  std::vector<double> c(order * order);
  multiply(order, 1, a.data(), a.data(), 0, c.data());
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
