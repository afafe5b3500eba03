// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

namespace steelyard::record::detail {
struct Masks;
}

/// Members of an object of JSON as they stand in its text: for readers that need few members of very many lines.
namespace steelyard::record {

/// One line, in which the characters that give JSON its structure (brackets, colons, commas outside of texts)
/// were found once, many at a time. Values are handed over as written; they are not checked until they are read.
class ScannedLine {
 public:
  struct Value {
    std::string_view text;  // as written, texts with their quotes
    std::size_t mark = 0;   // of the bracket that opens it, for objects and arrays
  };

  /// Scans another line, which must outlive this. Returns false if a text in it has no end or a bracket has
  /// no partner: then no other member may be called.
  bool scan(std::string_view line);

  /// Value of the whole line.
  [[nodiscard]] Value whole() const { return {line_, 0}; }

  /// Hands over name and value of every member of an object of this line until `take` returns false. Returns
  /// false if that is no whole object, as far as it was looked at.
  template <class Take>
  [[gnu::always_inline]] bool each_member(const Value& object, const Take& take) const {
    std::size_t mark = object.mark;
    if (!begins_with(object, '{')) return false;
    std::size_t from = marks_[mark++] + 1;
    if (mark < count_ && sign(mark) == '}' && is_blank(from, marks_[mark])) return ends(object, mark);
    while (mark < count_ && sign(mark) == ':') {
      const std::string_view name = between(from, marks_[mark]);
      if (name.size() < 2 || name.front() != '"' || name.back() != '"') return false;
      const std::size_t begin = marks_[mark++] + 1, opened = mark;
      if (!pass_value(begin, mark)) return false;
      const Value value{between(begin, marks_[mark]), opened};
      if (value.text.empty()) return false;
      if (!take(name.substr(1, name.size() - 2), value)) return true;
      if (sign(mark) == '}') return ends(object, mark);
      if (sign(mark) != ',') return false;
      from = marks_[mark++] + 1;
    }
    return false;
  }

 private:
  // What a line asks a hundred times is inlined into its readers.
  [[nodiscard, gnu::always_inline]] static bool is_white(char c) {
    return static_cast<unsigned char>(c) <= ' ' && (c == ' ' || c == '\t' || c == '\r' || c == '\n');
  }
  [[nodiscard, gnu::always_inline]] char sign(std::size_t mark) const { return line_[marks_[mark]]; }
  /// Text without white space at both ends.
  [[nodiscard, gnu::always_inline]] std::string_view between(std::size_t begin, std::size_t end) const {
    while (begin < end && is_white(line_[begin])) ++begin;
    while (begin < end && is_white(line_[end - 1])) --end;
    return {line_.data() + begin, end - begin};
  }
  [[nodiscard, gnu::always_inline]] bool is_blank(std::size_t begin, std::size_t end) const {
    return begin == end || between(begin, end).empty();
  }
  [[nodiscard]] std::size_t place_of(std::string_view text) const {
    return static_cast<std::size_t>(text.data() - line_.data());
  }
  [[nodiscard]] bool begins_with(const Value& value, char bracket) const {
    return value.mark < count_ && sign(value.mark) == bracket &&
           is_blank(place_of(value.text), marks_[value.mark]);
  }
  /// True if the object ends with the bracket of this mark; for the whole line, that nothing follows it.
  [[nodiscard]] bool ends(const Value& object, std::size_t mark) const {
    return is_blank(marks_[mark] + 1, place_of(object.text) + object.text.size()) &&
           (object.text.size() < line_.size() || mark + 1 == count_);
  }
  /// Moves from the mark that follows the colon to the one that follows the value.
  [[nodiscard, gnu::always_inline]] bool pass_value(std::size_t begin, std::size_t& mark) const {
    if (mark >= count_) return false;
    if (const char first = sign(mark); first != '{' && first != '[') return true;
    if (!is_blank(begin, marks_[mark])) return false;
    mark = closing_[mark];
    const std::size_t end = marks_[mark] + 1;
    return ++mark < count_ && is_blank(end, marks_[mark]);
  }
  /// Matches the next bracket; returns false if it closes without an opening one.
  [[nodiscard, gnu::always_inline]] bool match(std::uint32_t mark) {
    constexpr int apart = '}' - '{';  // the same distance as of the square ones
    const char bracket = sign(mark);
    if (bracket == '{' || bracket == '[') return open_[depth_++] = mark, true;
    if (depth_ == 0 || sign(open_[depth_ - 1]) + apart != bracket) return false;
    closing_[open_[--depth_]] = mark;
    return true;
  }

  bool take(const detail::Masks& masks, std::size_t at);

  std::string_view line_;
  std::vector<std::uint32_t> marks_;    // places in the line; grows only
  std::vector<std::uint32_t> closing_;  // of a mark that opens: the mark that closes it
  std::vector<std::uint32_t> open_;     // marks that wait for theirs
  std::size_t count_ = 0, depth_ = 0;
  std::uint64_t inside_ = 0;  // all ones: the next block begins within a text
  bool escaped_ = false;      // the first character of the next block stands behind a backslash
};

/// True if so many characters, at least as many as a Word has bytes and at most twice as many, are the same.
template <class Word>
[[nodiscard, gnu::always_inline]] inline bool is_same(const char* one, const char* other, std::size_t count) {
  const auto at = [](const char* text) {
    Word word;
    std::memcpy(&word, text, sizeof word);
    return word;
  };
  const std::size_t last = count - sizeof(Word);
  return at(one) == at(other) && at(one + last) == at(other + last);
}

/// True if a name is this word of 2 to 16 characters; without a call.
template <std::size_t Size>
[[nodiscard, gnu::always_inline]] inline bool is_word(std::string_view name, const char (&word)[Size]) {
  constexpr std::size_t count = Size - 1;
  static_assert(count >= 2 && count <= 16);
  using Word = std::conditional_t<(count >= 8), std::uint64_t,
                                  std::conditional_t<(count >= 4), std::uint32_t, std::uint16_t>>;
  return name.size() == count && is_same<Word>(name.data(), &word[0], count);
}

/// Text between the quotes; nullopt for other values and texts with escapes.
[[nodiscard]] std::optional<std::string_view> plain_text(std::string_view value);
/// Number of a value; nullopt if it is none.
[[nodiscard]] std::optional<double> plain_number(std::string_view value);

}  // namespace steelyard::record
