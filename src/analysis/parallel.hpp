// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "machine/processors.hpp"

/// Threads for readers of very large amounts of data, without MPI.
namespace steelyard::analysis {

/// Processors that this process may use; where that is not told, all of this computer.
[[nodiscard]] inline std::size_t usable_processors() {
  const auto own = machine::processors_of_thread();
  return std::max(1U, own ? static_cast<unsigned>(own->count()) : std::thread::hardware_concurrency());
}

/// Number of threads that share so many pieces of work: the processors that this process might use when it asked first,
/// at most 16. Of as many pieces always the same, since what each thread works with is made before.
[[nodiscard]] inline std::size_t threads_for(std::size_t pieces) {
  constexpr std::size_t most = 16;
  static const std::size_t processors = usable_processors();
  return std::max<std::size_t>(1, std::min({pieces, processors, most}));
}

/// Calls `work(piece, thread)` for every piece, `thread` from 0 to threads_for(pieces) - 1, each piece once
/// and in any order. Where the system gives fewer threads, these do all of it. When all threads have ended, rethrows the
/// exception that one thread alone would have met: pieces begin in their order, and none begins after one has failed.
template <class Work>
void share_work(std::size_t pieces, const Work& work) {
  std::atomic<std::size_t> next = 0;
  std::exception_ptr thrown;
  std::size_t failed = pieces;  // the first of the pieces that did
  std::mutex throwing;
  const auto take_pieces = [&](std::size_t thread) {
    std::size_t piece = next++;
    try {
      for (; piece < pieces; piece = next++) work(piece, thread);
    } catch (...) {
      const std::lock_guard lock(throwing);
      if (piece < failed) thrown = std::current_exception();
      failed = std::min(failed, piece);
      next = pieces;
    }
  };
  {
    std::vector<std::jthread> others;
    try {
      for (std::size_t thread = 1; thread < threads_for(pieces); ++thread)
        others.emplace_back([&take_pieces, thread] { take_pieces(thread); });
    } catch (const std::system_error&) {  // as many as the system gives
    }
    take_pieces(0);
  }
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace steelyard::analysis
