// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Stands between the benchmarks and the MPI library (its profiling interface) and makes transfers that could
/// go on beside a computation take a certain time.
namespace steelyard::imb::test {

enum class Transfer {
  free,      // goes on by itself, needs no processor
  blocking,  // has ended when the call that starts it comes back
  late       // begins only when it is waited for
};

/// From now on a collective that is started, and a write to a file, takes `seconds` longer in this way; a
/// blocking write always does. 0 seconds: all take what they take.
void make_transfers(Transfer kind, double seconds);

}  // namespace steelyard::imb::test
