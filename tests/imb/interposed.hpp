// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// Stands between the benchmarks and the MPI library (its profiling interface) to see their calls and to
/// spoil them.
namespace steelyard::imb::test {

enum class Fault {
  none,
  drop,        // what was received in repetition 1 never arrives
  swap,        // two senders are exchanged
  shift,       // the data arrive one element too far
  overrun,     // one byte behind the message is written
  spoil,       // the send buffer is changed, or a byte of a window where nobody writes
  twice,       // an accumulation happens again
  last_piece,  // what was received last of all pieces never arrives: complete too early
  cross        // messages to opposite directions of a grid are exchanged
};

struct Interposer {
  Fault fault = Fault::none;
  int hit = 1;             // receiving call, from 0
  int calls = 0;           // receiving calls so far
  std::vector<int> roots;  // of the calls with a root
  std::vector<const void*> sent, received;
  std::vector<std::int64_t> displacements;  // of one-sided transfers
  int fences = 0;
  std::vector<int> parts;  // in the order in which they were handed over
  std::string
      calls_in_order;  // s start, w wait, t test, b barrier; i init and f free of a persistent request; p part
  int failing_start = 0;          // this MPI_Start from now on, from 1, fails on this process
  int code_of_start = 0;          // that it returns
  bool receive_first = false;     // of the requests that were started together last
  bool exchanges_blocks = false;  // of the two neighbours of each dimension, as some libraries do
  /// Of the persistent requests that are started from now on.
  std::byte* persistent_receive = nullptr;
  std::int64_t persistent_byte = 0, persistent_piece = 0;
};
[[nodiscard]] Interposer& interposer();

/// Forgets everything and watches from now on.
void watch(Fault fault = Fault::none, int hit = 1);

}  // namespace steelyard::imb::test
