// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/blas/file_copy.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace steelyard::hpcc {
namespace {

[[noreturn]] void give_up(const std::string& what) {
  throw std::runtime_error(what + ": " + std::generic_category().message(errno));
}

/// A descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) close(number_);
  }
  [[nodiscard]] int get() const { return number_; }
  [[nodiscard]] int release() { return std::exchange(number_, -1); }

 private:
  int number_;
};

/// A file of this process alone, from which programs may be loaded.
int nameless_file() {
  const int in_memory = memfd_create("steelyard-blas", MFD_CLOEXEC);
  if (in_memory >= 0) return in_memory;
  const char* directory = std::getenv("TMPDIR");
  std::string name = std::string(directory == nullptr ? "/tmp" : directory) + "/steelyard-blas-XXXXXX";
  const int file = mkostemp(name.data(), O_CLOEXEC);
  if (file >= 0) unlink(name.c_str());
  return file;
}

void copy(int from, int to) {
  std::array<char, 1 << 16> buffer{};
  for (ssize_t read_now = 0; (read_now = read(from, buffer.data(), buffer.size())) != 0;) {
    if (read_now < 0) give_up("cannot be read");
    for (ssize_t done = 0; done < read_now;) {
      const auto written = write(to, buffer.data() + done, static_cast<std::size_t>(read_now - done));
      if (written <= 0) give_up("cannot be copied");
      done += written;
    }
  }
}

}  // namespace

FileCopy::FileCopy(const std::string& file) {
  const Descriptor from(open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (from.get() < 0) give_up("cannot be read");
  Descriptor to(nameless_file());
  if (to.get() < 0) give_up("cannot be copied");
  copy(from.get(), to.get());
  descriptor_ = to.release();
}

FileCopy& FileCopy::operator=(FileCopy&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

FileCopy::~FileCopy() {
  if (descriptor_ >= 0) close(descriptor_);
}

std::string FileCopy::path() const {
  return "/proc/self/fd/" + std::to_string(descriptor_);
}

CopyPlace FileCopy::place() const {
  struct stat status {};
  if (fstat(descriptor_, &status) != 0) return {};
  return {getpid(), descriptor_, status.st_dev, status.st_ino};
}

std::string path_of(const CopyPlace& place) {
  if (place.descriptor < 0) return "";
  const auto path = "/proc/" + std::to_string(place.process) + "/fd/" + std::to_string(place.descriptor);
  struct stat status {};
  const bool same =
      stat(path.c_str(), &status) == 0 && status.st_dev == place.device && status.st_ino == place.node;
  return same ? path : "";
}

}  // namespace steelyard::hpcc
