// SPDX-License-Identifier: Apache-2.0
#include "measuring/compute_threads.hpp"

#include <algorithm>
#include <charconv>

#include "process/errors.hpp"
#include "process/launched.hpp"
#include "suites/hpcc/foundation/threads.hpp"

namespace steelyard::cli {
namespace {

constexpr int most_threads = 1024;

}  // namespace

int threads_of_environment() {
  const std::string word = variable("OMP_NUM_THREADS").value_or("");
  int threads = 1;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), threads);
  const bool whole = error == std::errc{} && (end == word.data() + word.size() || *end == ',');
  return whole && threads >= 1 && threads <= most_threads ? threads : 1;
}

int compute_threads(const Values& values) {
  if (const auto said = values.count("threads")) return static_cast<int>(*said);
  return hpcc::has_threads() ? threads_of_environment() : 1;
}

int messaging_threads(const Values& values) {
  const auto names_it = [](const std::string& word) { return word.starts_with("imb-mt"); };
  if (!std::ranges::any_of(values.list("select"), names_it)) return 1;
  const auto said = values.count("threads");
  return said ? static_cast<int>(*said) : threads_of_environment();
}

void check_threads(const Values& values) {
  if (compute_threads(values) > 1 && !hpcc::has_threads())
    throw UsageError(
        "--threads: this program was built without OpenMP and computes with 1 thread per process");
}

}  // namespace steelyard::cli
