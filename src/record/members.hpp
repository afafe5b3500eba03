// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

/// Members of an object of JSON as they stand in its text: for readers that need few of very many lines.
namespace steelyard::record {

/// One line, in which the characters that give JSON its structure (brackets, colons, commas outside of texts) were found
/// once, many at a time. Values are handed over as written; they are not checked until somebody reads them.
class ScannedLine {
 public:
  struct Value {
    std::string_view text;  // as written, texts with their quotes
    std::size_t mark = 0;   // of the bracket that opens it, for objects and arrays
  };

  /// Takes another line, which must outlive this. False where a text in it has no end.
  bool scan(std::string_view line);

  /// All of the line.
  [[nodiscard]] Value whole() const { return {line_, 0}; }

  /// Hands over name and value of every member of an object of this line until `take` answers false. False where that is
  /// no whole object, as far as it was looked at.
  template <class Take>
  bool each_member(const Value& object, const Take& take) const {
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
  [[nodiscard]] char sign(std::size_t mark) const { return line_[marks_[mark]]; }
  [[nodiscard]] std::string_view between(std::size_t begin, std::size_t end) const;
  [[nodiscard]] bool is_blank(std::size_t begin, std::size_t end) const {
    return between(begin, end).empty();
  }
  [[nodiscard]] bool begins_with(const Value& value, char bracket) const;
  /// Whether the object ends with the bracket of this mark; of the whole line, that nothing stands behind it.
  [[nodiscard]] bool ends(const Value& object, std::size_t mark) const;
  /// From the mark that follows the colon to that which follows the value.
  bool pass_value(std::size_t begin, std::size_t& mark) const;

  std::string_view line_;
  std::vector<std::uint32_t> marks_;  // grows only
  std::size_t count_ = 0;
};

/// Whether a name is this word: without a call, where the word stands in the program.
template <std::size_t Size>
[[nodiscard]] inline bool is_word(std::string_view name, const char (&word)[Size]) {
  return name.size() == Size - 1 && std::memcmp(name.data(), &word[0], Size - 1) == 0;
}

/// The text between the quotes; nothing for other values and texts with escapes.
[[nodiscard]] std::optional<std::string_view> plain_text(std::string_view value);
/// Nothing for what is no number.
[[nodiscard]] std::optional<double> plain_number(std::string_view value);

}  // namespace steelyard::record
