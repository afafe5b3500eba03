// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/blas/library.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "machine/text.hpp"
#include "suites/hpcc/blas/blas.hpp"

namespace steelyard::hpcc {
namespace {

using machine::BlasKernel;
using machine::VectorUnits;

/// Worth of a kernel: the bits that it works on at once, and whether it fuses multiply and add.
std::pair<int, bool> worth(const BlasKernel& kernel, const VectorUnits& units) {
  return {machine::bits_of(kernel, units), kernel.fused};
}

/// Candidates of one library, sorted by how likely each is the fastest.
class OfLibrary {
 public:
  OfLibrary(const InstalledBlas& blas, const VectorUnits& units, const HasVariable& has)
      : blas_(blas), units_(units) {
    const auto variables = machine::kernel_variables(blas.identity.name);
    forced_ = std::ranges::any_of(variables, has);
    if (!reloads()) return;
    for (const auto& kernel : machine::executable_kernels(blas.identity.name, units))
      if (!machine::word_of_kernel(blas.identity, kernel.name).empty()) kernels_.push_back(kernel);
  }

  void add(BlasCandidates& all) const {
    const auto present = machine::find_blas_kernel(blas_.identity.name, blas_.identity.kernel);
    const bool best_already = kernels_.empty() || (present != nullptr && worth(*present, units_) >=
                                                                             worth(kernels_.front(), units_));
    std::vector<BlasCandidate> widest;
    add_kernels(widest, all);
    if (best_already) add_unchanged(all.to_try);
    auto rest = widest.begin();
    if (!best_already && rest != widest.end()) all.to_try.push_back(*rest++);
    if (!best_already) add_unchanged(all.to_try);
    if (forced_ && reloads()) all.to_try.push_back(candidate_of(blas_, KernelChoice::own));
    all.to_try.insert(all.to_try.end(), rest, widest.end());
  }

 private:
  /// Whether it can be loaded once more, with other variables.
  [[nodiscard]] bool reloads() const { return !blas_.file.empty(); }

  void add_unchanged(std::vector<BlasCandidate>& to) const {
    const bool environment = blas_.linked || forced_;
    to.push_back(candidate_of(blas_, environment ? KernelChoice::environment : KernelChoice::own));
  }

  void add_kernels(std::vector<BlasCandidate>& widest, BlasCandidates& all) const {
    for (const auto& kernel : kernels_) {
      if (!forced_ && machine::find_blas_kernel(kernel.make, blas_.identity.kernel) ==
                          machine::find_blas_kernel(kernel.make, kernel.name))
        continue;  // the library takes this one anyway
      const auto best = worth(kernels_.front(), units_), own = worth(kernel, units_);
      if (own == best)
        widest.push_back(candidate_of(blas_, KernelChoice::told, kernel.name));
      else if (2 * own.first >= best.first && own.second == best.second)
        all.unlikely.push_back(candidate_of(blas_, KernelChoice::told, kernel.name));
      else
        all.narrower.emplace_back(kernel.name);
    }
  }

  const InstalledBlas& blas_;
  const VectorUnits& units_;
  bool forced_ = false;
  std::vector<BlasKernel> kernels_;  // the widest first
};

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

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(RTLD_DEEPBIND)
constexpr bool own_functions_first = false;
constexpr int mode = RTLD_NOW | RTLD_LOCAL;
#else
constexpr bool own_functions_first = true;
constexpr int mode = RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND;
#endif

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

BlasCandidate candidate_of(const InstalledBlas& blas, KernelChoice choice, std::string_view told_kernel) {
  const auto& identity = blas.identity;
  BlasCandidate one;
  one.make = identity.name.empty() ? identity.file : identity.name;
  one.version = identity.version;
  one.file = blas.file;
  one.linked = blas.linked;
  one.choice = choice;
  one.kernel = told_kernel;
  one.word = machine::word_of_kernel(identity, told_kernel);
  return one;
}

std::vector<InstalledBlas> distinct(std::vector<InstalledBlas> installed) {
  std::vector<InstalledBlas> all;
  for (auto& blas : installed) {
    const auto same = [&](const InstalledBlas& known) {
      return !known.file.empty() && known.file == blas.file;
    };
    if (std::ranges::none_of(all, same)) all.push_back(std::move(blas));
  }
  return all;
}

std::string library_of(const BlasCandidate& candidate) {
  return candidate.version.empty() ? candidate.make : candidate.make + " " + candidate.version;
}

std::string key_of(const BlasCandidate& candidate) {
  constexpr std::string_view choices[] = {", environment", ", own choice", ", kernel "};
  return library_of(candidate) + " (" +
         (candidate.linked ? "linked" : std::filesystem::path(candidate.file).filename().string()) + ")" +
         std::string(choices[static_cast<int>(candidate.choice)]) + candidate.kernel;
}

BlasCandidates blas_candidates(std::span<const InstalledBlas> installed, const VectorUnits& units,
                               const HasVariable& has) {
  BlasCandidates all;
  for (const auto& blas : installed) OfLibrary(blas, units, has).add(all);
  return all;
}

BlasCandidates named_candidate(std::span<const InstalledBlas> installed, const std::string& file,
                               const std::string& kernel) {
  const auto named = std::ranges::find(installed, false, &InstalledBlas::linked);
  BlasCandidates all;
  if (named == installed.end()) return all;
  if (!kernel.empty() && machine::word_of_kernel(named->identity, kernel).empty())
    throw std::invalid_argument(std::filesystem::path(file).filename().string() +
                                " cannot be told to take a kernel " + kernel);
  const auto choice = kernel.empty() ? KernelChoice::environment : KernelChoice::told;
  all.to_try.push_back(candidate_of(*named, choice, kernel));
  for (const auto& blas : installed)
    if (blas.linked) all.to_try.push_back(candidate_of(blas, KernelChoice::environment));
  return all;
}

Variables variables_of(const BlasCandidate& candidate, int threads) {
  Variables variables;
  const auto number = std::to_string(threads);
  // Without these a library starts a thread for each processor of the node when it is loaded.
  for (const char* name : {"OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "BLIS_NUM_THREADS", "MKL_NUM_THREADS"})
    variables.emplace_back(name, number);
  if (candidate.choice == KernelChoice::environment) return variables;
  for (const auto name : machine::kernel_variables(candidate.make))
    variables.emplace_back(name, std::nullopt);
  if (candidate.choice == KernelChoice::told)
    variables.emplace_back(machine::kernel_variables(candidate.make).front(), candidate.word);
  return variables;
}

std::vector<std::string> known_blas_files() {
  return {
      "libopenblas.so.0", "libblis.so.4",     "libblis.so.3",  "libblis.so.2", "libblis-mt.so.4",
      "libmkl_rt.so.2",   "libmkl_rt.so.1",   "libcblas.so.3", "libblas.so.3", "libnvpl_blas_lp64_gomp.so.0",
      "libarmpl_lp64.so", "libflexiblas.so.3"};
}

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

std::string lack_of_separation(const BlasCandidate& candidate) {
  const bool apart = own_functions_first || candidate.as_linked() || !blas::available();
  return apart ? "" : "cannot be kept apart from the linked BLAS on this system (no RTLD_DEEPBIND)";
}

std::optional<BlasLibrary> BlasLibrary::open(const std::string& file) {
  void* handle = ::dlopen(file.c_str(), mode);
  return handle == nullptr ? std::nullopt : of(handle);
}

BlasLibrary BlasLibrary::load(const BlasCandidate& candidate, const std::string& kernel, int threads,
                              CopySource copy) {
  if (candidate.as_linked()) return linked();
  for (const auto& lack : {lack_of_separation(candidate), lack_of_room(candidate.make, threads)})
    if (!lack.empty()) throw std::runtime_error(lack);
  const Environment environment(variables_of(candidate, threads));
  std::string path = candidate.file;
  if (needs_copy(candidate)) {
    if (copy.path.empty() && !copy.own) copy.own = std::make_shared<FileCopy>(candidate.file);
    path = copy.path.empty() ? copy.own->path() : copy.path;
  }
  void* handle = ::dlopen(path.c_str(), mode);
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
