// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

/// A file that the loader takes for another one: the same library can be loaded once more.
namespace steelyard::hpcc {

/// Where another process of this node finds a copy.
struct CopyPlace {
  std::int64_t process = 0;
  std::int64_t descriptor = -1;        // in that process; -1: there is no copy
  std::uint64_t device = 0, node = 0;  // by which it is known again
};

/// A copy in memory, or where the system does not allow that, in a file without a name. Move-only. It may go
/// when whoever wants it has loaded it.
class FileCopy {
 public:
  /// Throws std::runtime_error with the reason.
  explicit FileCopy(const std::string& file);
  FileCopy(FileCopy&& other) noexcept : descriptor_(other.descriptor_) { other.descriptor_ = -1; }
  FileCopy& operator=(FileCopy&& other) noexcept;
  ~FileCopy();
  /// For the loader of this process.
  [[nodiscard]] std::string path() const;
  [[nodiscard]] CopyPlace place() const;

 private:
  int descriptor_ = -1;
};

/// For the loader of this process: a copy that another one holds. Empty where it cannot be reached.
[[nodiscard]] std::string path_of(const CopyPlace& place);

}  // namespace steelyard::hpcc
