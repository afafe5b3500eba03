// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Stands between IMB-IO and the MPI library (its profiling interface) to spoil what is moved.
namespace steelyard::imb::test {

enum class FileFault {
  none,
  drop,     // nothing is moved, and the call tells nothing of it
  shift,    // the data are taken from or put to a place one byte too far
  overrun,  // one byte too many
  twice,    // an explicit offset is that of the repetition before
  reverse   // ordered access in the order of ranks from the last to the first
};

/// From now on the `hit`-th transfer of this rank, from 0, has this fault.
void spoil_files(FileFault fault, int hit = 1);

/// Transfers of this rank since then.
[[nodiscard]] int transfers_of_files();

}  // namespace steelyard::imb::test
