// SPDX-License-Identifier: Apache-2.0
#include "process/descriptor.hpp"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <system_error>

namespace steelyard::cli {
namespace {

// Waits until a read or write does more than to say that it must wait. False if it is not wanted any more.
bool wait_until_ready(int descriptor, short events, int abandoned) {
  std::array<pollfd, 2> watched{pollfd{descriptor, events, 0}, pollfd{abandoned, POLLIN, 0}};
  while (poll(watched.data(), watched.size(), -1) < 0)
    if (errno != EINTR) return true;
  return watched[1].revents == 0;
}

bool must_wait() {
  return errno == EINTR || errno == EAGAIN;
}

constexpr std::size_t piece_byte = std::size_t{1} << 16;

/// Why a file may have no end; empty if it has one. Pipes that a shell makes for a program have no name of their own, and
/// end; one that lies in a directory may have no writer.
std::string_view endless(const std::filesystem::path& file) {
  std::error_code ignored;
  if (file == "/dev/null" || file == "/dev/stdin") return "";
  const auto there = std::filesystem::status(file, ignored);
  if (std::filesystem::is_character_file(there)) return "a device is no text";
  const bool is_named_pipe =
      std::filesystem::is_fifo(there) && !std::filesystem::canonical(file, ignored).empty();
  return is_named_pipe ? "a pipe with a name is no text" : "";
}

}  // namespace

int write_all(int descriptor, std::string_view text, int abandoned) {
  while (!text.empty()) {
    if (!wait_until_ready(descriptor, POLLOUT, abandoned)) return EPIPE;
    const ssize_t written = write(descriptor, text.data(), text.size());
    if (written >= 0)
      text.remove_prefix(static_cast<std::size_t>(written));
    else if (!must_wait())
      return errno;
  }
  return 0;
}

void read_all(int descriptor, const std::function<void(std::string_view)>& take, int abandoned) {
  std::array<char, PIPE_BUF> buffer{};
  while (wait_until_ready(descriptor, POLLIN, abandoned)) {
    const ssize_t count = read(descriptor, buffer.data(), buffer.size());
    if (count == 0 || (count < 0 && !must_wait())) return;
    if (count > 0) take({buffer.data(), static_cast<std::size_t>(count)});
  }
}

std::ifstream open_to_read(const std::filesystem::path& file) {
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  std::error_code ignored;
  if (in && std::filesystem::is_directory(file, ignored)) {
    in.setstate(std::ios::failbit);
    errno = EISDIR;
  }
  return in;
}

std::optional<std::string> read_text(std::istream& in, std::string& why) {
  std::string text;
  for (std::size_t got = piece_byte; got == piece_byte;) {
    const std::size_t before = text.size();
    text.resize(before + piece_byte);
    got = static_cast<std::size_t>(in.read(text.data() + before, piece_byte).gcount());
    text.resize(before + got);
    if (text.size() <= most_text_byte) continue;
    why = too_long_a_text;
    return std::nullopt;
  }
  return text;
}

std::optional<std::string> read_text(const std::filesystem::path& file, std::string& why) {
  if (const auto reason = endless(file); !reason.empty()) {
    why = reason;
    return std::nullopt;
  }
  std::ifstream in = open_to_read(file);
  if (in) return read_text(in, why);
  why = std::generic_category().message(errno);
  return std::nullopt;
}

}  // namespace steelyard::cli
