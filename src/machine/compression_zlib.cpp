// SPDX-License-Identifier: Apache-2.0
#include <zlib.h>

#include <vector>

#include "machine/compression.hpp"

namespace steelyard::machine {

namespace {

// 15 = largest window, 16 more = gzip head instead of zlib's.
constexpr int gzip_window = 15 + 16;

Bytef* input(std::string_view bytes) {
  // zlib's interface lacks a const; it does not write there.
  return reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
}

}  // namespace

std::optional<std::string> packed(std::string_view bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window, 9, Z_DEFAULT_STRATEGY) != Z_OK)
    return std::nullopt;
  std::string result(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  stream.next_in = input(bytes);
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(result.data());
  stream.avail_out = static_cast<uInt>(result.size());
  const int outcome = deflate(&stream, Z_FINISH);
  result.resize(stream.total_out);
  deflateEnd(&stream);
  return outcome == Z_STREAM_END ? std::optional(std::move(result)) : std::nullopt;
}

std::optional<std::string> unpacked(std::string_view bytes) {
  z_stream stream{};
  if (inflateInit2(&stream, gzip_window) != Z_OK) return std::nullopt;
  stream.next_in = input(bytes);
  stream.avail_in = static_cast<uInt>(bytes.size());
  std::string result;
  std::vector<char> part(1 << 16);
  int outcome = Z_OK;
  while (outcome == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(part.data());
    stream.avail_out = static_cast<uInt>(part.size());
    outcome = inflate(&stream, Z_NO_FLUSH);
    result.append(part.data(), part.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  return outcome == Z_STREAM_END ? std::optional(std::move(result)) : std::nullopt;
}

}  // namespace steelyard::machine
