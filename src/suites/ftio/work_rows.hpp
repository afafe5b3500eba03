// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <span>

#include "suites/ftio/parameters.hpp"

namespace steelyard::ftio {

/// Where in a page memory begins: two arrays that are read and written side by side are slower where their
/// elements lie at equal places of pages.
enum class PagePlace { begin, middle };

/// Memory of whole row sections, from the begin of a page on as direct access to files wants it, or from its
/// middle. Zero at first.
class WorkRows {
 public:
  WorkRows(const Shape& shape, std::int64_t rows, PagePlace place = PagePlace::begin)
      : size_(static_cast<std::size_t>(rows * shape.band())),
        lead_(place == PagePlace::begin ? 0 : page / 2 / sizeof(Complex)),
        data_(static_cast<Complex*>(::operator new((lead_ + size_) * sizeof(Complex), alignment))) {
    std::uninitialized_fill_n(data_.get(), lead_ + size_, Complex{});
  }
  [[nodiscard]] Complex* data() const { return data_.get() + lead_; }
  [[nodiscard]] std::span<Complex> span() const { return {data(), size_}; }

 private:
  static constexpr std::size_t page = 4096;
  static constexpr std::align_val_t alignment{page};
  struct Release {
    void operator()(Complex* data) const { ::operator delete(data, alignment); }
  };
  std::size_t size_, lead_;
  std::unique_ptr<Complex, Release> data_;
};

}  // namespace steelyard::ftio
