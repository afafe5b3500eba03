// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

namespace steelyard::hpcc {

/// Second view of shared memory, at an address at which the kernel can map it in huge pages: the address and
/// the place in the shared object must lie alike in such a page, which in the mapping of a library is chance.
/// In pages of 4 KiB, which shared memory usually gets, passes across large arrays wait for the translation
/// of addresses and become slower the larger the arrays are. Move-only.
class HugeView {
 public:
  HugeView() = default;
  /// View of so many bytes of a shared mapping. Empty if it would win less than a few huge pages or the
  /// kernel refuses; the memory itself stays as good as it was.
  HugeView(std::byte* memory, std::int64_t bytes);
  HugeView(HugeView&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        bytes_(std::exchange(other.bytes_, 0)),
        mapped_(std::exchange(other.mapped_, nullptr)),
        mapped_bytes_(std::exchange(other.mapped_bytes_, 0)) {}
  HugeView& operator=(HugeView&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    std::swap(mapped_, other.mapped_);
    std::swap(mapped_bytes_, other.mapped_bytes_);
    return *this;
  }
  ~HugeView();

  /// The memory in this view; nullptr if it is empty.
  [[nodiscard]] std::byte* data() const noexcept { return data_; }
  /// Gets huge pages for memory that nobody has used yet, in the NUMA domain of the caller: writes a zero into each of
  /// them and asks the kernel for the rest. Spares the pages of 4 KiB that using it would get, and the move of
  /// collapse(). Where the kernel refuses, pages come as they are used.
  void populate() const noexcept;
  /// Asks the kernel to put touched memory into huge pages of the NUMA domain in which it lies.
  /// Linux 6.1 does so for shared memory too, whatever its setting for huge pages; others refuse.
  /// All who map the memory profit.
  void collapse() const noexcept;

 private:
  std::byte* data_ = nullptr;
  std::int64_t bytes_ = 0;
  std::byte* mapped_ = nullptr;  // from the begin of its first page
  std::size_t mapped_bytes_ = 0;
};

}  // namespace steelyard::hpcc
