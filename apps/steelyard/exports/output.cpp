// SPDX-License-Identifier: Apache-2.0
#include "exports/output.hpp"

#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <streambuf>
#include <system_error>

#include "process/errors.hpp"

namespace steelyard::cli {
namespace {

/// Throws Refused with the reason of the last failed system call. Removes `piece`, what is there of a new file: a part of
/// it is worse than none; empty: nothing is removed.
[[noreturn]] void refuse_to_write(const std::string& file, const std::string& piece) {
  const int number = errno;
  std::error_code error;
  if (!piece.empty()) std::filesystem::remove(piece, error);
  throw Refused("cannot write '" + file + "'" +
                (number == 0 ? std::string() : ": " + std::generic_category().message(number)));
}

/// Whether the name stands for what takes text and loses nothing by it: a device, or a pipe that a shell has made, which
/// has no name of its own. One that lies in a directory may have no reader.
bool only_takes_text(const std::string& file) {
  std::error_code error;
  const auto there = std::filesystem::status(file, error);
  return std::filesystem::is_character_file(there) ||
         (std::filesystem::is_fifo(there) && std::filesystem::canonical(file, error).empty());
}

void refuse_existing(const std::string& file, Existing existing) {
  std::error_code error;
  if (existing == Existing::refused && std::filesystem::exists(file, error) && !only_takes_text(file))
    throw Refused("'" + file + "' exists; --overwrite replaces it");
}

/// Where a new file may be renamed to so that the name shows it: the end of its links, if that is a file or nothing yet.
/// Empty for a device or a pipe, which would be lost, and for links that lead nowhere.
std::string renamable(const std::string& file) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::exists(fs::symlink_status(file, error))) return file;
  const auto end = fs::canonical(file, error);
  return !error && fs::is_regular_file(end, error) ? end.string() : std::string();
}

/// Whether the file holds all of the text now; if not, errno tells why, or is 0.
bool holds_after_writing(const std::string& file, const std::string& text) {
  errno = 0;
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  return bool(out);
}

/// False for a pipe, a link and what a new file would not be: one of several names or of somebody else. These are
/// written directly.
bool can_be_replaced(const std::string& file) {
  struct stat there {};
  if (lstat(file.c_str(), &there) != 0) return true;  // nothing is there
  return S_ISREG(there.st_mode) && there.st_nlink == 1 && there.st_uid == geteuid() &&
         there.st_gid == getegid();
}

/// Buffer that hands text on in large blocks: the stream of a file asks the system for every kilobyte.
class Blocks final : public std::streambuf {
 public:
  explicit Blocks(std::ostream& to) : to_(to) {}
  ~Blocks() override { hand_on(); }
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;

 protected:
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    text_.append(text, static_cast<std::size_t>(size));
    if (text_.size() >= block_byte) hand_on();
    return size;
  }
  int_type overflow(int_type letter) override {
    const char c = traits_type::to_char_type(letter);
    xsputn(&c, 1);
    return letter;
  }

 private:
  static constexpr std::size_t block_byte = std::size_t{1} << 18;

  void hand_on() {
    to_.write(text_.data(), static_cast<std::streamsize>(text_.size()));
    text_.clear();
  }

  std::ostream& to_;
  std::string text_;
};

void write_in_blocks(const std::function<void(std::ostream&)>& write, std::ostream& to) {
  Blocks blocks(to);
  std::ostream out(&blocks);
  write(out);
}

}  // namespace

void write_output(const std::string& text, const std::string& file, Existing existing) {
  if (file == "-") {
    std::cout << text << std::flush;
    return;
  }
  refuse_existing(file, existing);
  const bool was_there = std::filesystem::exists(file);
  if (!holds_after_writing(file, text)) refuse_to_write(file, was_there ? "" : file);
}

void write_whole(const std::string& text, const std::string& file, Existing existing) {
  const std::string place = renamable(file);
  if (file == "-" || place.empty()) return write_output(text, file, existing);
  refuse_existing(file, existing);
  // A name that collectors of *.prom pass over, and that two writers do not share.
  const std::string beside = place + ".new" + std::to_string(getpid());
  if (!holds_after_writing(beside, text) || std::rename(beside.c_str(), place.c_str()) != 0)
    refuse_to_write(file, beside);
}

std::size_t text_width(const Values& values, std::size_t most) {
  constexpr std::size_t least = 60;
  winsize size{};
  const bool told = !values.word("output") && isatty(STDOUT_FILENO) != 0 &&
                    ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return told ? std::clamp(std::size_t{size.ws_col}, least, most) : most;
}

void write_output(const std::string& text, const Values& values) {
  write_output(text, values.word_or("output", "-"),
               values.on("overwrite") ? Existing::replaced : Existing::refused);
}

void write_output(const std::function<void(std::ostream&)>& write, const Values& values) {
  const std::string file = values.word_or("output", "-");
  if (file == "-") {
    write_in_blocks(write, std::cout);
    std::cout << std::flush;
    return;
  }
  std::error_code error;
  const bool is_there = std::filesystem::exists(file, error);
  refuse_existing(file, values.on("overwrite") ? Existing::replaced : Existing::refused);
  bool own = can_be_replaced(file);
  std::string place = own ? file + ".new" + std::to_string(getpid()) : file;
  errno = 0;
  std::ofstream out(place, std::ios::binary | std::ios::trunc);
  if (!out && own && is_there) {  // a file that may be written, in a directory that may not
    own = false;
    place = file;
    out.open(place, std::ios::binary | std::ios::trunc);
  }
  if (own && is_there)
    std::filesystem::permissions(place, std::filesystem::status(file).permissions(), error);
  try {
    if (out) write_in_blocks(write, out);
  } catch (...) {
    out.close();
    if (own) std::filesystem::remove(place, error);
    throw;
  }
  out.close();
  if (!out || (own && std::rename(place.c_str(), file.c_str()) != 0)) refuse_to_write(file, own ? place : "");
}

}  // namespace steelyard::cli
