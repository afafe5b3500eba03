// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory_resource>

namespace steelyard::cli {

/// Memory in huge pages where the system has them: the first use of a few hundred mebibytes costs a third of the time that
/// the history of a thousand runs takes from its cache. In pieces of 32 MiB and more; what is given back stays until it goes
/// itself. Not from two threads at once.
class HugePages final : public std::pmr::memory_resource {
 private:
  /// Of the pieces. Throws std::bad_alloc.
  class Pieces final : public std::pmr::memory_resource {
    void* do_allocate(std::size_t bytes, std::size_t alignment) override;
    void do_deallocate(void* place, std::size_t bytes, std::size_t alignment) override;
    [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override {
      return this == &other;
    }
  };

  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    return pool_.allocate(bytes, alignment);
  }
  void do_deallocate(void* place, std::size_t bytes, std::size_t alignment) override {
    pool_.deallocate(place, bytes, alignment);
  }
  [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override {
    return this == &other;
  }

  static constexpr std::size_t piece_byte = std::size_t{32} << 20;
  Pieces pieces_;
  std::pmr::monotonic_buffer_resource pool_{piece_byte, &pieces_};
};

}  // namespace steelyard::cli
