// SPDX-License-Identifier: Apache-2.0
#include "exports/output.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iostream>

#include "errors.hpp"

namespace steelyard::cli {

void write_output(const std::string& text, const std::string& file, Existing existing) {
  if (file == "-") {
    std::cout << text << std::flush;
    return;
  }
  if (existing == Existing::refused && std::filesystem::exists(file))
    throw Refused("'" + file + "' exists; --overwrite replaces it");
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << text;
  if (!out.flush()) throw Refused("cannot write '" + file + "'");
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
  std::filesystem::remove(beside, error);
  throw Refused("cannot write '" + file + "'");
}

void write_output(const std::string& text, const Values& values) {
  write_output(text, values.word_or("output", "-"),
               values.on("overwrite") ? Existing::replaced : Existing::refused);
}

}  // namespace steelyard::cli
