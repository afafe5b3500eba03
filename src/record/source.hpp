// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>

/// Bytes of a result file, compressed or not. Internal to this folder.
namespace steelyard::record::detail {

class Source {
 public:
  virtual ~Source() = default;
  /// Reads into a buffer. Returns the number of bytes; 0 at the end. Throws ReadError.
  virtual std::size_t read(std::span<char> buffer) = 0;
};

/// Makes a source that takes over the open descriptor. Built once with zlib and once without; the latter
/// refuses compressed files.
[[nodiscard]] std::unique_ptr<Source> open_source(int descriptor, std::string name);

/// File of an input: result.jsonl or result.jsonl.gz inside a directory, else the input itself.
[[nodiscard]] std::filesystem::path file_of(const std::filesystem::path& input);

}  // namespace steelyard::record::detail
