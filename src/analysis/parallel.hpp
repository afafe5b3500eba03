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

/// Threads for readers of very large amounts of data, without MPI.
namespace steelyard::analysis {

/// Number of threads that share so many pieces of work: the processors of this computer, at most 16.
[[nodiscard]] inline std::size_t threads_for(std::size_t pieces) {
  constexpr std::size_t most = 16;
  const std::size_t processors = std::max(1U, std::thread::hardware_concurrency());
  return std::max<std::size_t>(1, std::min({pieces, processors, most}));
}

/// Calls `work(piece, thread)` for every piece, `thread` from 0 to threads_for(pieces) - 1, each piece once
/// and in any order. Where the system gives fewer threads, these do all of it. Rethrows the first exception when all
/// threads have ended.
template <class Work>
void share_work(std::size_t pieces, const Work& work) {
  std::atomic<std::size_t> next = 0;
  std::exception_ptr thrown;
  std::mutex throwing;
  const auto take_pieces = [&](std::size_t thread) {
    try {
      for (std::size_t piece = next++; piece < pieces; piece = next++) work(piece, thread);
    } catch (...) {
      const std::lock_guard lock(throwing);
      if (!thrown) thrown = std::current_exception();
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
