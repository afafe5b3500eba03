// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <span>

#include "suites/ftio/parameters.hpp"

namespace steelyard::ftio {

/// Memory of whole row sections on the boundary of a page, as direct access to files and vectors want it.
/// Zero at first.
class WorkRows {
 public:
  WorkRows(const Shape& shape, std::int64_t rows)
      : size_(static_cast<std::size_t>(rows * shape.band())),
        data_(static_cast<Complex*>(::operator new(size_ * sizeof(Complex), alignment))) {
    std::uninitialized_fill_n(data_.get(), size_, Complex{});
  }
  [[nodiscard]] Complex* data() const { return data_.get(); }
  [[nodiscard]] std::span<Complex> span() const { return {data_.get(), size_}; }

 private:
  static constexpr std::align_val_t alignment{4096};
  struct Release {
    void operator()(Complex* data) const { ::operator delete(data, alignment); }
  };
  std::size_t size_;
  std::unique_ptr<Complex, Release> data_;
};

}  // namespace steelyard::ftio
