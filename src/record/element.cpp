// SPDX-License-Identifier: Apache-2.0
#include "record/element.hpp"

#include <charconv>
#include <string>

#include "record/conversion.hpp"

namespace steelyard::record::detail {

/// Reads what this program and most others write: JSON whose texts are ASCII without escapes. Whatever else a line holds,
/// errors too, is left to the library, so that there is one judge of what JSON is.
class PlainLine {
 public:
  PlainLine(std::string_view line, std::vector<Element>& elements)
      : at_(line.data()), end_(line.data() + line.size()), elements_(elements) {}

  /// False where the line is not plain; what was added then means nothing.
  bool read() {
    if (!value({}, 0)) return false;
    pass_white();
    return at_ == end_;
  }

 private:
  using Kind = Element::Kind;
  static constexpr int deepest = 32;  // deeper values are not plain

  [[nodiscard]] bool more() const { return at_ != end_; }
  [[nodiscard]] bool sees(char c) const { return more() && *at_ == c; }
  bool pass(char c) { return sees(c) ? (++at_, true) : false; }
  void pass_white() {
    while (more() && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r' || *at_ == '\n')) ++at_;
  }
  bool pass_word(std::string_view word) {
    if (!std::string_view(at_, end_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  bool pass_digits() {
    const char* const first = at_;
    while (more() && *at_ >= '0' && *at_ <= '9') ++at_;
    return at_ != first;
  }

  Element& add(std::string_view name, Kind kind) {
    Element& element = elements_.emplace_back();
    element.name_ = name;
    element.kind_ = kind;
    return element;
  }

  bool value(std::string_view name, int depth) {
    pass_white();
    if (!more()) return false;
    switch (*at_) {
      case '"':
        return text_value(name);
      case '{':
        return depth < deepest && object(name, depth + 1);
      case '[':
        return depth < deepest && list(name, depth + 1);
      case 't':
        return add(name, Kind::boolean).natural_ = 1, pass_word("true");
      case 'f':
        return add(name, Kind::boolean).natural_ = 0, pass_word("false");
      case 'n':
        return add(name, Kind::null), pass_word("null");
      default:
        return number(add(name, Kind::real));
    }
  }

  bool plain_text(std::string_view& text) {
    if (!pass('"')) return false;
    const char* const first = at_;
    // Other than ASCII is negative.
    while (more() && *at_ != '"' && *at_ != '\\' && static_cast<signed char>(*at_) >= ' ') ++at_;
    text = {first, at_};
    return pass('"');
  }

  bool text_value(std::string_view name) {
    std::string_view text;
    if (!plain_text(text)) return false;
    add(name, Kind::text).text_ = text;
    return true;
  }

  bool number(Element& element) {
    const char* const first = at_;
    const bool negative = pass('-');
    if (!pass('0') && !pass_digits()) return false;
    const bool fraction = pass('.');
    if (fraction && !pass_digits()) return false;
    const bool exponent = pass('e') || pass('E');
    if (exponent && (pass('+') || pass('-'), !pass_digits())) return false;
    if (fraction || exponent) return convert(first, element.real_);
    element.kind_ = negative ? Kind::negative : Kind::natural;
    return negative ? convert(first, element.negative_) : convert(first, element.natural_);
  }

  bool convert(const char* first, auto& to) const {
    const auto [end, error] = std::from_chars(first, at_, to);
    return error == std::errc() && end == at_;
  }

  /// Elements or members between brackets.
  template <class Next>
  bool between(std::string_view name, Kind kind, char closing, const Next& next) {
    const std::size_t place = elements_.size();
    add(name, kind);
    ++at_;
    pass_white();
    std::uint32_t size = 0;
    if (!sees(closing)) {
      do {
        if (!next(place)) return false;
        ++size;
        pass_white();
      } while (pass(','));
    }
    elements_[place].size_ = size;
    elements_[place].span_ = static_cast<std::uint32_t>(elements_.size() - place);
    return pass(closing);
  }

  bool list(std::string_view name, int depth) {
    return between(name, Kind::list, ']', [&](std::size_t) { return value({}, depth); });
  }

  bool object(std::string_view name, int depth) {
    std::uint64_t seen = 0;
    return between(name, Kind::object, '}', [&](std::size_t place) {
      std::string_view member;
      pass_white();
      if (!plain_text(member) || is_repeated(member, seen, place)) return false;
      pass_white();
      return pass(':') && value(member, depth);
    });
  }

  /// Of a name that comes twice the last value counts: for the library to sort out. `seen`: a bit for names so far, which
  /// several may share.
  [[nodiscard]] bool is_repeated(std::string_view name, std::uint64_t& seen, std::size_t object) const {
    const unsigned mixed = name.empty() ? 0U
                                        : static_cast<unsigned>(name.size()) * 11U +
                                              static_cast<unsigned char>(name.front()) * 5U +
                                              static_cast<unsigned char>(name.back());
    const std::uint64_t bit = std::uint64_t{1} << (mixed % 64);
    const bool new_bit = (seen & bit) == 0;
    seen |= bit;
    if (new_bit) return false;
    for (std::size_t i = object + 1; i < elements_.size(); i += elements_[i].span_)
      if (elements_[i].name_ == name) return true;
    return false;
  }

  const char* at_;
  const char* end_;
  std::vector<Element>& elements_;
};

double Element::real() const {
  if (kind_ == Kind::natural) return static_cast<double>(natural_);
  return kind_ == Kind::negative ? static_cast<double>(negative_) : real_;
}

Json Element::json() const {
  switch (kind_) {
    case Kind::null:
      return {};
    case Kind::boolean:
      return boolean();
    case Kind::natural:
      return natural_;
    case Kind::negative:
      return negative_;
    case Kind::real:
      return real_;
    case Kind::text:
      return text_;
    case Kind::list:
      break;
    case Kind::object: {
      Json object = Json::object();
      for (const Element& member : *this) object[member.name()] = member.json();
      return object;
    }
  }
  Json list = Json::array();
  for (const Element& element : *this) list.push_back(element.json());
  return list;
}

Elements::Elements(std::string_view line) {
  constexpr std::size_t usual = 128;  // values of a point
  elements_.reserve(usual);
  if (PlainLine(line, elements_).read()) return;
  elements_.clear();
  json_ = parse_line(line);
  add({}, json_);
}

void Elements::add(std::string_view name, const Json& json) {
  using Kind = Element::Kind;
  const std::size_t place = elements_.size();
  Element element;
  element.name_ = name;
  element.size_ = json.is_structured() ? static_cast<std::uint32_t>(json.size()) : 0;
  if (json.is_boolean())
    element.kind_ = Kind::boolean, element.natural_ = json.get<bool>() ? 1 : 0;
  else if (json.is_number_unsigned())
    element.kind_ = Kind::natural, element.natural_ = json.get<std::uint64_t>();
  else if (json.is_number_integer())
    element.kind_ = Kind::negative, element.negative_ = json.get<std::int64_t>();
  else if (json.is_number_float())
    element.kind_ = Kind::real, element.real_ = json.get<double>();
  else if (json.is_string())
    element.kind_ = Kind::text, element.text_ = texts_.emplace_back(json.get<std::string>());
  else if (json.is_structured())
    element.kind_ = json.is_array() ? Kind::list : Kind::object;
  elements_.push_back(element);
  if (json.is_array())
    for (const Json& below : json) add({}, below);
  for (const auto& [member, below] : json.items()) add(member, below);
  elements_[place].span_ = static_cast<std::uint32_t>(elements_.size() - place);
}

}  // namespace steelyard::record::detail
