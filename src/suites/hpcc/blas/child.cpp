// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/blas/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <ctime>
#include <limits>
#include <sstream>
#include <system_error>

#include "machine/pages.hpp"
#include "record/json.hpp"
#include "record/value.hpp"
#include "suites/hpcc/blas/blas.hpp"
#include "suites/hpcc/foundation/stopwatch.hpp"
#include "units/text.hpp"

namespace steelyard::hpcc {
namespace {

constexpr double unit_roundoff = std::numeric_limits<double>::epsilon() / 2;

double operations(std::int64_t n) {
  const auto order = static_cast<double>(n);
  return 2 * order * order * order;
}

/// Element between -0.5 and 0.5, by matrix and position.
double element(std::uint64_t matrix, std::int64_t position) {
  std::uint64_t bits = (matrix << 48) + static_cast<std::uint64_t>(position) + 1;
  for (const int shift : {31, 29, 32}) {
    bits ^= bits >> shift;
    bits *= 0xd6e8feb86659fd93U;
  }
  return static_cast<double>(bits >> 11) * 0x1p-53 - 0.5;
}

/// Matrices A and B of an order, and C <- A B by the library.
class Product {
 public:
  Product(const BlasLibrary& library, std::int64_t n)
      : library_(library), n_(n), a_(n * n), b_(n * n), c_(n * n) {
    for (std::int64_t i = 0; i < n * n; ++i) {
      const auto at = static_cast<std::size_t>(i);
      a_[at] = element(1, i);
      b_[at] = element(2, i);
    }
    poison();
  }

  void poison() { std::ranges::fill(c_.span(), std::numeric_limits<double>::quiet_NaN()); }
  double multiply() {
    const Stopwatch watch;
    library_.multiply(n_, 1, a_.data(), b_.data(), 0, c_.data());
    return watch.seconds();
  }
  /// C <- C - A B
  void subtract() { library_.multiply(n_, -1, a_.data(), b_.data(), 1, c_.data()); }

  /// Whether every element of C is `of_it` times that of the plain product.
  [[nodiscard]] bool equals_plain(double of_it) const {
    const auto n = static_cast<std::size_t>(n_);
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i) {
        double sum = 0;
        for (std::size_t k = 0; k < n; ++k) sum += a_[i + k * n] * b_[k + j * n];
        if (!(std::abs(c_[i + j * n] - of_it * sum) <= element_tolerance())) return false;
      }
    return true;
  }

  /// Whether C x is A (B x) for a vector x of which no element is like another.
  [[nodiscard]] bool equals_through_vector() const {
    const auto n = static_cast<std::size_t>(n_);
    std::vector<double> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = element(3, static_cast<std::int64_t>(i));
    const auto expected = times(a_, times(b_, x)), found = times(c_, x);
    const double tolerance = element_tolerance() * static_cast<double>(n_);
    for (std::size_t i = 0; i < n; ++i)
      if (!(std::abs(found[i] - expected[i]) <= tolerance)) return false;
    return true;
  }

 private:
  /// Four times the most that the rounding of n products of at most 1/4 can come to.
  [[nodiscard]] double element_tolerance() const {
    const auto n = static_cast<double>(n_);
    return n * n * unit_roundoff;
  }

  [[nodiscard]] static std::vector<double> times(const machine::HugeArray<double>& matrix,
                                                 const std::vector<double>& x) {
    const std::size_t n = x.size();
    std::vector<double> y(n);
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i) y[i] += matrix[i + j * n] * x[j];
    return y;
  }

  const BlasLibrary& library_;
  std::int64_t n_;
  machine::HugeArray<double> a_, b_, c_;
};

/// Odd order, so that blocks of every kernel have remainders.
constexpr std::int64_t small_order = 75;

std::string fault_of_small_products(const BlasLibrary& library) {
  Product product(library, small_order);
  product.multiply();
  if (!product.equals_plain(1)) return "a product of order " + std::to_string(small_order) + " is wrong";
  product.subtract();
  if (!product.equals_plain(0)) return "a product that is added to a matrix is wrong";
  return "";
}

/// Seconds of the fastest of some products, which take about that long together and are at least two.
double best_seconds(Product& product, double for_s) {
  double best = product.multiply();
  for (double taken = best, count = 1; count < 2 || taken < for_s; ++count) {
    const double one = product.multiply();
    best = std::min(best, one);
    taken += one;
  }
  return std::max(best, 1e-9);
}

/// Order whose product takes some milliseconds: of many short ones at least one is not disturbed. Slow
/// libraries get smaller matrices, as a product shall not take longer than 0.02 s.
std::int64_t order_for(double flop_s, int threads) {
  constexpr double one_product_s = 0.02;
  const auto wanted = 384 * std::cbrt(static_cast<double>(threads));
  const auto affordable = std::cbrt(one_product_s * flop_s / 2);
  const auto order = static_cast<std::int64_t>(std::min({wanted, affordable, 1280.0}));
  return std::max<std::int64_t>(order / 32 * 32, 96);
}

using record::Json;

constexpr std::string_view find_word = "find", try_word = "try", linked_word = "linked";
// Start of every line of an answer: libraries print what they like.
constexpr std::string_view begun = "steelyard-blas-child ";

/// Writer of lines to standard output as it was when the process began; output of others goes nowhere.
class Answer {
 public:
  Answer() : to_(dup(STDOUT_FILENO)) {
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    close(nowhere);
    line({{"begun", true}});
  }
  Answer(const Answer&) = delete;
  Answer& operator=(const Answer&) = delete;
  ~Answer() { close(to_); }

  void line(const Json& json) const {
    const auto dumped = json.dump();
    const auto text = '\n' + std::string(begun) + dumped + '\n';
    for (std::size_t done = 0; done < text.size();) {
      const auto written = write(to_, text.data() + done, text.size() - done);
      if (written <= 0) return;  // nobody listens
      done += static_cast<std::size_t>(written);
    }
  }

 private:
  int to_;
};

std::vector<Json> lines_of(const std::string& answer) {
  std::vector<Json> all;
  std::istringstream lines(answer);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(begun)) continue;
    auto json = Json::parse_or_null(line.substr(begun.size()));
    if (json.is_object()) all.push_back(std::move(json));
  }
  return all;
}

Json json_of(const machine::BlasIdentity& blas) {
  return {{"name", record::valid_utf8(blas.name)},
          {"version", record::valid_utf8(blas.version)},
          {"kernel", record::valid_utf8(blas.kernel)},
          {"config", record::valid_utf8(blas.config)},
          {"file", record::valid_utf8(blas.file)},
          {"path", blas.path},
          {"kernels", blas.kernels}};
}

machine::BlasIdentity identity_of(const Json& json) {
  machine::BlasIdentity blas;
  blas.name = record::text_in(json, "name");
  blas.version = record::text_in(json, "version");
  blas.kernel = record::text_in(json, "kernel");
  blas.config = record::text_in(json, "config");
  blas.file = record::text_in(json, "file");
  blas.path = record::text_in(json, "path");
  if (json.contains("kernels"))
    for (const auto& kernel : json["kernels"])
      if (kernel.is_string()) blas.kernels.push_back(kernel.get<std::string>());
  return blas;
}

class Finder {
 public:
  void linked() const {
    if (blas::available()) tell(BlasLibrary::linked().identity(), true);
  }
  void file(const std::string& file) const {
    answer_.line({{"loading", file}});
    const auto library = BlasLibrary::open(file);
    if (library) tell(library->identity(), false);
  }
  void end() const { answer_.line({{"complete", true}}); }

 private:
  void tell(const machine::BlasIdentity& identity, bool linked) const {
    auto json = json_of(identity);
    json["linked"] = linked;
    answer_.line(json);
  }
  Answer answer_;
};

int find(std::span<const std::string> files) {
  const Finder finder;
  finder.linked();
  for (const auto& file : files) finder.file(file);
  finder.end();
  return 0;
}

int try_out(const std::string& file, int threads) {
  const Answer answer;
  const auto library = file == linked_word ? std::optional(BlasLibrary::linked()) : BlasLibrary::open(file);
  if (!library) return 1;
  const auto lack = lack_of_room(library->identity().name, 1);
  const auto rate = lack.empty() ? checked_rate(*library, threads) : CheckedRate{.wrong = lack};
  auto json = json_of(library->identity());
  json["flop_s"] = rate.flop_s;
  json["order"] = rate.order;
  json["wrong"] = rate.wrong;
  answer.line(json);
  return 0;
}

std::string text_of_error(int error) {
  return std::generic_category().message(error);
}

/// Environment of this process, NAME=VALUE, with the changes.
std::vector<std::string> changed_environment(const Variables& variables) {
  std::vector<std::string> all;
  const auto changed = [&](std::string_view entry) {
    return std::ranges::any_of(variables,
                               [&](const auto& variable) { return entry.starts_with(variable.first + "="); });
  };
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
    if (!changed(*entry)) all.emplace_back(*entry);
  // A variable may be removed and set again: of one name the last entry counts.
  for (auto one = variables.begin(); one != variables.end(); ++one) {
    const bool again =
        std::any_of(one + 1, variables.end(), [&](const auto& later) { return later.first == one->first; });
    if (one->second && !again) all.push_back(one->first + "=" + *one->second);
  }
  return all;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (auto& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// Limit that keeps a crashing child from leaving a core file, as long as it lives.
class NoCoreFiles {
 public:
  NoCoreFiles() : known_(getrlimit(RLIMIT_CORE, &before_) == 0) {
    const rlimit none{0, before_.rlim_max};
    if (known_) setrlimit(RLIMIT_CORE, &none);
  }
  NoCoreFiles(const NoCoreFiles&) = delete;
  NoCoreFiles& operator=(const NoCoreFiles&) = delete;
  ~NoCoreFiles() {
    if (known_) setrlimit(RLIMIT_CORE, &before_);
  }

 private:
  rlimit before_{};
  bool known_;
};

/// Start of a program with signals as a new program expects them, its output in the pipe, no input
/// and no place for complaints.
class Start {
 public:
  explicit Start(int output) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_init(&attributes_);
    sigset_t none{}, all{};
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setsigdefault(&attributes_, &all);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  Start(const Start&) = delete;
  Start& operator=(const Start&) = delete;
  ~Start() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  /// Starts the program; returns the error number, 0 for success.
  int operator()(pid_t& child, std::vector<std::string> words, std::vector<std::string> environment) const {
    const NoCoreFiles no_core_files;
    const auto program = words.front();
    return posix_spawn(&child, program.c_str(), &actions_, &attributes_, pointers_to(words).data(),
                       pointers_to(environment).data());
  }

 private:
  posix_spawn_file_actions_t actions_{};
  posix_spawnattr_t attributes_{};
};

std::string name_of_signal(int signal) {
  struct Name {
    int signal;
    const char* name;
  };
  constexpr std::array names{Name{SIGILL, "SIGILL"},  Name{SIGSEGV, "SIGSEGV"}, Name{SIGBUS, "SIGBUS"},
                             Name{SIGFPE, "SIGFPE"},  Name{SIGABRT, "SIGABRT"}, Name{SIGTRAP, "SIGTRAP"},
                             Name{SIGKILL, "SIGKILL"}};
  const auto found = std::ranges::find(names, signal, &Name::signal);
  return found == names.end() ? "signal " + std::to_string(signal) : found->name;
}

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status)) return "ended by " + name_of_signal(WTERMSIG(status));
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  return code == 0 ? "" : "ended with exit code " + std::to_string(code);
}

/// Rest of a child's patience: first until it begins, then until it ends.
class Limit {
 public:
  explicit Limit(const Patience& patience) : patience_(patience), seconds_(patience.to_begin) {}
  void begun() {
    if (begun_) return;
    begun_ = true;
    seconds_ = watch_.seconds() + patience_.to_end;
  }
  [[nodiscard]] double left() const { return seconds_ - watch_.seconds(); }
  [[nodiscard]] double elapsed() const { return watch_.seconds(); }
  [[nodiscard]] std::string text() const {
    return units::format_significant(begun_ ? patience_.to_end : patience_.to_begin, 2) + " s";
  }

 private:
  Stopwatch watch_;
  const Patience& patience_;
  double seconds_;
  bool begun_ = false;
};

/// Reads until the child closes its output; returns false if patience ended before.
bool read_all(int from, const std::function<bool(const std::string&)>& has_begun, Limit& limit,
              std::string& text) {
  constexpr std::size_t most = 1 << 20;  // whoever prints more prints nonsense
  while (limit.left() > 0 && text.size() <= most) {
    pollfd ready{from, POLLIN, 0};
    const int found = poll(&ready, 1, static_cast<int>(1e3 * limit.left()) + 1);
    if (found < 0 && errno != EINTR) return false;
    if (found <= 0) continue;
    std::array<char, 4096> buffer{};
    const auto n = read(from, buffer.data(), buffer.size());
    if (n == 0) return true;
    if (n < 0 && errno != EINTR) return false;
    if (n > 0) text.append(buffer.data(), static_cast<std::size_t>(n));
    if (has_begun(text)) limit.begun();
  }
  return false;
}

/// Status of the child if it ends while there is patience, else nullopt; 0 if the system does not keep it.
std::optional<int> status_in_time(pid_t child, const Limit& limit) {
  constexpr timespec nap{0, 500'000};
  do {
    int status = 0;
    const auto ended = waitpid(child, &status, WNOHANG);
    if (ended == child) return status;
    if (ended < 0 && errno != EINTR) return 0;  // a process that ignores ended children does not hear of them
    nanosleep(&nap, nullptr);
  } while (limit.left() > 0);
  return std::nullopt;
}

void end(pid_t child) {
  kill(child, SIGKILL);
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

CheckedRate checked_rate(const BlasLibrary& library, int threads) {
  constexpr std::int64_t first_order = 128;
  constexpr double first_s = 0.002, measured_s = 0.02;
  library.set_threads(threads);
  CheckedRate found;
  found.wrong = fault_of_small_products(library);
  if (!found.wrong.empty()) return found;
  Product first(library, first_order);
  const double guess = operations(first_order) / best_seconds(first, first_s);
  found.order = order_for(guess, threads);
  Product product(library, found.order);
  found.flop_s = operations(found.order) / best_seconds(product, measured_s);
  product.poison();
  product.multiply();
  if (!first.equals_through_vector() || !product.equals_through_vector())
    found.wrong = "a product of order " + std::to_string(found.order) + " is wrong";
  return found;
}

int answer_as_child(std::span<const std::string> words) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (words.size() > 1 && words[0] == find_word) return find(words.subspan(1));
  if (words.size() == 3 && words[0] == try_word)
    return try_out(words[1], std::max(1, std::atoi(words[2].c_str())));
  return 2;
}

std::vector<std::string> words_to_find(const std::vector<std::string>& files) {
  std::vector<std::string> words{std::string(find_word)};
  words.insert(words.end(), files.begin(), files.end());
  return words;
}

Installation read_installation(const std::string& answer) {
  Installation installation;
  for (const auto& json : lines_of(answer)) {
    if (json.contains("loading")) installation.loading = record::text_in(json, "loading");
    if (json.contains("complete")) installation.complete = true;
    if (!json.contains("linked")) continue;
    auto identity = identity_of(json);
    auto file = identity.path;
    installation.found.push_back({std::move(identity), std::move(file), json["linked"] == true});
  }
  return installation;
}

std::vector<std::string> words_to_try(const BlasCandidate& candidate, int threads) {
  return {std::string(try_word), candidate.linked ? std::string(linked_word) : candidate.file,
          std::to_string(threads)};
}

std::optional<ChildRate> read_rate(const std::string& answer) {
  const auto lines = lines_of(answer);
  if (lines.empty() || !lines.back().contains("flop_s")) return std::nullopt;
  const auto& json = lines.back();
  const auto flop_s = record::number_in(json, "flop_s"), order = record::number_in(json, "order");
  if (!flop_s || !order || !std::isfinite(*flop_s)) return std::nullopt;
  return ChildRate{identity_of(json),
                   {*flop_s, static_cast<std::int64_t>(*order), record::text_in(json, "wrong")}};
}

bool has_begun(const std::string& answer) {
  return answer.find(begun) != answer.npos;
}

ChildAnswer ask_child(const std::vector<std::string>& words, const Variables& variables,
                      const std::function<bool(const std::string&)>& has_begun, const Patience& patience) {
  std::array<int, 2> pipe{-1, -1};
  if (pipe2(pipe.data(), O_CLOEXEC) != 0) return {"", "cannot make a pipe: " + text_of_error(errno)};
  Limit limit(patience);
  pid_t child = -1;
  const int error = Start(pipe[1])(child, words, changed_environment(variables));
  close(pipe[1]);
  ChildAnswer answer;
  if (error != 0) {
    answer.failure = "no process can be started: " + text_of_error(error);
  } else {
    const bool closed = read_all(pipe[0], has_begun, limit, answer.text);
    const auto status = closed ? status_in_time(child, limit) : std::nullopt;
    if (!status) end(child);
    answer.failure = status ? how_it_ended(*status) : "did not end within " + limit.text();
  }
  close(pipe[0]);
  answer.seconds = limit.elapsed();
  return answer;
}

}  // namespace steelyard::hpcc
