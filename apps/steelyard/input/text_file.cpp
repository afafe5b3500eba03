// SPDX-License-Identifier: Apache-2.0
#include "input/text_file.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "process/descriptor.hpp"
#include "record/file.hpp"
#include "record/value.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

std::string reason() {
  return std::generic_category().message(errno);
}

/// Descriptor that a name stands for; nullopt for the name of a file.
std::optional<int> descriptor_of(std::string_view file) {
  if (file == "-" || file == "/dev/stdin") return STDIN_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!file.starts_with(folder)) continue;
    if (const auto number = units::read_number<int>(std::string_view(file).substr(folder.size())))
      return number;
  }
  return std::nullopt;
}

/// Pipes that a shell makes for a program have no name of their own, and end.
void refuse_named_pipe(const std::string& file) {
  std::error_code error;
  const bool is_pipe = std::filesystem::is_fifo(file, error);
  if (is_pipe && !std::filesystem::canonical(file, error).empty())
    throw record::ReadError(file + ": is no regular file");
}

bool is_read_once(int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) return false;
  return S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode) || ::isatty(descriptor) == 1;
}

/// A file without a name in memory, that is closed with the object.
class MemoryFile {
 public:
  explicit MemoryFile(const std::string& held)
      : held_(held), descriptor_(::memfd_create("steelyard-input", MFD_CLOEXEC)) {
    if (descriptor_ < 0) throw unreadable(reason());
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  void add(std::string_view bytes) {
    if (size_ == 0) may_be_long_ = bytes.starts_with(begin_of_records) || bytes.starts_with("\x1f\x8b");
    size_ += bytes.size();
    if (size_ > most_text_byte && !may_be_long_) throw unreadable(std::string(too_long_a_text));
    if (write_all(descriptor_, bytes) != 0) throw unreadable(reason());
  }
  void take_place_of(int descriptor) {
    if (::lseek(descriptor_, 0, SEEK_SET) < 0 || ::dup2(descriptor_, descriptor) < 0)
      throw unreadable(reason());
  }

 private:
  [[nodiscard]] record::ReadError unreadable(const std::string& why) const {
    return record::ReadError("cannot read '" + held_ + "': " + why);
  }

  std::string held_;
  int descriptor_;
  std::size_t size_ = 0;
  bool may_be_long_ = false;  // records of a large run, read piece by piece
};

record::ReadError unreadable(const std::string& file, const std::string& why) {
  return record::ReadError("cannot read '" + file + "': " + why);
}

std::ifstream opened(const std::string& file) {
  std::ifstream in = open_to_read(file);
  if (!in) throw unreadable(file, std::generic_category().message(errno));
  return in;
}

/// Text of standard input, which stays at its place if it has one.
std::string text_of_standard_input() {
  const off_t place = ::lseek(STDIN_FILENO, 0, SEEK_CUR);
  std::string text;
  read_all(STDIN_FILENO, [&text](std::string_view bytes) {
    text += bytes;
    if (text.size() > most_text_byte) throw unreadable("-", std::string(too_long_a_text));
  });
  if (place >= 0) static_cast<void>(::lseek(STDIN_FILENO, place, SEEK_SET));
  return text;
}

}  // namespace

void hold_input(const std::string& file) {
  refuse_named_pipe(file);
  const auto descriptor = descriptor_of(file);
  if (!descriptor || !is_read_once(*descriptor)) return;
  MemoryFile memory(file == "-" ? "standard input" : file);
  read_all(*descriptor, [&memory](std::string_view bytes) { memory.add(bytes); });
  memory.take_place_of(*descriptor);
}

bool is_descriptor(const std::string& file) {
  return descriptor_of(file).has_value();
}

bool can_be_read_again(const std::string& file) {
  std::error_code ignored;
  if (file != "-") return std::filesystem::is_regular_file(file, ignored);
  struct stat status {};
  return ::fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode);
}

std::string text_of_file(const std::string& file) {
  if (file == "-") return text_of_standard_input();
  std::string why;
  auto text = read_text(file, why);
  if (!text) throw unreadable(file, why);
  return std::move(*text);
}

std::string hash_of_file(const std::string& file) {
  std::ifstream in = opened(file);
  record::Sha256 sum;
  std::vector<char> piece(std::size_t{1} << 18);
  while (in.read(piece.data(), std::ssize(piece)), in.gcount() > 0)
    sum.add({piece.data(), static_cast<std::size_t>(in.gcount())});
  return sum.text();
}

bool begins_with(const std::string& file, std::string_view text) {
  std::string first(text.size(), '\0');
  if (file == "-") {
    const off_t place = ::lseek(STDIN_FILENO, 0, SEEK_CUR);
    return place >= 0 && ::pread(STDIN_FILENO, first.data(), first.size(), place) == std::ssize(first) &&
           first == text;
  }
  std::ifstream in(file, std::ios::binary);
  return in.read(first.data(), std::ssize(first)) && first == text;
}

}  // namespace steelyard::cli
