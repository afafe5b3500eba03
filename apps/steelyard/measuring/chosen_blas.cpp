// SPDX-License-Identifier: Apache-2.0
#include "measuring/chosen_blas.hpp"

#include <filesystem>
#include <stdexcept>

#include "formats/live/verdict.hpp"
#include "measuring/agreement.hpp"
#include "measuring/terminal.hpp"
#include "process/errors.hpp"
#include "suites/hpcc/blas/trial.hpp"

namespace steelyard::cli {

hpcc::TrialRules blas_trial_rules(int threads) {
  std::error_code unknown;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", unknown);
  return {.child = {program.string(), "blas-child"}, .threads = threads};
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
