// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory_resource>
#include <mutex>
#include <vector>

#include "machine/huge_memory.hpp"

namespace steelyard::cli {

/// Memory in huge pages if the system has them: the first use of a few hundred mebibytes costs a third of the time that
/// the history of a thousand runs takes from its cache. It comes in pieces of 32 MiB and more, which are freed when the
/// object is destroyed. All threads share one object: columns in the same memory move without a copy.
class HugePages final : public std::pmr::memory_resource {
 private:
  /// Source of the pieces. Throws std::bad_alloc.
  class Pieces final : public std::pmr::memory_resource {
    void* do_allocate(std::size_t bytes, std::size_t) override {
      return held_.emplace_back(static_cast<std::int64_t>(bytes)).data();
    }
    void do_deallocate(void*, std::size_t, std::size_t) override {}
    [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override {
      return this == &other;
    }
    std::vector<machine::HugeMemory> held_;
  };

  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    const std::scoped_lock alone(mutex_);
    return pool_.allocate(bytes, alignment);
  }
  void do_deallocate(void*, std::size_t, std::size_t) override {}
  [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override {
    return this == &other;
  }

  std::mutex mutex_;
  static constexpr std::size_t piece_byte = std::size_t{32} << 20;
  Pieces pieces_;
  std::pmr::monotonic_buffer_resource pool_{piece_byte, &pieces_};
};

}  // namespace steelyard::cli
