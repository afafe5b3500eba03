// SPDX-License-Identifier: Apache-2.0
#include "process/standard_output.hpp"

#include <unistd.h>

#include <cerrno>
#include <iostream>
#include <system_error>

#include "process/errors.hpp"

namespace steelyard::cli {

int lost_output_code(int code, int error) {
  if (error == 0 || error == EPIPE) return code;
  print_error_here("standard output: " + std::generic_category().message(error));
  return code == exit_code::done ? exit_code::point_failed : code;
}

StandardOutput::StandardOutput(int descriptor)
    : descriptor_(descriptor), by_line_(isatty(descriptor) != 0), before_(std::cout.rdbuf(this)) {
  setp(buffer_.data(), buffer_.data() + buffer_.size());
}

StandardOutput::~StandardOutput() {
  sync();
  std::cout.rdbuf(before_);
}

int StandardOutput::finish(int code) {
  sync();
  return lost_output_code(code, error_);
}

StandardOutput::int_type StandardOutput::overflow(int_type character) {
  if (sync() != 0) return traits_type::eof();
  if (traits_type::eq_int_type(character, traits_type::eof())) return traits_type::not_eof(character);
  *pptr() = traits_type::to_char_type(character);
  pbump(1);
  return by_line_ && character == '\n' && sync() != 0 ? traits_type::eof() : character;
}

int StandardOutput::sync() {
  const char* from = pbase();
  while (error_ == 0 && from < pptr()) {
    const ssize_t written = write(descriptor_, from, static_cast<std::size_t>(pptr() - from));
    if (written >= 0)
      from += written;
    else if (errno != EINTR)
      error_ = errno;
  }
  setp(buffer_.data(), buffer_.data() + buffer_.size());
  return error_ == 0 ? 0 : -1;
}

}  // namespace steelyard::cli
