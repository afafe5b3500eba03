// SPDX-License-Identifier: Apache-2.0
#include "process/standard_output.hpp"

#include <cerrno>
#include <iostream>
#include <system_error>

#include "process/descriptor.hpp"
#include "process/errors.hpp"

namespace steelyard::cli {

int lost_output_code(int code, int error, bool measured) {
  if (error == 0 || error == EPIPE) return code;
  print_error_here("standard output: " + std::generic_category().message(error));
  if (measured) return code == exit_code::done ? exit_code::point_failed : code;
  // What was judged is of no use to a caller who cannot read it: as with --output, the lost output is told.
  const bool has_finished =
      code == exit_code::done || code == exit_code::point_failed || code == exit_code::judgement;
  return has_finished ? exit_code::refused : code;
}

StandardOutput::StandardOutput(int descriptor) : descriptor_(descriptor), before_(std::cout.rdbuf(this)) {
  setp(buffer_.data(), buffer_.data() + buffer_.size());
}

StandardOutput::~StandardOutput() {
  sync();
  std::cout.rdbuf(before_);
}

int StandardOutput::finish(int code, bool measured) {
  sync();
  return lost_output_code(code, error_, measured);
}

StandardOutput::int_type StandardOutput::overflow(int_type character) {
  if (sync() != 0) return traits_type::eof();
  if (traits_type::eq_int_type(character, traits_type::eof())) return traits_type::not_eof(character);
  *pptr() = traits_type::to_char_type(character);
  pbump(1);
  return character;
}

int StandardOutput::sync() {
  if (error_ == 0) error_ = write_all(descriptor_, {pbase(), pptr()});
  setp(buffer_.data(), buffer_.data() + buffer_.size());
  return error_ == 0 ? 0 : -1;
}

StandardError::StandardError(int descriptor) : descriptor_(descriptor), before_(std::cerr.rdbuf(this)) {}

StandardError::~StandardError() {
  std::cerr.rdbuf(before_);
}

StandardError::int_type StandardError::overflow(int_type character) {
  if (traits_type::eq_int_type(character, traits_type::eof())) return traits_type::not_eof(character);
  const char one = traits_type::to_char_type(character);
  return write_all(descriptor_, {&one, 1}) == 0 ? character : traits_type::eof();
}

std::streamsize StandardError::xsputn(const char* text, std::streamsize length) {
  return write_all(descriptor_, {text, static_cast<std::size_t>(length)}) == 0 ? length : 0;
}

}  // namespace steelyard::cli
