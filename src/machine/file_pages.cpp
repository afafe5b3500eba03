// SPDX-License-Identifier: Apache-2.0
#include "machine/file_pages.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "machine/scratch_parts.hpp"

namespace steelyard::machine {
namespace {

// 2 GiB at a time: the vector of mincore has one byte per page.
constexpr std::int64_t piece_byte = std::int64_t{1} << 31;

std::optional<std::int64_t> resident_pages(int file, std::int64_t start, std::int64_t length,
                                           std::int64_t page_byte) {
  const auto bytes = static_cast<std::size_t>(length);
  void* const place = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file, start);
  if (place == MAP_FAILED) return std::nullopt;
  std::vector<unsigned char> present(static_cast<std::size_t>((length + page_byte - 1) / page_byte));
  const bool told = ::mincore(place, bytes, present.data()) == 0;
  ::munmap(place, bytes);
  if (!told) return std::nullopt;
  return std::ranges::count_if(present, [](unsigned char byte) { return (byte & 1) != 0; });
}

}  // namespace

double Residence::share() const {
  return size_byte == 0 ? 0 : static_cast<double>(resident_byte) / static_cast<double>(size_byte);
}

std::optional<Residence> residence(const std::filesystem::path& path) {
  const scratch::Descriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  struct stat facts {};
  if (!file.valid() || ::fstat(file.get(), &facts) != 0 || !S_ISREG(facts.st_mode)) return std::nullopt;
  const auto page_byte = static_cast<std::int64_t>(::sysconf(_SC_PAGESIZE));
  Residence result{.resident_byte = 0, .size_byte = facts.st_size};
  for (std::int64_t start = 0; start < result.size_byte; start += piece_byte) {
    const auto pages =
        resident_pages(file.get(), start, std::min(piece_byte, result.size_byte - start), page_byte);
    if (!pages) return std::nullopt;
    result.resident_byte += *pages * page_byte;
  }
  result.resident_byte = std::min(result.resident_byte, result.size_byte);
  return result;
}

void drop_pages(const std::filesystem::path& path) {
  const scratch::Descriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!file.valid()) scratch::fail("cannot open", path);
  if (::fsync(file.get()) != 0) scratch::fail("cannot write back", path);
  if (const int error = ::posix_fadvise(file.get(), 0, 0, POSIX_FADV_DONTNEED); error != 0) {
    errno = error;
    scratch::fail("cannot advise the kernel about", path);
  }
}

}  // namespace steelyard::machine
