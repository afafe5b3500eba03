// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "imb/options.hpp"
#include "process/errors.hpp"
#include "suites/imb/definition.hpp"
#include "targets.hpp"

namespace steelyard::fuzz {
namespace {

using cli::UsageError;

/// Errors of one line tell it; those of the whole file name the option.
void require_place(const std::string& what, const std::string& option, const TextFile& file) {
  require(names_line(what, file.path() + ':') || what.starts_with(option + ": '"),
          "an error without its place");
}

cli::Values selection(std::string_view input) {
  cli::Values values;
  for (const char* option : {"name", "include", "exclude"}) {
    const auto line = input.substr(0, input.find('\n'));
    input.remove_prefix(std::min(line.size() + 1, input.size()));
    if (!line.empty()) values.set(option, {{std::string(line)}, cli::Source::command_line, option});
  }
  return values;
}

}  // namespace

void read_imb_lengths(std::string_view input) {
  const TextFile file(input);
  accepts<UsageError>(
      [&] {
        const auto lengths = cli::read_lengths(file.path());
        require(!lengths.empty(), "no length");
        for (const Bytes length : lengths) require(length >= Bytes{0}, "a length below 0");
      },
      [&](const std::string& what) { require_place(what, "-msglen", file); });
}

void read_imb_selection(std::string_view input) {
  const TextFile file(input);
  accepts<UsageError>([&] { require(!cli::read_names(file.path()).empty(), "no name"); },
                      [&](const std::string& what) { require_place(what, "-input", file); });
  cli::Values from_file;
  from_file.set("input", {{file.path()}, cli::Source::command_line, "-input"});
  for (const auto& values : {from_file, selection(input)})
    for (const auto version : {imb::Version::v31, imb::Version::v2021})
      accepts<UsageError>([&] {
        for (const auto& name : cli::imb_names(imb::mpi1(), values, version))
          require(imb::find(imb::mpi1(), name) != nullptr, "a benchmark that there is not");
      });
}

}  // namespace steelyard::fuzz
