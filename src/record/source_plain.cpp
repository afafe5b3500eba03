// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "record/file.hpp"
#include "record/source.hpp"

namespace steelyard::record::detail {
namespace {

class PlainSource final : public Source {
 public:
  PlainSource(int descriptor, std::string name) : descriptor_(descriptor), name_(std::move(name)) {}
  ~PlainSource() override { ::close(descriptor_); }
  PlainSource(const PlainSource&) = delete;
  PlainSource& operator=(const PlainSource&) = delete;

  std::size_t read(std::span<char> buffer) override {
    ssize_t count = 0;
    do {
      count = ::read(descriptor_, buffer.data(), buffer.size());
    } while (count < 0 && errno == EINTR);
    if (count < 0) throw ReadError(name_ + ": " + std::system_category().message(errno));
    refuse_compressed(buffer.first(static_cast<std::size_t>(count)));
    return static_cast<std::size_t>(count);
  }

 private:
  void refuse_compressed(std::span<const char> bytes) {
    const bool compressed = first_ && !bytes.empty() && bytes[0] == '\x1f';
    first_ = false;
    if (compressed)
      throw ReadError(name_ + ": compressed, and this program was built without zlib; use gunzip first");
  }

  int descriptor_;
  std::string name_;
  bool first_ = true;
};

}  // namespace

std::unique_ptr<Source> open_source(int descriptor, std::string name) {
  return std::make_unique<PlainSource>(descriptor, std::move(name));
}

}  // namespace steelyard::record::detail
