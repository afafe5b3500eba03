// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <exception>
#include <string_view>

#include "record/members.hpp"

/// Text of a record as this program writes it. Internal to this folder.
namespace steelyard::record::detail {

/// Thrown where a text is not as this program writes it, or holds what only a whole parser tells: that one decides what
/// the text says.
struct NotAsWritten : std::exception {};

/// Values of a line in their order, read without a tree of them. Texts have printable characters without escapes, between
/// signs there are no blanks, whole numbers have at most 18 digits. Whatever else comes up ends in NotAsWritten.
class WrittenText {
 public:
  struct Number {
    bool is_whole = false;
    std::int64_t whole = 0;
    double real = 0;  // whichever it is
  };

  explicit WrittenText(std::string_view text) : at_(text.data()), end_(at_ + text.size()) {}

  [[nodiscard]] bool is_at_end() const { return at_ == end_; }
  [[nodiscard]] bool is_at(char c) const { return at_ != end_ && *at_ == c; }
  /// Each takes what it is asked for if that comes next.
  bool take(char c) {
    if (!is_at(c)) return false;
    ++at_;
    return true;
  }
  bool take_word(std::string_view word) { return is_at(word.front()) && take_rest(word); }
  /// Whether the member that comes next may have a name with this first letter.
  [[nodiscard]] bool may_name(char letter) const {
    constexpr std::ptrdiff_t place = 2;  // behind a sign and a quote
    return end_ - at_ > place && at_[place] == letter;
  }
  /// Takes the name of a member, which is not empty, with the sign before it and the colon behind it.
  bool take_name(char sign, std::string_view name) {
    constexpr std::size_t signs = 4;
    if (static_cast<std::size_t>(end_ - at_) < name.size() + signs || at_[0] != sign) return false;
    const char* const begin = at_ + 2;  // behind the sign and a quote
    if (begin[name.size()] != '"' || begin[0] != name[0] || begin[-1] != '"' ||
        begin[name.size() + 1] != ':' || !is_name(begin, name))
      return false;
    at_ += name.size() + signs;
    return true;
  }

  void need(char c) {
    if (!take(c)) throw NotAsWritten();
  }
  [[nodiscard]] std::string_view text();
  [[nodiscard]] Number number();

  /// Lets `take_one` take every element of a list.
  template <class TakeOne>
  void each_element(const TakeOne& take_one) {
    need('[');
    if (take(']')) return;
    do take_one();
    while (take(','));
    need(']');
  }
  /// Lets `take_one(name)` take the value of every member of an object.
  template <class TakeOne>
  void each_member(const TakeOne& take_one) {
    need('{');
    if (take('}')) return;
    do {
      const std::string_view name = text();
      need(':');
      take_one(name);
    } while (take(','));
    need('}');
  }

 private:
  /// Whether the name stands there, mostly without a call: a record has some fifty.
  static bool is_name(const char* text, std::string_view name) {
    using Long = std::uint64_t;
    using Short = std::uint32_t;
    using Shortest = std::uint16_t;
    const std::size_t size = name.size();
    if (size >= sizeof(Long) && size <= 2 * sizeof(Long)) return is_same<Long>(text, name.data(), size);
    if (size >= sizeof(Short) && size < sizeof(Long)) return is_same<Short>(text, name.data(), size);
    if (size >= sizeof(Shortest) && size < sizeof(Short)) return is_same<Shortest>(text, name.data(), size);
    return std::string_view(text, size) == name;
  }

  bool take_rest(std::string_view word);
  // Inlined into number(), which a line asks forty times.
  [[gnu::always_inline]] inline std::int64_t digits(std::int64_t so_far);
  [[gnu::always_inline]] inline std::int64_t exponent();

  const char* at_;
  const char* end_;
};

}  // namespace steelyard::record::detail
