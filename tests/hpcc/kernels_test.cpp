// SPDX-License-Identifier: Apache-2.0
// STREAM, DGEMM and RandomAccess on one process.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <new>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "machine/pages.hpp"
#include "suites/hpcc/blas/blas.hpp"
#include "suites/hpcc/blas/child.hpp"
#include "suites/hpcc/blas/library.hpp"
#include "suites/hpcc/dgemm/core_peak.hpp"
#include "suites/hpcc/dgemm/dgemm.hpp"
#include "suites/hpcc/foundation/huge_view.hpp"
#include "suites/hpcc/random_access/fingerprint.hpp"
#include "suites/hpcc/random_access/local_updates.hpp"
#include "suites/hpcc/stream/stream.hpp"

using namespace steelyard::hpcc;

namespace {

std::uint64_t checksum(std::span<const std::uint64_t> table) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < table.size(); ++i) sum += table[i] * (i + 1);
  return sum;
}

}  // namespace

class StreamOf : public testing::TestWithParam<std::tuple<std::int64_t, Stores>> {};

TEST_P(StreamOf, ten_rounds_pass) {
  const auto [n, stores] = GetParam();
  Stream stream(n);
  for (int round = 0; round < 10; ++round)
    for (const auto kernel : stream_kernels) stream.run(kernel, stores);
  const auto found = stream.verify();
  EXPECT_EQ(found.errors, 0) << found.first;
  EXPECT_LE(found.worst, Stream::tolerance);
}

TEST_P(StreamOf, kernel_writes_what_the_definition_says) {
  const auto [n, stores] = GetParam();
  Stream stream(n);
  double *a = stream.vector(0), *b = stream.vector(1), *c = stream.vector(2);
  for (std::int64_t i = 0; i < n; ++i) {
    a[i] = static_cast<double>(i + 1);
    b[i] = 2.5 * static_cast<double>(i);
    c[i] = -static_cast<double>(i);
  }
  stream.run(StreamKernel::copy, stores);
  for (std::int64_t i = 0; i < n; ++i) ASSERT_EQ(c[i], static_cast<double>(i + 1));
  stream.run(StreamKernel::scale, stores);
  for (std::int64_t i = 0; i < n; ++i) ASSERT_EQ(b[i], Stream::factor * c[i]);
  stream.run(StreamKernel::add, stores);
  for (std::int64_t i = 0; i < n; ++i) ASSERT_EQ(c[i], a[i] + b[i]);
  stream.run(StreamKernel::triad, stores);
  for (std::int64_t i = 0; i < n; ++i) ASSERT_NEAR(a[i], b[i] + Stream::factor * c[i], 1e-12 * a[i]);
}

INSTANTIATE_TEST_SUITE_P(lengths_and_stores, StreamOf,
                         testing::Combine(testing::Values(1, 7, 8, 1000, 2048, 10007),
                                          testing::ValuesIn(all_stores)));

TEST_P(StreamOf, threads_share_the_vectors) {
  const auto [n, stores] = GetParam();
  for (const int threads : {2, 3, 5}) {
    Stream stream(n, threads);
    for (const auto kernel : stream_kernels) stream.run(kernel, stores);
    EXPECT_EQ(stream.verify().errors, 0);
  }
}

TEST(stream, one_wrong_element_fails) {
  Stream stream(1000);
  for (const auto kernel : stream_kernels) stream.run(kernel, Stores::plain);
  stream.vector(1)[999] *= 1 + 1e-9;
  const auto found = stream.verify();
  EXPECT_EQ(found.errors, 1);
  EXPECT_EQ(found.first, "vector b, element 999");
}

TEST(stream, one_wrong_element_is_found_wherever_it_is) {
  constexpr std::int64_t n = 10007;
  for (const int threads : {1, 3})
    for (const std::int64_t place : {0, 7, 8, 3335, 4095, 4096, 8191, 10000, 10006}) {
      Stream stream(n, threads);
      stream.run(StreamKernel::add, Stores::plain);
      stream.vector(2)[place] = std::numeric_limits<double>::quiet_NaN();
      const auto found = stream.verify();
      EXPECT_EQ(found.errors, 1) << place;
      EXPECT_EQ(found.first, "vector c, element " + std::to_string(place));
    }
}

TEST(stream, not_a_number_fails) {
  Stream stream(100);
  stream.run(StreamKernel::copy, Stores::plain);
  stream.vector(0)[5] = std::numeric_limits<double>::quiet_NaN();
  const auto found = stream.verify();
  EXPECT_GT(found.errors, 0);
  EXPECT_FALSE(std::isfinite(found.worst));
}

TEST(stream, trials_of_the_ways_to_store_keep_the_result_right) {
  constexpr std::int64_t n = 5000;
  for (const int threads : {1, 3})
    for (const std::int64_t tried : {1, 7, 1000, 4999, 5000, 9000}) {
      Stream stream(n, threads, tried);
      for (const auto kernel : stream_kernels) static_cast<void>(stream.fastest(kernel));
      EXPECT_EQ(stream.verify().errors, 0) << tried;
      for (const auto kernel : stream_kernels) stream.run(kernel, Stores::streaming);
      EXPECT_EQ(stream.verify().errors, 0) << tried;
      for (const std::int64_t place : {std::int64_t{0}, tried / threads, n - 1}) {
        double& value = stream.vector(1)[std::min(place, n - 1)];
        const double right = std::exchange(value, value + 1e-9);
        EXPECT_EQ(stream.verify().errors, 1) << tried << ", element " << place;
        value = right;
      }
    }
}

TEST(stream, trials_take_the_front_of_each_threads_part) {
  constexpr std::int64_t n = 4096, of_thread = n / 2, tried_of_thread = n / 8;
  Stream stream(n, 2, 2 * tried_of_thread);
  static_cast<void>(stream.fastest(StreamKernel::copy));
  for (std::int64_t i = 0; i < n; ++i)
    ASSERT_EQ(stream.vector(2)[i], i % of_thread < tried_of_thread ? 2.0 : 0.0) << i;
}

TEST(stream, bytes_are_those_that_the_rule_counts) {
  EXPECT_EQ(stream_byte(StreamKernel::scale, 10), 160);
  EXPECT_EQ(stream_byte(StreamKernel::triad, 10), 240);
}

class LocalUpdatesOf : public testing::TestWithParam<std::tuple<Generator, Form, int>> {};

TEST_P(LocalUpdatesOf, no_update_is_lost) {
  const auto [generator, form, bits] = GetParam();
  for (int runs = 1; runs <= 3; ++runs) {
    LocalUpdates updates(generator, bits, form);
    for (int run = 0; run < runs; ++run) updates.run();
    EXPECT_EQ(updates.verify().errors, 0);
  }
}

TEST_P(LocalUpdatesOf, half_of_the_table_is_held_against_all_of_it_by_the_fastest_of_each) {
  const auto [generator, form, bits] = GetParam();
  LocalUpdates updates(generator, bits, form);
  const std::vector<double> shown{0, 2, 2, 5, 5, 6, 6, 11, 11, 15, 15, 17.5};  // half, all, half, ...
  std::size_t asked = 0;
  const auto clock = [&] { return shown.at(asked++); };
  EXPECT_DOUBLE_EQ(updates.speed_of_half(clock), bits < 2 ? 1 : 2.5);
  EXPECT_EQ(updates.verify().errors, 0) << "the table is fresh";
  asked = 0;
  EXPECT_EQ(updates.speed_of_half([&] { return 1e-4 * shown.at(asked++); }), 1) << "too short to tell";
}

TEST_P(LocalUpdatesOf, one_flipped_bit_is_found) {
  const auto [generator, form, bits] = GetParam();
  LocalUpdates updates(generator, bits, form);
  updates.run();
  updates.table()[updates.table().size() / 2] ^= 1U << 7;
  const auto found = updates.verify();
  EXPECT_EQ(found.errors, 1);
  EXPECT_EQ(found.first, "word " + std::to_string(updates.table().size() / 2));
  for (int check = 0; check < 2; ++check) {
    EXPECT_EQ(updates.verify().errors, 0) << "after one that failed, and after one that did not";
    updates.run();
  }
  updates.table()[0] ^= 1;
  EXPECT_EQ(updates.verify().errors, 1);
}

INSTANTIATE_TEST_SUITE_P(generators_and_forms, LocalUpdatesOf,
                         testing::Combine(testing::Values(Generator::polynomial, Generator::congruential),
                                          testing::Values(Form::base, Form::optimized),
                                          testing::Values(0, 3, 4, 5, 6, 10, 13)));

TEST_P(LocalUpdatesOf, fingerprint_is_that_of_the_changes) {
  const auto [generator, form, bits] = GetParam();
  LocalUpdates updates(generator, bits, form);
  updates.run();
  EXPECT_EQ(fingerprint_of_changes(updates.table()), updates.fingerprint());
  Fingerprint parts;
  for (int t = 0; t < 3; ++t)
    parts ^= fingerprint_of_updates(generator, bits, share_of(updates.updates(), 3, t));
  EXPECT_EQ(parts, updates.fingerprint());
}

TEST(fingerprint, each_kind_of_fault_changes_it) {
  constexpr std::uint64_t value = 0x123456789abcdef1, other = 0xfedcba987654321d;
  const auto of = [](std::initializer_list<std::pair<std::size_t, std::uint64_t>> changes) {
    std::vector<std::uint64_t> words(200);
    std::iota(words.begin(), words.end(), std::uint64_t{1000});
    for (const auto& [word, change] : changes) words[word] ^= change;
    return fingerprint_of_changes(words, 1000);
  };
  const auto right = of({{3, value}, {150, other}});
  EXPECT_EQ(of({{150, other}, {3, value}}), right);
  EXPECT_EQ(of({{3, value}, {150, other}, {7, 0}}), right);
  EXPECT_NE(of({{3, value}}), right) << "lost";
  EXPECT_NE(of({{3, value}, {150, other}, {150, other}}), right) << "taken twice";
  EXPECT_NE(of({{3, value}, {149, other}}), right) << "in the word beside its own";
  EXPECT_NE(of({{150, value}, {3, other}}), right) << "in the words of one another";
  for (int bit = 0; bit < 64; ++bit) {
    const auto wrong = std::uint64_t{1} << bit;
    EXPECT_NE(of({{3, value ^ wrong}, {150, other}}), right) << bit;
    EXPECT_NE(of({{3, value ^ wrong}, {150, other ^ wrong}}), right) << bit << " of two words";
    EXPECT_NE(of({{3, value}, {150, other}, {198, wrong}, {199, wrong}}), right) << bit << " of two others";
  }
}

TEST(local_updates, threads_execute_every_part) {
  for (const auto generator : {Generator::polynomial, Generator::congruential})
    for (const auto form : {Form::base, Form::optimized}) {
      LocalUpdates updates(generator, LocalUpdates::least_shared_bits, form, 3);
      updates.run();
      const auto found = updates.verify();
      EXPECT_EQ(found.errors, 0) << found.first;
      EXPECT_LE(found.worst, tolerated_share);
    }
}

TEST(local_updates, missing_part_of_a_thread_is_found) {
  LocalUpdates updates(Generator::polynomial, LocalUpdates::least_shared_bits, Form::optimized, 2);
  updates.run();
  const std::size_t part = updates.table().size() / 50;
  for (auto& word : updates.table().first(part)) word ^= 1;
  EXPECT_GE(updates.verify().errors, static_cast<std::int64_t>(part));
}

TEST(local_updates, small_tables_are_not_shared) {
  LocalUpdates updates(Generator::congruential, 10, Form::optimized, 3);
  updates.run();
  updates.table()[5] ^= 1;
  EXPECT_EQ(updates.verify().errors, 1) << "nothing is tolerated of one thread";
}

TEST(local_updates, table_has_the_published_checksum) {
  for (const auto form : {Form::base, Form::optimized}) {
    LocalUpdates polynomial(Generator::polynomial, 16, form), congruential(Generator::congruential, 16, form);
    polynomial.run();
    congruential.run();
    EXPECT_EQ(checksum(polynomial.table()), 0x16eee14aa3f63d52U);
    EXPECT_EQ(checksum(congruential.table()), 0x25a0c157f18cafc3U);
  }
}

TEST(dgemm, product_passes_after_one_and_after_more_runs) {
  if (!blas::available()) GTEST_SKIP() << "built without a BLAS";
  blas::set_threads(1);
  for (const int n : {1, 2, 65, 200}) {
    Dgemm dgemm(n, 1);
    for (int run = 0; run < 4; ++run) {
      dgemm.run();
      const auto found = dgemm.verify();
      EXPECT_EQ(found.errors, 0) << n << ": " << found.first;
    }
  }
}

TEST(dgemm, wrong_element_fails) {
  if (!blas::available()) GTEST_SKIP() << "built without a BLAS";
  Dgemm dgemm(100, 1);
  dgemm.run();
  dgemm.result()[4711] *= 1 + 1e-9;
  EXPECT_EQ(dgemm.verify().errors, 1);
}

TEST(dgemm, run_that_did_nothing_fails) {
  if (!blas::available()) GTEST_SKIP() << "built without a BLAS";
  Dgemm dgemm(50, 1);
  dgemm.run();
  std::fill_n(dgemm.result(), 50 * 50, 0.5);
  EXPECT_EQ(dgemm.verify().errors, 1);
  dgemm.result()[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(dgemm.verify().errors, 1);
}

TEST(dgemm, not_a_number_fails_wherever_it_is) {
  if (!blas::available()) GTEST_SKIP() << "built without a BLAS";
  constexpr std::size_t n = 50;
  Dgemm dgemm(n, 1);
  dgemm.run();
  for (const std::size_t row : {std::size_t{0}, n / 2, n - 1})
    for (const std::size_t column : {std::size_t{0}, n / 2, n - 1}) {
      double& element = dgemm.result()[row + column * n];
      const double right = std::exchange(element, std::numeric_limits<double>::quiet_NaN());
      EXPECT_EQ(dgemm.verify().errors, 1) << "row " << row << ", column " << column;
      element = right;
    }
  EXPECT_EQ(dgemm.verify().errors, 0);
}

TEST(dgemm, order_that_cannot_be_is_refused) {
  if (!blas::available()) GTEST_SKIP() << "built without a BLAS";
  EXPECT_THROW(Dgemm(0, 1), std::invalid_argument);
}

TEST(threads, parts_cover_everything_once_and_begin_at_grains) {
  for (const std::int64_t n : {0, 1, 7, 8, 100, 1001})
    for (const int threads : {1, 2, 3, 7})
      for (const std::int64_t grain : {1, 8, 512}) {
        std::int64_t at = 0;
        for (int t = 0; t < threads; ++t) {
          const auto part = share_of(n, threads, t, grain);
          ASSERT_EQ(part.begin, at);
          ASSERT_TRUE(part.begin % grain == 0 || part.begin == n);
          at = part.end;
        }
        ASSERT_EQ(at, n);
      }
}

TEST(threads, every_number_is_called_once) {
  std::array<std::atomic<int>, 5> calls{};
  in_threads(5, [&](int t) { ++calls[static_cast<std::size_t>(t)]; });
  for (const auto& count : calls) EXPECT_EQ(count, 1);
}

TEST(threads, figures_tell_of_openmp_where_it_is) {
  const auto figures = openmp_figures(2);
  EXPECT_EQ(has_threads(), figures.version > 0);
  EXPECT_EQ(has_threads(), figures.num_threads > 0);
}

TEST(core_peak, loops_compute_what_they_say) {
  for (const auto& loop : {widest_multiply_adds(), plain_multiply_adds()}) {
    EXPECT_NEAR(loop.run(1), 1, 1e-12);
    EXPECT_NEAR(loop.run(1000), 1, 1e-12);
    EXPECT_GE(loop.operations_per_step, 2);
  }
}

TEST(core_peak, is_positive) {
  EXPECT_GT(measured_peak(1, 1e-3), 0);
  EXPECT_GT(measured_peak(2, 1e-3), 0);
}

TEST(blas_library, that_is_not_there_cannot_be_opened) {
  EXPECT_FALSE(BlasLibrary::open("libsteelyard-has-no-such-blas.so").has_value());
  EXPECT_FALSE(BlasLibrary::open("libm.so.6").has_value()) << "no BLAS in it";
}

TEST(product, rate_of_the_linked_library_is_found_and_its_products_are_right) {
  if (!blas::available()) GTEST_SKIP() << "built without a BLAS";
  const auto library = BlasLibrary::linked();
  EXPECT_FALSE(library.identity().file.empty());
  for (const int threads : {1, 2}) {
    const auto found = checked_rate(library, threads);
    EXPECT_EQ(found.wrong, "");
    EXPECT_GT(found.flop_s, 0);
  }
}

TEST(huge_memory, more_than_the_machine_has_is_refused) {
  EXPECT_THROW(steelyard::machine::HugeMemory(std::int64_t{1} << 55), std::bad_alloc);
}

TEST(huge_memory, begins_at_a_huge_page_and_is_zero) {
  const steelyard::machine::HugeArray<double> values(100'000);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(values.data()) % steelyard::machine::HugeMemory::huge_page, 0U);
  for (const double value : values.span()) ASSERT_EQ(value, 0);
}

namespace {

/// Memory as other processes could map it.
class SharedMemory {
 public:
  explicit SharedMemory(std::size_t bytes)
      : bytes_(bytes), data_(mapped(bytes, MAP_SHARED | MAP_ANONYMOUS)) {}
  ~SharedMemory() { munmap(data_, bytes_); }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  [[nodiscard]] std::byte* data() const { return data_; }

 private:
  static std::byte* mapped(std::size_t bytes, int how) {
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, how, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    return static_cast<std::byte*>(memory);
  }
  std::size_t bytes_;
  std::byte* data_;
};

std::byte pattern(std::size_t i) {
  return static_cast<std::byte>(i * 37 % 251);
}

}  // namespace

TEST(huge_view, shows_the_same_memory_before_and_after_it_moves) {
  constexpr std::size_t bytes = (12 << 20) + 5000, skipped = 4096 + 192;
  const SharedMemory memory(bytes);
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  // An emulator of a processor may not know how to map shared memory again.
  void* const again = mremap(memory.data(), 0, page, MREMAP_MAYMOVE);
  if (again == MAP_FAILED) GTEST_SKIP() << "shared memory cannot be mapped again here";
  munmap(again, page);
  std::byte* const part = memory.data() + skipped;
  constexpr std::size_t count = bytes - skipped - 100;
  HugeView view(part, count);
  ASSERT_NE(view.data(), nullptr);
  EXPECT_NE(view.data(), part);
  view.populate();
  for (std::size_t i = 0; i < count; ++i) view.data()[i] = pattern(i);
  view.collapse();
  for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(part[i], pattern(i)) << i;
  part[7] = std::byte{99};
  EXPECT_EQ(view.data()[7], std::byte{99});
  HugeView other = std::move(view);
  EXPECT_EQ(other.data()[7], std::byte{99});
  EXPECT_LE(steelyard::machine::in_huge_pages(other.data(), count), static_cast<std::int64_t>(count));
  other = {};
  EXPECT_EQ(part[8], pattern(8));
}

TEST(huge_view, lies_in_huge_pages_before_anybody_writes) {
  constexpr std::int64_t bytes = 12 << 20, huge = steelyard::machine::HugeMemory::huge_page;
  const SharedMemory memory(bytes), plain(bytes);
  const HugeView view(memory.data(), bytes), moved(plain.data(), bytes);
  if (moved.data() == nullptr) GTEST_SKIP() << "shared memory cannot be mapped again here";
  std::fill_n(moved.data(), bytes, std::byte{1});
  moved.collapse();
  if (steelyard::machine::in_huge_pages(moved.data(), bytes) < huge)
    GTEST_SKIP() << "the system moves no shared memory into huge pages";
  EXPECT_EQ(steelyard::machine::in_huge_pages(view.data(), bytes), 0);
  view.populate();
  EXPECT_GE(steelyard::machine::in_huge_pages(view.data(), bytes), 4 * huge);
}

TEST(huge_view, is_empty_where_nothing_is_won_or_nothing_is_shared) {
  const SharedMemory memory(64 << 10);
  const HugeView small(memory.data(), 64 << 10);
  EXPECT_EQ(small.data(), nullptr);
  small.populate();
  small.collapse();
  const steelyard::machine::HugeArray<std::byte> own(16 << 20);
  EXPECT_EQ(HugeView(own.data(), 16 << 20).data(), nullptr);
}
