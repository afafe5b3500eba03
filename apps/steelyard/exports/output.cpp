// SPDX-License-Identifier: Apache-2.0
#include "exports/output.hpp"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <system_error>

#include "errors.hpp"

namespace steelyard::cli {
namespace {

/// With the reason of the system call that failed last. A piece of a new file is worse than none.
[[noreturn]] void refuse_to_write(const std::string& file, bool was_there) {
  const int number = errno;
  std::error_code error;
  if (!was_there) std::filesystem::remove(file, error);
  throw Refused("cannot write '" + file + "'" +
                (number == 0 ? std::string() : ": " + std::generic_category().message(number)));
}

}  // namespace

void write_output(const std::string& text, const std::string& file, Existing existing) {
  if (file == "-") {
    std::cout << text << std::flush;
    return;
  }
  if (existing == Existing::refused && std::filesystem::exists(file))
    throw Refused("'" + file + "' exists; --overwrite replaces it");
  const bool was_there = std::filesystem::exists(file);
  errno = 0;
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (!out) refuse_to_write(file, was_there);
}

void write_whole(const std::string& text, const std::string& file, Existing existing) {
  if (file == "-") return write_output(text, file, existing);
  if (existing == Existing::refused && std::filesystem::exists(file))
    throw Refused("'" + file + "' exists; --overwrite replaces it");
  // A name that collectors of *.prom pass over, and that two writers do not share.
  const std::string beside = file + ".new" + std::to_string(getpid());
  write_output(text, beside, Existing::replaced);
  std::error_code error;
  std::filesystem::rename(beside, file, error);
  if (!error) return;
  const std::string reason = error.message();
  std::filesystem::remove(beside, error);
  throw Refused("cannot write '" + file + "': " + reason);
}

void write_output(const std::string& text, const Values& values) {
  write_output(text, values.word_or("output", "-"),
               values.on("overwrite") ? Existing::replaced : Existing::refused);
}

}  // namespace steelyard::cli
