// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <system_error>

#include "record/file.hpp"
#include "record/source.hpp"

namespace steelyard::record::detail {
namespace {

/// Source by zlib, which hands uncompressed input through as it is.
class ZlibSource final : public Source {
 public:
  ZlibSource(int descriptor, std::string name) : file_(::gzdopen(descriptor, "rb")), name_(std::move(name)) {
    if (file_ != nullptr) return;
    ::close(descriptor);
    throw ReadError(name_ + ": no memory to read it");
  }
  ~ZlibSource() override { ::gzclose_r(file_); }
  ZlibSource(const ZlibSource&) = delete;
  ZlibSource& operator=(const ZlibSource&) = delete;

  std::size_t read(std::span<char> buffer) override {
    const int count = ::gzread(file_, buffer.data(), static_cast<unsigned>(buffer.size()));
    int code = Z_OK;
    const char* const text = ::gzerror(file_, &code);
    if (code == Z_ERRNO) throw ReadError(name_ + ": " + std::system_category().message(errno));
    // A compressed file that ends too early is an error of its end, after all its bytes were handed over. zlib 1.3.2
    // tells it with the last of them alone.
    if (code == Z_BUF_ERROR) cut_ = text;
    if (count > 0) return static_cast<std::size_t>(count);
    if (!cut_.empty()) throw ReadError(name_ + ": " + cut_);
    if (count < 0 || (code != Z_OK && code != Z_STREAM_END)) throw ReadError(name_ + ": " + text);
    return 0;
  }

 private:
  gzFile file_;
  std::string name_;
  std::string cut_;  // what zlib says of an end that comes too early
};

}  // namespace

std::unique_ptr<Source> open_source(int descriptor, std::string name) {
  return std::make_unique<ZlibSource>(descriptor, std::move(name));
}

}  // namespace steelyard::record::detail
