// SPDX-License-Identifier: Apache-2.0
#include "process/errors.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iostream>
#include <new>
#include <system_error>

#include "process/launched.hpp"
#include "record/file.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

constexpr std::size_t longest_word = 512, kept_of_word = 80;

// Bytes of a text, at most so many, that end with a whole character of UTF-8.
std::string_view first_of(std::string_view text, std::size_t most) {
  while (most > 0 && most < text.size() && (static_cast<unsigned char>(text[most]) & 0xc0) == 0x80) --most;
  return text.substr(0, most);
}

// A word without blanks; blanks alone are one, too, so that none of them is long.
std::string cut(std::string_view word) {
  return word.size() <= longest_word ? std::string(word) : std::string(first_of(word, kept_of_word)) + "...";
}

using Say =
    std::function<void(const std::string& what, const std::string& suggestion, const std::string& help)>;

int say_internal(const std::string& where, const std::exception& error, const Say& say) {
  say(where + "internal error: " + error.what(), "please report this together with the command line", {});
  return exit_code::internal;
}

int explain(const std::string& help_of, const std::string& where, const Say& say) {
  try {
    throw;
  } catch (const Ended& ended) {
    return ended.code();
  } catch (const UsageError& error) {
    say(where + error.what(), error.suggestion(), help_of);
    return exit_code::usage;
  } catch (const units::ParseError& error) {
    say(where + error.what(), {}, help_of);
    return exit_code::usage;
  } catch (const record::ReadError& error) {
    say(where + error.what(), {}, {});
    return exit_code::usage;
  } catch (const Refused& error) {
    say(where + error.what(), error.reasons(), {});
    return exit_code::refused;
  } catch (const record::WriteError& error) {
    say(where + error.what(), {}, {});
    return exit_code::refused;
  } catch (const std::filesystem::filesystem_error& error) {
    say(where + error.path1().string() + ": " + error.code().message(), {}, {});
    return exit_code::refused;
  } catch (const std::bad_alloc&) {
    say(where + "not enough memory", {}, {});
    return exit_code::refused;
  } catch (const std::system_error& error) {
    if (error.code() != std::errc::resource_unavailable_try_again) return say_internal(where, error, say);
    say(where + "no more threads or processes are allowed here",
        "'ulimit -u' tells how many the user may have, pids.max those of a control group", {});
    return exit_code::refused;
  } catch (const std::exception& error) {
    return say_internal(where, error, say);
  }
}

}  // namespace

std::string on_one_line(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const bool blank = text.front() == ' ';
    const std::size_t length = std::min(blank ? text.find_first_not_of(' ') : text.find(' '), text.size());
    out += units::controls_escaped(cut(text.substr(0, length)));
    text.remove_prefix(length);
  }
  return out;
}

std::string on_their_lines(std::string_view text) {
  std::string out;
  while (true) {
    const std::size_t end = text.find('\n');
    out += on_one_line(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    out += '\n';
    text.remove_prefix(end + 1);
  }
}

void print_error_here(const std::string& what, const std::string& suggestion, const std::string& help_of) {
  std::string text = "steelyard: error: " + what + '\n';
  if (!suggestion.empty()) text += suggestion + '\n';
  if (!help_of.empty()) text += "try 'steelyard " + help_of + " --help'\n";
  std::cerr << text << std::flush;
}

void print_error(const std::string& what, const std::string& suggestion, const std::string& help_of) {
  if (speaks_for_all()) print_error_here(what, suggestion, help_of);
}

int explain_current_exception(const std::string& help_of, const std::string& where) {
  return explain(help_of, where, [&](const std::string& what, const auto& suggestion, const auto& help) {
    (where.empty() ? print_error : print_error_here)(on_one_line(what), suggestion, help);
  });
}

int code_of_current_exception() {
  return explain({}, {}, [](const auto&, const auto&, const auto&) {});
}

}  // namespace steelyard::cli
