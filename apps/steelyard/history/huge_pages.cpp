// SPDX-License-Identifier: Apache-2.0
#include "history/huge_pages.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace steelyard::cli {
namespace {

constexpr std::size_t page_byte = std::size_t{2} << 20;

std::size_t whole_pages(std::size_t bytes) {
  return (bytes + page_byte - 1) / page_byte * page_byte;
}

}  // namespace

void* HugePages::Pieces::do_allocate(std::size_t bytes, std::size_t) {
  void* const place = std::aligned_alloc(page_byte, whole_pages(bytes));
  if (place == nullptr) throw std::bad_alloc();
  madvise(place, whole_pages(bytes), MADV_HUGEPAGE);  // a wish: without it pages are small
  return place;
}

void HugePages::Pieces::do_deallocate(void* place, std::size_t, std::size_t) {
  std::free(place);
}

}  // namespace steelyard::cli
