// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace steelyard::record {

/// Member of params or classic. null = applies but has no value.
using Value = std::variant<std::nullptr_t, bool, std::int64_t, double, std::string, std::vector<double>>;

/// Parameters of an experiment by name, in ASCII order (the order of the key).
using Params = std::map<std::string, Value, std::less<>>;

/// Members in the order in which they were added.
using Members = std::vector<std::pair<std::string, Value>>;

/// Member of that name, or nullptr.
[[nodiscard]] const Value* find(const Members& members, std::string_view name);
[[nodiscard]] const Value* find(const Params& params, std::string_view name);

/// Number in an int64 or double value; throws std::domain_error for other kinds.
[[nodiscard]] double number(const Value& value);

/// Number as a whole one; throws std::domain_error if it has a fraction, or lies beyond 2^53, up to which
/// doubles count exactly.
[[nodiscard]] std::int64_t whole(double number);

/// Key suite/benchmark;name=value;... : identity of a point over runs and releases (interface: "Identity").
/// processes always, threads and groups when not 1; ';' '=' '%' and control characters are percent-coded. Every
/// member of params becomes part of the identity. Throws NotANumber (file.hpp) for a value that is not finite.
[[nodiscard]] std::string make_key(std::string_view suite, std::string_view benchmark, int processes,
                                   int threads, int groups, const Params& params);

/// Length of the UTF-8 character at the start of a text that is not empty, 0 if there is none (RFC 3629).
[[nodiscard]] std::size_t character_length(std::string_view text);

/// Text with every byte sequence that is not UTF-8 replaced by U+FFFD (host names, paths, environment).
[[nodiscard]] std::string valid_utf8(std::string_view text);

/// Text on one line: whatever blanks, tabs and other control characters follow one another become one blank, and
/// none is left at its ends.
[[nodiscard]] std::string one_line(std::string_view text);

/// SHA-256 of a text that comes in pieces.
class Sha256 {
 public:
  Sha256();
  void add(std::string_view piece);
  /// Digest "sha256:..." of all pieces so far.
  [[nodiscard]] std::string text() const;

 private:
  std::array<std::uint32_t, 8> state_;
  std::string rest_;  // less than a block
  std::uint64_t length_ = 0;
};

/// Digest "sha256:..." of a text.
[[nodiscard]] std::string sha256(std::string_view text);

}  // namespace steelyard::record
