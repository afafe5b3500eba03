// SPDX-License-Identifier: Apache-2.0
#include "record/element.hpp"

#include <algorithm>
#include <utility>

#include "record/conversion.hpp"

namespace steelyard::record::detail {
namespace {

// Depth far beyond that of any record: records are made from values by recursion.
constexpr std::size_t max_depth = 64;

/// Begin of a line, " of 'NAME VALUE ...'", by which the reader recognises it; empty if it is not printable.
std::string beginning(std::string_view line) {
  constexpr std::size_t shown = 30;
  const std::string_view first = line.substr(0, shown);
  const bool printable = std::ranges::all_of(first, [](char c) { return c >= ' ' && c <= '~'; });
  if (first.empty() || !printable) return {};
  return " of '" + std::string(first) + (line.size() > shown ? "...'" : "'");
}

}  // namespace

/// Builder that adds each value behind those before it.
class Elements::Builder final : public JsonEvents {
 public:
  /// For a line of so many characters, whose texts are copied if they end before the elements.
  Builder(Elements& to, std::size_t length, bool copies)
      : elements_(to.elements_), texts_(to.texts_), open_(to.open_), copies_(copies) {
    elements_.clear();
    texts_.clear();
    if (copies) texts_.reserve(length);
    open_.clear();
  }

  void null() override { add(Kind::null); }
  void boolean(bool value) override { add(Kind::boolean).natural_ = value ? 1 : 0; }
  void integer(std::int64_t value) override { add(Kind::negative).negative_ = value; }
  void natural(std::uint64_t value) override { add(Kind::natural).natural_ = value; }
  void real(double value) override { add(Kind::real).real_ = value; }
  void text(std::string_view value) override { add(Kind::text).text_ = kept(value); }
  void begin_list() override { begin(Kind::list); }
  void begin_object() override {
    begin(Kind::object);
    elements_.back().natural_ = 0;
  }
  void name(std::string_view name) override {
    Element& object = elements_[open_.back()];
    if (object.may_have(name)) forget_member(name);
    object.natural_ |= Element::mark_of(name);
    name_ = kept(name);
  }
  void end() override {
    Element& ended = elements_[open_.back()];
    ended.span_ = static_cast<std::uint32_t>(elements_.size() - open_.back());
    open_.pop_back();
  }

 private:
  using Kind = Element::Kind;

  /// Number of elements of a value, with those within it.
  static std::ptrdiff_t reach(const Element& value) { return static_cast<std::ptrdiff_t>(value.span_); }

  Element& add(Kind kind) {
    if (!open_.empty()) ++elements_[open_.back()].size_;
    Element& element = elements_.emplace_back();
    element.name_ = std::exchange(name_, {});
    element.kind_ = kind;
    return element;
  }
  void begin(Kind kind) {
    if (open_.size() == max_depth)
      throw ReadError("nested more than " + std::to_string(max_depth) + " levels");
    add(kind);
    open_.push_back(elements_.size() - 1);
  }

  /// Removes an earlier member of the name: the last value counts.
  void forget_member(std::string_view name) {
    const auto first = elements_.begin() + static_cast<std::ptrdiff_t>(open_.back());
    for (auto member = first + 1; member != elements_.end(); member += reach(*member)) {
      if (member->name_ != name) continue;
      elements_.erase(member, member + reach(*member));
      --first->size_;
      return;
    }
  }

  /// View of the text that lasts: texts are never longer than the line, for which there is room.
  std::string_view kept(std::string_view text) {
    if (!copies_) return text;
    texts_ += text;
    return std::string_view(texts_).substr(texts_.size() - text.size());
  }

  std::vector<Element>& elements_;
  std::string& texts_;
  std::vector<std::size_t>& open_;
  bool copies_;
  std::string_view name_;  // of the value that follows
};

double Element::real() const {
  if (kind_ == Kind::natural) return static_cast<double>(natural_);
  return kind_ == Kind::negative ? static_cast<double>(negative_) : real_;
}

Json Element::json() const {
  switch (kind_) {
    case Kind::null: return {};
    case Kind::boolean: return boolean();
    case Kind::natural: return natural_;
    case Kind::negative: return negative_;
    case Kind::real: return real_;
    case Kind::text: return text_;
    case Kind::list: break;
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

const Element& Elements::read(std::string_view line) {
  if (Builder builder(*this, line.size(), false); parser_.read(line, builder)) return elements_.front();
  try {
    Builder builder(*this, line.size(), true);
    read_json(line, builder);
  } catch (const JsonSyntaxError& error) {
    const std::string where =
        error.byte > 0 ? "wrong at character " + std::to_string(error.byte) : "a number is too large";
    throw BrokenLine("not valid JSON, as every line of a result file is: " + where + beginning(line));
  }
  return elements_.front();
}

}  // namespace steelyard::record::detail
