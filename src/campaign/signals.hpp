// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace steelyard::campaign {

/// Asked for in order by SIGUSR1, SIGINT or SIGTERM; the handlers only set a flag. A second signal ends at
/// once with MPI_Abort and code 5.
void install_stop_signals();
[[nodiscard]] bool stop_signal_seen();

}  // namespace steelyard::campaign
