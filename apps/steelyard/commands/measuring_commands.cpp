// SPDX-License-Identifier: Apache-2.0
#include "commands/commands.hpp"

namespace steelyard::cli {

std::span<const Command* const> measuring_commands() {
  static constexpr const Command* all[] = {
      &run_command,     &selftest_command, &imb_mpi1_command,  &imb_ext_command, &imb_io_command,
      &imb_nbc_command, &imb_mpi4_command, &mpi4_command,      &imb_rma_command, &imb_p2p_command,
      &imb_mt_command,  &b_eff_command,    &b_eff_io_command,  &ftio_command,    &hpcc_command,
      &hpl_command,     &probe_command,    &blas_child_command};
  return all;
}

}  // namespace steelyard::cli
