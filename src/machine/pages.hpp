// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include "machine/environment.hpp"

namespace steelyard::machine {

/// Zeroed memory of its own, on a boundary of 2 MiB and marked for huge pages; its pages are not touched
/// before its user does. Move-only.
class HugeMemory {
 public:
  static constexpr std::int64_t huge_page = 2 << 20;

  HugeMemory() = default;
  /// Throws std::bad_alloc if the machine does not have that much left.
  explicit HugeMemory(std::int64_t bytes);
  HugeMemory(HugeMemory&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  HugeMemory& operator=(HugeMemory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~HugeMemory();

  [[nodiscard]] std::byte* data() const noexcept { return data_; }
  [[nodiscard]] std::int64_t size() const noexcept { return bytes_; }
  /// Bytes that the kernel holds in huge pages at present, 0 if it does not tell.
  [[nodiscard]] std::int64_t in_huge_pages() const;

 private:
  std::byte* data_ = nullptr;
  std::int64_t bytes_ = 0;
};

/// Bytes in huge pages of any memory, of one process or of several.
[[nodiscard]] std::int64_t in_huge_pages(const std::byte* from, std::int64_t bytes);

/// n elements of a plain type in memory of its own.
template <class T>
class HugeArray {
 public:
  static_assert(std::is_trivially_copyable_v<T>);

  HugeArray() = default;
  explicit HugeArray(std::int64_t n)
      : memory_(n * static_cast<std::int64_t>(sizeof(T))), n_(static_cast<std::size_t>(n)) {}
  [[nodiscard]] T* data() const noexcept { return static_cast<T*>(static_cast<void*>(memory_.data())); }
  [[nodiscard]] std::size_t size() const noexcept { return n_; }
  [[nodiscard]] std::span<T> span() const noexcept { return {data(), n_}; }
  [[nodiscard]] T& operator[](std::size_t i) const noexcept { return data()[i]; }
  [[nodiscard]] const HugeMemory& memory() const noexcept { return memory_; }

 private:
  HugeMemory memory_;
  std::size_t n_ = 0;
};

/// Memory of this process by the NUMA domain where it lies.
struct PagePlaces {
  std::int64_t byte = 0;         // in use, of areas of at least a mebibyte that belong to no file
  std::int64_t remote_byte = 0;  // of these in other domains than the one that was asked for
};

/// own_domain() on a node with several; else nullopt, as nothing can be elsewhere.
[[nodiscard]] std::optional<int> one_domain_of_several(const Roots& roots = {});
/// Where the memory of this process lies, beside `domain`. The kernel walks all its pages: some 10 ms for a GiB of
/// small ones. Nothing is told of a system that does not list them.
[[nodiscard]] PagePlaces page_places(int domain, const Roots& roots = {});

}  // namespace steelyard::machine
