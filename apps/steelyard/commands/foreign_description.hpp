// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace steelyard::cli {

/// What a file of --describe says of one text; words are as on the command line and not looked at yet.
struct Described {
  struct Word {
    std::string origin, text;  // "old.toml:3:1: date"
  };
  std::optional<Word> as, date, timezone, name;
  std::vector<Word> set;  // NAME=VALUE
  std::vector<std::pair<std::string, std::string>> labels;
};

/// The words of all tables [[file]] whose `match` fits the path (its last part, if `match` has no '/'), `*` and `?` as
/// wildcards; later tables win. Throws UsageError with line, column and nearest word.
[[nodiscard]] Described described(std::string_view text, const std::string& name, const std::string& path);

}  // namespace steelyard::cli
