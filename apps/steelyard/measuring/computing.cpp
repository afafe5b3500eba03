// SPDX-License-Identifier: Apache-2.0
#include "measuring/computing.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <stdexcept>

#include "formats/live/verdict.hpp"
#include "measuring/measuring.hpp"
#include "measuring/terminal.hpp"
#include "process/errors.hpp"
#include "process/launched.hpp"
#include "suites/hpcc/blas/trial.hpp"
#include "suites/hpcc/foundation/threads.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

constexpr int most_threads = 1024;

/// Rules of the trial as this program makes it.
hpcc::TrialRules blas_trial_rules(int threads) {
  std::error_code unknown;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", unknown);
  return {.child = {program.string(), "blas-child"}, .threads = threads};
}

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

hpcc::BlasWish parse_blas(std::string_view word) {
  using enum hpcc::BlasWish::Kind;
  if (word == "fastest" || word == "as-linked") return {word == "fastest" ? fastest : as_linked};
  const auto colon = word.rfind(':');
  const bool kernel = colon != word.npos && word.find('/', colon) == word.npos;
  hpcc::BlasWish wish{named, std::string(word.substr(0, kernel ? colon : word.npos)),
                      std::string(kernel ? word.substr(colon + 1) : std::string_view())};
  if (wish.file.empty() || (kernel && wish.kernel.empty()))
    throw units::ParseError("'" + std::string(word) +
                            "' names no library (fastest, as-linked, or FILE[:KERNEL])");
  return wish;
}

hpcc::BlasWish blas_wish(const Values& values, hpcc::BlasWish::Kind otherwise) {
  const bool trial = values.on("blas-trial");
  const auto word = values.word("blas");
  if (trial && word && *word != "fastest")
    throw UsageError("--blas-trial is --blas fastest, not --blas " + *word);
  if (word) return parse_blas(*word);
  if (trial) return {hpcc::BlasWish::Kind::fastest};
  return {values.on("base") ? hpcc::BlasWish::Kind::as_linked : otherwise};
}

std::shared_ptr<const hpcc::BlasInUse> chosen_blas(const mpi::Communicator& world, const std::string& help_of,
                                                   int threads, const hpcc::BlasWish& wish,
                                                   const record::Document& earlier) {
  std::shared_ptr<const hpcc::BlasInUse> chosen;
  agreed(world, help_of, [&] {
    try {
      chosen = hpcc::choose_blas(world, wish, blas_trial_rules(threads), earlier);
    } catch (const std::invalid_argument& fault) {
      throw Refused(fault.what());
    }
  });
  return chosen;
}

void tell_blas(const mpi::Communicator& world, const Invocation& invocation, const hpcc::BlasInUse& blas) {
  if (!world.is_root() || invocation.values.on("quiet")) return;
  const std::string text = "steelyard: " + hpcc::sentence(blas.findings) + '\n';
  const bool whole = invocation.values.on("verbose") || !shows_on_terminal(invocation);
  talk(invocation) << (whole ? text : formats::clipped(text)) << std::flush;
}

}  // namespace steelyard::cli
