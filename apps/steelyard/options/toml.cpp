// SPDX-License-Identifier: Apache-2.0
#include "options/toml.hpp"

#include <algorithm>
#include <optional>

#include "process/errors.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

/// Scanner of a TOML text that tells strings and comments from the rest. Right up to the first error of the text.
class TomlScanner {
 public:
  explicit TomlScanner(std::string_view text) : text_(text) {
    if (text_.starts_with("\xef\xbb\xbf")) begin_ = at_ = 3;
  }

  /// Place of the first character beyond ASCII outside of strings and comments, or the end.
  std::size_t first_foreign() {
    while (at_ < text_.size() && static_cast<unsigned char>(text_[at_]) < 0x80) step();
    return std::min(at_, text_.size());
  }

 private:
  void step() {
    const char c = text_[at_];
    if (c == '#')
      at_ = std::min(text_.find('\n', at_), text_.size());
    else if ((c == '"' || c == '\'') && may_begin())
      pass_string(c);
    else
      pass(c);
  }

  void pass(char c) {
    switch (c) {
      case '=': ++equals_; break;
      case '[':
      case '{':
        wrong_ = wrong_ || !may_open();
        if (c == '{' || in_array() || equals_ > 0) open_ += c;
        if (c == '{') equals_ = 0;
        break;
      case ']':
      case '}': close(c == ']' ? '[' : '{'); break;
      case ',':
        if (!in_array()) equals_ = 0;
        break;
      case '\n':
        if (open_.empty()) equals_ = 0;
        break;
      default: break;
    }
    ++at_;
  }

  [[nodiscard]] bool in_array() const { return !open_.empty() && open_.back() == '['; }

  /// Ends an array or a table, the value of the key before it. The bracket of a heading ends nothing.
  void close(char opening) {
    if (open_.empty() || open_.back() != opening) return;
    open_.pop_back();
    equals_ = 1;
  }

  /// Whether an array, a table or a heading may begin here.
  [[nodiscard]] bool may_open() const {
    const auto place = last_before(at_);
    return !place || text_[*place] == '\n' || (opens(text_[*place]) && equals_ < 2);
  }

  /// Whether a string may begin here. Elsewhere a quote is an error, which the library tells later: in or behind a word,
  /// after the point of a number, a bracket that follows a word, or a second '='.
  [[nodiscard]] bool may_begin() const {
    if (wrong_) return false;
    const auto place = last_before(at_);
    if (!place) return true;
    switch (text_[*place]) {
      case '=': return equals_ == 1 && !in_array();
      case '.': return equals_ == 0 && !in_array();
      case '[': {
        const auto more = last_before(*place);
        return !more || text_[*more] == '\n' || opens(text_[*more]);
      }
      default: return opens(text_[*place]) || text_[*place] == '\n';
    }
  }

  static bool opens(char c) { return std::string_view("=[{,").find(c) != std::string_view::npos; }

  /// Place of the last character before another one that is no blank; nullopt at the beginning.
  [[nodiscard]] std::optional<std::size_t> last_before(std::size_t at) const {
    while (at > begin_ && std::string_view(" \t\r").find(text_[at - 1]) != std::string_view::npos) --at;
    return at > begin_ ? std::optional(at - 1) : std::nullopt;
  }

  void pass_string(char quote) {
    const std::string end(is_triple(quote) ? 3 : 1, quote);
    at_ += end.size();
    while (at_ < text_.size() && !text_.substr(at_).starts_with(end) &&
           (end.size() == 3 || text_[at_] != '\n'))
      at_ += quote == '"' && text_[at_] == '\\' ? 2U : 1U;
    at_ += end.size();
    if (end.size() == 1) return;
    for (int more = 0; more < 2 && at_ < text_.size() && text_[at_] == quote; ++more) ++at_;
  }

  [[nodiscard]] bool is_triple(char quote) const {
    return text_.substr(at_).starts_with(std::string(3, quote));
  }

  std::string_view text_;
  std::size_t begin_ = 0, at_ = 0;
  int equals_ = 0;      // since the last key began
  bool wrong_ = false;  // a bracket stood where none may; behind an error no string begins
  std::string open_;    // brackets of the values that have begun: arrays and tables within a line
};

/// Refuses characters beyond ASCII outside of strings and comments: the library's behaviour for them is undefined.
void refuse_foreign(std::string_view text, const std::string& name) {
  const std::size_t at = TomlScanner(text).first_foreign();
  if (at == text.size()) return;
  const std::string_view before = text.substr(0, at);
  const auto line = 1 + std::ranges::count(before, '\n');
  const auto column = at - (before.rfind('\n') + 1) + 1;
  throw UsageError(name + ':' + std::to_string(line) + ':' + std::to_string(column) +
                   ": a character that is not ASCII stands outside of quotes");
}

}  // namespace

std::string place_in(const std::string& name, const toml::source_region& source) {
  return name + ':' + std::to_string(source.begin.line) + ':' + std::to_string(source.begin.column);
}

toml::table parse_toml(std::string_view text, const std::string& name) {
  refuse_foreign(text, name);
  try {
    return toml::parse(text, name);
  } catch (const toml::parse_error& error) {
    throw UsageError(place_in(name, error.source()) + ": " + std::string(error.description()));
  }
}

void allow_words(const toml::table& table, const std::vector<std::string>& known, const std::string& name,
                 const std::string& before) {
  for (const auto& [key, node] : table) {
    const std::string word(key.str());
    if (std::ranges::find(known, word) != known.end()) continue;
    throw UsageError(place_in(name, key.source()) + ": " + before + "unknown word '" + word + '\'' +
                     units::did_you_mean(word, known));
  }
}

}  // namespace steelyard::cli
