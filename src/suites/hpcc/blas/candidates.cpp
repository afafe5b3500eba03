// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/blas/candidates.hpp"

#include <algorithm>

#include "suites/hpcc/foundation/huge_memory.hpp"
#include "suites/hpcc/foundation/stopwatch.hpp"
#include "units/text.hpp"

namespace steelyard::hpcc {
namespace {

constexpr int products = 4;  // the first wakes the library's threads and buffers

bool same(const BlasLibrary& a, const BlasLibrary& b) {
  const auto &x = a.identity(), &y = b.identity();
  return x.file == y.file || (!x.name.empty() && x.name == y.name && x.version == y.version);
}

double seconds_of(const BlasLibrary& library, std::int64_t n, const HugeArray<double>& matrices) {
  double* c = matrices.data();
  const Stopwatch watch;
  library.multiply(n, 1, c + n * n, c + 2 * n * n, 0, c);
  return watch.seconds();
}

}  // namespace

std::vector<BlasLibrary> installed_blas(const std::vector<std::string>& files) {
  std::vector<BlasLibrary> all{BlasLibrary::linked()};
  for (const auto& file : files) {
    auto library = BlasLibrary::open(file);
    if (!library) continue;
    if (std::ranges::none_of(all, [&](const auto& known) { return same(known, *library); }))
      all.push_back(std::move(*library));
  }
  return all;
}

double trial_rate(const BlasLibrary& library, std::int64_t n, int threads) {
  const HugeArray<double> matrices(3 * n * n);
  std::ranges::fill(matrices.span(), 0.5);
  library.set_threads(threads);
  static_cast<void>(seconds_of(library, n, matrices));
  double best = seconds_of(library, n, matrices);
  for (int i = 2; i < products; ++i) best = std::min(best, seconds_of(library, n, matrices));
  const auto order = static_cast<double>(n);
  return 2 * order * order * order / std::max(best, 1e-9);
}

std::string described(const BlasLibrary& library) {
  const auto& kernel = library.identity().kernel;
  return kernel.empty() ? library.name() : library.name() + ", kernel " + kernel;
}

std::optional<std::string> blas_complaint(const machine::BlasIdentity& blas, double peak_share,
                                          std::int64_t n) {
  if (peak_share >= least_peak_share) return std::nullopt;
  const std::string kernel = blas.kernel.empty() ? "" : " with kernel " + blas.kernel;
  const std::string make = blas.name.empty() ? blas.file : blas.name + " " + blas.version;
  const auto advice = machine::advise_on_blas(blas);
  return "DGEMM of order " + std::to_string(n) + " by " + make + kernel + " reaches " +
         units::format_fixed(100 * peak_share, 0) + " % of what the core's multiply-adds reach. " +
         (advice.text.empty()
              ? "Cure: a larger problem, or the best library of those installed (--blas-trial)."
              : advice.text + " Cure: " + advice.cure + ".");
}

std::string text(const std::vector<TriedBlas>& tried) {
  std::string all;
  for (const auto& one : tried)
    all +=
        (all.empty() ? "" : "; ") + one.name + ": " + units::format_fixed(one.flop_s / 1e9, 1) + " Gflop/s";
  return all;
}

}  // namespace steelyard::hpcc
