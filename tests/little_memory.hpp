// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <fstream>

#include "mpi/communicator.hpp"

namespace steelyard {

/// Whether a process may be refused memory: the address sanitizer ends one that gets none.
#ifdef __SANITIZE_ADDRESS__
inline constexpr bool memory_may_lack = false;
#else
inline constexpr bool memory_may_lack = true;
#endif

/// Leaves the last process so much address space while it lives.
class LittleMemory {
 public:
  explicit LittleMemory(std::int64_t left_byte) {
    getrlimit(RLIMIT_AS, &before_);
    const auto world = mpi::Communicator::world();
    if (world.rank() != world.size() - 1) return;
    rlimit little = before_;
    little.rlim_cur = static_cast<rlim_t>(pages_in_use() * sysconf(_SC_PAGESIZE) + left_byte);
    setrlimit(RLIMIT_AS, &little);
  }
  LittleMemory(const LittleMemory&) = delete;
  LittleMemory& operator=(const LittleMemory&) = delete;
  ~LittleMemory() { setrlimit(RLIMIT_AS, &before_); }

 private:
  static std::int64_t pages_in_use() {
    std::int64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages;
  }
  rlimit before_{};
};

}  // namespace steelyard
