// SPDX-License-Identifier: Apache-2.0
#include "record/json.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>

#include "record/json_events.hpp"

namespace steelyard::record {
namespace {

using Library = nlohmann::ordered_json;

constexpr std::size_t deepest = 500;  // far beyond any of ours; values are copied and destroyed recursively

[[noreturn]] void no_member(std::string_view name) {
  throw JsonError("no member '" + std::string(name) + "'");
}

/// Listener that the library calls while it reads; it hands the calls on.
class Listener {
 public:
  explicit Listener(JsonEvents& events) : events_(events) {}

  bool null() { return events_.null(), true; }
  bool boolean(bool value) { return events_.boolean(value), true; }
  bool number_integer(std::int64_t value) { return events_.integer(value), true; }
  bool number_unsigned(std::uint64_t value) { return events_.natural(value), true; }
  bool number_float(double value, const std::string& /*text*/) { return events_.real(value), true; }
  bool string(const std::string& value) { return events_.text(value), true; }
  bool binary(const Library::binary_t& /*value*/) { return false; }  // in no text
  bool start_object(std::size_t /*size*/) { return events_.begin_object(), true; }
  bool key(const std::string& name) { return events_.name(name), true; }
  bool end_object() { return events_.end(), true; }
  bool start_array(std::size_t /*size*/) { return events_.begin_list(), true; }
  bool end_array() { return events_.end(), true; }
  [[noreturn]] bool parse_error(std::size_t byte, const std::string& /*token*/,
                                const Library::exception& error) {
    throw JsonSyntaxError(error.what(),
                          dynamic_cast<const Library::parse_error*>(&error) != nullptr ? byte : 0);
  }

 private:
  JsonEvents& events_;
};

template <class Input>
void read(Input&& input, JsonEvents& events) {
  Listener listener(events);
  static_cast<void>(Library::sax_parse(std::forward<Input>(input), &listener));
}

}  // namespace

void read_json(std::string_view text, JsonEvents& events) {
  // The library takes a zero byte for the end of the text, whatever follows.
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos)
    throw JsonSyntaxError("a byte that is zero", zero + 1);
  read(text, events);
}

/// Builder of a value from what the library finds in a text.
class Json::Builder final : public JsonEvents {
 public:
  template <class Input>
  static Json read(Input&& input) {
    Builder builder;
    record::read(std::forward<Input>(input), builder);
    return std::move(builder.root_);
  }
  template <class Input>
  static Json read_or_null(Input&& input) {
    try {
      return read(std::forward<Input>(input));
    } catch (const JsonSyntaxError&) {
      return {};
    }
  }

  void null() override { put({}); }
  void boolean(bool value) override { put(value); }
  void integer(std::int64_t value) override { put(value); }
  void natural(std::uint64_t value) override { put(value); }
  void real(double value) override { put(value); }
  void text(std::string_view value) override { put(value); }
  void begin_list() override { begin(array()); }
  void begin_object() override { begin(object()); }
  void name(std::string_view name) override { member_ = &(*open_.back())[name]; }
  void end() override { open_.pop_back(); }

 private:
  Json& put(Json value) {
    if (open_.empty()) return root_ = std::move(value);
    if (Json* named = std::exchange(member_, nullptr)) return *named = std::move(value);
    return std::get<Array>(open_.back()->value_).emplace_back(std::move(value));
  }
  void begin(Json empty) {
    if (open_.size() == deepest) throw JsonSyntaxError("nested too deeply", 0);
    open_.push_back(&put(std::move(empty)));
  }

  Json root_;
  std::vector<Json*> open_;
  Json* member_ = nullptr;  // member that waits for its value
};

/// Conversion to the library's value, for printing.
struct Json::Printer {
  struct Line;
  Library operator()(const Array& array) const {
    Library list = Library::array();
    for (const Json& element : array) list.push_back(std::visit(*this, element.value_));
    return list;
  }
  Library operator()(const Object& object) const {
    Library members = Library::object();
    for (const auto& [name, value] : object) members[name] = std::visit(*this, value.value_);
    return members;
  }
  Library operator()(const auto& value) const { return Library(value); }
};

/// Text in one line as the library prints it, without a value of the library for each of ours.
struct Json::Printer::Line {
  std::string& text;

  void print(const Json& json) { std::visit(*this, json.value_); }
  void operator()(std::nullptr_t) { text += "null"; }
  void operator()(bool value) { text += value ? "true" : "false"; }
  void operator()(std::integral auto value) { text += std::to_string(value); }
  void operator()(double value) { append_number(text, value); }
  void operator()(const std::string& value) { append_text(text, value); }
  void operator()(const Array& array) {
    char separator = '[';
    for (const Json& element : array) {
      text += separator;
      print(element);
      separator = ',';
    }
    text += array.empty() ? "[]" : "]";
  }
  void operator()(const Object& object) {
    char separator = '{';
    for (const auto& [name, value] : object) {
      text += separator;
      (*this)(name);
      text += ':';
      print(value);
      separator = ',';
    }
    text += object.empty() ? "{}" : "}";
  }
};

Json Json::parse(std::string_view text) {
  return Builder::read(text);
}

Json Json::parse(std::istream& text) {
  return Builder::read(text);
}

Json Json::parse_or_null(std::string_view text) {
  return Builder::read_or_null(text);
}

Json Json::parse_or_null(std::istream& text) {
  return Builder::read_or_null(text);
}

std::string Json::dump(int indent, Letters letters) const {
  if (indent < 0 && letters == Letters::utf8) {
    std::string text;
    Printer::Line{text}.print(*this);
    return text;
  }
  const Library library = std::visit(Printer{}, value_);
  return library.dump(indent, ' ', letters == Letters::ascii, Library::error_handler_t::replace);
}

std::ostream& operator<<(std::ostream& out, const Json& json) {
  return out << json.dump();
}

Json::Json() : value_(nullptr) {}
Json::Json(const Json& other) = default;
Json::Json(Json&& other) noexcept : value_(std::exchange(other.value_, nullptr)) {}

Json& Json::operator=(Json other) noexcept {
  value_.swap(other.value_);
  return *this;
}
Json::~Json() = default;

Json::Json(std::string&& text, Text /*tag*/) : value_(std::move(text)) {}

Json::Json(std::initializer_list<Item> items) {
  const bool named = std::ranges::all_of(items, [](const Item& item) {
    return item.json.is_array() && item.json.size() == 2 && item.json.front().is_string();
  });
  *this = named ? object(items) : array(items);
}

Json Json::array() {
  Json json;
  json.value_ = Array{};
  return json;
}

Json Json::array(std::initializer_list<Item> items) {
  Json json = array();
  for (const Item& item : items) json.push_back(std::move(item.json));
  return json;
}

Json Json::object() {
  Json json;
  json.value_ = Object{};
  return json;
}

Json Json::object(std::initializer_list<Item> items) {
  Json json = object();
  for (const Item& item : items) json[item.json.at(0).text()] = std::move(item.json.at(1));
  return json;
}

std::size_t Json::size() const {
  if (const auto* array = std::get_if<Array>(&value_)) return array->size();
  if (const auto* object = std::get_if<Object>(&value_)) return object->size();
  return is_null() ? 0 : 1;
}

bool Json::boolean() const {
  if (!is_boolean()) throw JsonError("not true or false");
  return std::get<bool>(value_);
}

std::variant<std::int64_t, std::uint64_t, double> Json::number() const {
  if (const auto* value = std::get_if<std::int64_t>(&value_)) return *value;
  if (const auto* value = std::get_if<std::uint64_t>(&value_)) return *value;
  if (const auto* value = std::get_if<double>(&value_)) return *value;
  throw JsonError("not a number");
}

const std::string& Json::text() const {
  if (!is_string()) throw JsonError("not a text");
  return std::get<std::string>(value_);
}

Json::Array& Json::list() {
  if (!is_array()) throw JsonError("not a list");
  return std::get<Array>(value_);
}

const Json::Array& Json::list() const {
  if (!is_array()) throw JsonError("not a list");
  return std::get<Array>(value_);
}

std::span<Json::Member> Json::items() {
  auto* object = std::get_if<Object>(&value_);
  return object ? std::span<Member>(*object) : std::span<Member>();
}

std::span<const Json::Member> Json::items() const {
  const auto* object = std::get_if<Object>(&value_);
  return object ? std::span<const Member>(*object) : std::span<const Member>();
}

const Json* Json::find_member(std::string_view name) const {
  const auto found = find(name);
  return found == end() ? nullptr : &*found;
}

Json::iterator Json::find(std::string_view name) {
  if (!is_object()) return end();
  return iterator(std::to_address(std::ranges::find(std::get<Object>(value_), name, &Member::name)));
}

Json::const_iterator Json::find(std::string_view name) const {
  if (!is_object()) return end();
  return const_iterator(std::to_address(std::ranges::find(std::get<Object>(value_), name, &Member::name)));
}

Json& Json::at(std::string_view name) {
  return const_cast<Json&>(std::as_const(*this).at(name));
}

const Json& Json::at(std::string_view name) const {
  const Json* member = find_member(name);
  if (!member) no_member(name);
  return *member;
}

Json& Json::at(std::size_t index) {
  return const_cast<Json&>(std::as_const(*this).at(index));
}

const Json& Json::at(std::size_t index) const {
  const Array& array = list();
  if (index >= array.size()) throw JsonError("no element " + std::to_string(index));
  return array[index];
}

namespace {

/// Element of an array whose number stands in a pointer; nullptr if there is none.
const Json* element_of(const Json& array, std::string_view number) {
  std::size_t i = 0;
  for (const char c : number) {
    if (c < '0' || c > '9' || i > array.size()) return nullptr;
    i = 10 * i + static_cast<std::size_t>(c - '0');
  }
  return !number.empty() && i < array.size() ? &array.at(i) : nullptr;
}

}  // namespace

const Json* Json::at_pointer(std::string_view pointer) const {
  const Json* json = this;
  while (json && !pointer.empty()) {
    pointer.remove_prefix(1);
    const std::string_view name = pointer.substr(0, pointer.find('/'));
    pointer.remove_prefix(name.size());
    json = json->is_array() ? element_of(*json, name) : json->find_member(name);
  }
  return json;
}

Json& Json::operator[](std::string_view name) {
  if (is_null()) value_ = Object{};
  if (!is_object()) throw JsonError("not an object");
  auto& object = std::get<Object>(value_);
  const auto found = std::ranges::find(object, name, &Member::name);
  if (found != object.end()) return found->value;
  object.push_back({std::string(name), Json()});
  return object.back().value;
}

const Json& Json::operator[](std::string_view name) const {
  static const Json null;
  const Json* member = find_member(name);
  return member ? *member : null;
}

void Json::push_back(Json element) {
  if (is_null()) value_ = Array{};
  list().push_back(std::move(element));
}

void Json::update(const Json& other) {
  for (const auto& [name, value] : other.items()) (*this)[name] = value;
}

std::size_t Json::erase(std::string_view name) {
  auto* object = std::get_if<Object>(&value_);
  return object ? std::erase_if(*object, [&](const Member& member) { return member.name == name; }) : 0;
}

Json::iterator Json::begin() {
  if (is_object()) return iterator(items().data());
  return iterator(is_array() ? list().data() : this);
}

Json::iterator Json::end() {
  if (is_object()) return iterator(items().data() + size());
  return iterator((is_array() ? list().data() : this) + size());
}

Json::const_iterator Json::begin() const {
  if (is_object()) return const_iterator(items().data());
  return const_iterator(is_array() ? list().data() : this);
}

Json::const_iterator Json::end() const {
  if (is_object()) return const_iterator(items().data() + size());
  return const_iterator((is_array() ? list().data() : this) + size());
}

bool operator==(const Json& left, const Json& right) {
  if (!left.is_number() || !right.is_number() || left.value_.index() == right.value_.index())
    return left.value_ == right.value_;
  return std::visit(
      [](auto a, auto b) {
        if constexpr (std::is_floating_point_v<decltype(a)> || std::is_floating_point_v<decltype(b)>)
          return static_cast<double>(a) == static_cast<double>(b);
        else
          return static_cast<std::int64_t>(a) == static_cast<std::int64_t>(b);
      },
      left.number(), right.number());
}

void append_text(std::string& text, std::string_view value) {
  static constexpr std::array<bool, 256> plain = [] {
    std::array<bool, 256> stands_for_itself{};
    for (unsigned char c = ' '; c < 127; ++c) stands_for_itself.at(c) = c != '"' && c != '\\';
    return stands_for_itself;
  }();
  const auto is_plain = [](char c) { return plain[static_cast<unsigned char>(c)]; };
  if (!std::ranges::all_of(value, is_plain)) {
    text += Library(value).dump(-1, ' ', false, Library::error_handler_t::replace);
    return;
  }
  const std::size_t begin = text.size();
  text.resize(begin + value.size() + 2, '"');
  value.copy(&text[begin + 1], value.size());
}

namespace {

/// Digits of a number and the place of its point: 0.ddd times a power of ten.
struct Digits {
  std::string_view digits;
  int power = 0;
};

/// Fewest digits that read back as the number, which is finite and above 0. They lie in the buffer.
Digits fewest_digits(double number, std::span<char> buffer) {
  const auto end =
      std::to_chars(buffer.data(), std::to_address(buffer.end()), number, std::chars_format::scientific).ptr;
  const auto mark = std::find(buffer.data(), end, 'e');
  int exponent = 0;
  std::from_chars(mark + (mark[1] == '+' ? 2 : 1), end, exponent);
  if (mark == buffer.data() + 1) return {{buffer.data(), 1}, exponent + 1};
  buffer[1] = std::exchange(buffer[0], '0');  // over the point
  return {{buffer.data() + 1, mark}, exponent + 1};
}

/// Text of a number while it is made of parts: a string that grows by each of them takes longer than their digits.
class NumberText {
 public:
  NumberText& put(std::string_view part) {
    end_ = std::ranges::copy(part, end_).out;
    return *this;
  }
  NumberText& put_zeros(int count) {
    end_ = std::fill_n(end_, count, '0');
    return *this;
  }
  void put_exponent(int exponent) {
    put(exponent < 0 ? "e-" : "e+").put(std::abs(exponent) < 10 ? "0" : "");
    end_ = std::to_chars(end_, buffer_.data() + buffer_.size(), std::abs(exponent)).ptr;
  }
  [[nodiscard]] std::string_view text() const { return {buffer_.data(), end_}; }

 private:
  std::array<char, 64> buffer_;
  char* end_ = buffer_.data();
};

}  // namespace

// As the library prints numbers, which takes several times as long: files hold millions of them.
void append_number(std::string& text, double number) {
  constexpr int most_zeros = 4, most_digits = 15;  // before the number gets an exponent
  if (!std::isfinite(number)) {
    text += "null";
    return;
  }
  if (std::signbit(number)) text += '-';
  if (number == 0) {
    text += "0.0";
    return;
  }
  std::array<char, 32> buffer;
  const auto [digits, power] = fewest_digits(std::abs(number), buffer);
  const int count = static_cast<int>(digits.size());
  NumberText to;
  if (power > most_digits || power <= -most_zeros) {
    to.put(digits.substr(0, 1));
    if (count > 1) to.put(".").put(digits.substr(1));
    to.put_exponent(power - 1);
  } else if (power >= count) {
    to.put(digits).put_zeros(power - count).put(".0");
  } else if (power > 0) {
    const auto whole = static_cast<std::size_t>(power);
    to.put(digits.substr(0, whole)).put(".").put(digits.substr(whole));
  } else {
    to.put("0.").put_zeros(-power).put(digits);
  }
  text += to.text();
}

std::optional<double> number_in(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

std::string text_in(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace steelyard::record
