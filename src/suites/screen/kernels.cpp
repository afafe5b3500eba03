// SPDX-License-Identifier: Apache-2.0
#include "suites/screen/kernels.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "machine/move_all.hpp"
#include "suites/hpcc/blas/in_use.hpp"
#include "suites/hpcc/dgemm/core_peak.hpp"
#include "suites/hpcc/dgemm/dgemm.hpp"
#include "suites/hpcc/random_access/local_updates.hpp"
#include "suites/hpcc/stream/stream.hpp"

namespace steelyard::screen {
namespace {

hpcc::BlasLibrary library_of(const Settings& settings) {
  return settings.blas_in_use ? settings.blas_in_use->library : hpcc::BlasLibrary::linked();
}

class Products final : public NodeKernel {
 public:
  Products(const TestSpec& spec, const Settings& settings)
      : spec_(spec), dgemm_(spec.length, settings.seed, library_of(settings), settings.threads) {}
  void warm() override { dgemm_.run(); }
  void run() override {
    for (int i = 0; i < spec_.repetitions; ++i) dgemm_.run();
  }
  [[nodiscard]] double value(double seconds) const override {
    const auto n = static_cast<double>(spec_.length);
    return 2 * n * n * n * spec_.repetitions / seconds;
  }
  [[nodiscard]] measure::CheckResult verify() override { return dgemm_.verify(); }

 private:
  TestSpec spec_;
  hpcc::Dgemm dgemm_;
};

class Triads final : public NodeKernel {
 public:
  Triads(const TestSpec& spec, const Settings& settings)
      : spec_(spec), stream_(spec.length, settings.threads) {}
  void warm() override { stores_ = stream_.fastest(hpcc::StreamKernel::triad); }
  void run() override {
    for (int i = 0; i < spec_.repetitions; ++i) stream_.run(hpcc::StreamKernel::triad, stores_);
  }
  [[nodiscard]] double value(double seconds) const override {
    return static_cast<double>(hpcc::stream_byte(hpcc::StreamKernel::triad, spec_.length)) *
           spec_.repetitions / seconds;
  }
  [[nodiscard]] measure::CheckResult verify() override { return stream_.verify(); }

 private:
  TestSpec spec_;
  hpcc::Stream stream_;
  hpcc::Stores stores_ = hpcc::Stores::plain;
};

class Updates final : public NodeKernel {
 public:
  Updates(const TestSpec& spec, const Settings& settings)
      : table_(hpcc::Generator::polynomial, spec.bits, hpcc::Form::optimized, settings.threads,
               spec.updates) {}
  void warm() override {}  // the table is touched; a run would be undone with the others
  void run() override { table_.run(); }
  [[nodiscard]] double value(double seconds) const override {
    return static_cast<double>(table_.updates()) / seconds;
  }
  [[nodiscard]] measure::CheckResult verify() override { return table_.verify(); }

 private:
  hpcc::LocalUpdates table_;
};

/// Kernel in registers. The rate is that of the fastest of many short runs, which check themselves: it
/// follows the clock, not interruptions.
class Registers final : public NodeKernel {
 public:
  Registers(const TestSpec& spec, const Settings& settings)
      : seconds_(spec.visit_s), threads_(settings.threads) {}
  void warm() override {}
  void run() override { rate_ = hpcc::measured_peak(threads_, seconds_); }
  [[nodiscard]] double value(double) const override { return rate_; }
  [[nodiscard]] measure::CheckResult verify() override {
    if (rate_ > 0) return {};
    return {1, 1, "multiply-adds on registers gave another number"};
  }

 private:
  double seconds_;
  int threads_;
  double rate_ = 0;
};

class Chase final : public NodeKernel {
 public:
  explicit Chase(const TestSpec& spec) : links_(spec.repetitions), list_(spec.length) {}
  void warm() override { list_.follow(links_ / 10); }
  void run() override { list_.follow(links_); }
  [[nodiscard]] double value(double seconds) const override { return seconds / static_cast<double>(links_); }
  [[nodiscard]] measure::CheckResult verify() override {
    if (list_.is_where_it_must_be()) return {};
    return {1, 1, "a list through memory led elsewhere"};
  }

 private:
  std::int64_t links_;
  ChasedList list_;
};

/// Kernel on a file of this process, which is removed from its folder as soon as it is open.
class Disk final : public NodeKernel {
 public:
  Disk(const TestSpec& spec, const Settings& settings)
      : folder_(settings.disk),
        blocks_(spec.length / block_byte),
        words_(block_byte / sizeof(std::uint64_t)) {
    std::string name = (folder_ / "steelyard-screen-XXXXXX").string();
    file_ = mkstemp(name.data());
    expect(file_ < 0 ? errno : 0, "cannot make a file");
    static_cast<void>(::unlink(name.c_str()));
  }
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;
  ~Disk() override { static_cast<void>(::close(file_)); }

  void warm() override {}
  void run() override {
    for (std::int64_t block = 0; block < blocks_; ++block) {
      fill(block);
      expect(transfer(block, ::pwrite), "cannot write");
    }
    while (::fsync(file_) != 0)
      if (errno != EINTR) expect(errno, "cannot be brought to the disk");
    static_cast<void>(::posix_fadvise(file_, 0, 0, POSIX_FADV_DONTNEED));
    for (std::int64_t block = 0; block < blocks_; ++block) {
      expect(transfer(block, ::pread), "cannot read");
      for (std::size_t i = 0; i < words_.size(); ++i) wrong_ += words_[i] == content(block, i) ? 0 : 1;
    }
  }
  [[nodiscard]] double value(double seconds) const override {
    return static_cast<double>(2 * blocks_ * block_byte) / seconds;
  }
  [[nodiscard]] measure::CheckResult verify() override {
    if (wrong_ == 0) return {};
    return {wrong_, 1, "a file held " + std::to_string(wrong_) + " other words than were written"};
  }

 private:
  static constexpr std::int64_t block_byte = 1 << 20;
  static std::uint64_t content(std::int64_t block, std::size_t i) {
    return (static_cast<std::uint64_t>(block) << 32 | i) * 0x9e3779b97f4a7c15U;
  }
  void fill(std::int64_t block) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] = content(block, i);
  }
  template <class Call>
  [[nodiscard]] int transfer(std::int64_t block, Call call) {
    return machine::move_all(
        [&](std::byte* at, std::size_t bytes, off_t offset) { return call(file_, at, bytes, offset); },
        reinterpret_cast<std::byte*>(words_.data()), block_byte, block * block_byte);
  }
  void expect(int number, const char* what) const {
    if (number != 0)
      throw std::filesystem::filesystem_error(what, folder_,
                                              std::error_code(number, std::generic_category()));
  }

  std::filesystem::path folder_;
  std::int64_t blocks_;
  std::vector<std::uint64_t> words_;
  int file_ = -1;
  std::int64_t wrong_ = 0;
};

// Constants of x <- a x + c modulo a power of two: with a - 1 a multiple of 4 and c odd, every number comes
// before the first again.
constexpr std::uint64_t list_factor = 0x5851f42d4c957f2d, list_step = 0x14057b7ef767814f;

}  // namespace

std::unique_ptr<NodeKernel> make_kernel(const TestSpec& spec, const Settings& settings) {
  switch (spec.test) {
    case Test::dgemm: return std::make_unique<Products>(spec, settings);
    case Test::fma: return std::make_unique<Registers>(spec, settings);
    case Test::triad:
    case Test::numa_triad: return std::make_unique<Triads>(spec, settings);
    case Test::random_access: return std::make_unique<Updates>(spec, settings);
    case Test::chase: return std::make_unique<Chase>(spec);
    case Test::disk: return std::make_unique<Disk>(spec, settings);
    case Test::pairs: break;
  }
  throw std::logic_error("a test that is no kernel of a node");
}

ChasedList::ChasedList(std::int64_t bytes)
    : elements_(static_cast<std::uint64_t>(bytes) / (line_words * sizeof(std::uint64_t))),
      memory_(static_cast<std::int64_t>(elements_ * line_words)) {
  for (std::uint64_t i = 0; i < elements_; ++i)
    memory_[static_cast<std::size_t>(i * line_words)] = next(i) * line_words;
}

std::uint64_t ChasedList::next(std::uint64_t element) const noexcept {
  return (list_factor * element + list_step) & (elements_ - 1);
}

void ChasedList::follow(std::int64_t links) noexcept {
  const std::uint64_t* memory = memory_.data();
  std::uint64_t at = at_;
  for (std::int64_t i = 0; i < links; ++i) at = memory[at];
  at_ = at;
  followed_ += static_cast<std::uint64_t>(links);
}

bool ChasedList::is_where_it_must_be() const noexcept {
  // n steps of x <- a x + c are one with other constants, found by doubling.
  std::uint64_t a = list_factor, c = list_step, x = 0;
  for (std::uint64_t n = followed_; n > 0; n >>= 1) {
    if (n & 1) x = a * x + c;
    c *= a + 1;
    a *= a;
  }
  return (x & (elements_ - 1)) * line_words == at_;
}

}  // namespace steelyard::screen
