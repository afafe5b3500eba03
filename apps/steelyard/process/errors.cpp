// SPDX-License-Identifier: Apache-2.0
#include "process/errors.hpp"

#include <filesystem>
#include <iostream>
#include <new>

#include "process/launched.hpp"
#include "record/file.hpp"
#include "units/text.hpp"

namespace steelyard::cli {

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
  const auto say = where.empty() ? print_error : print_error_here;
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
    say(where + error.what(), {}, {});
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
  } catch (const std::exception& error) {
    say(where + "internal error: " + error.what(), "please report this together with the command line", {});
    return exit_code::internal;
  }
}

}  // namespace steelyard::cli
