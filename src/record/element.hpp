// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "record/json.hpp"
#include "record/json_events.hpp"

/// Values of one line while it becomes a record. Internal to this folder.
namespace steelyard::record::detail {

/// Value of JSON that lies in one array with all others of its line, before those below it: a tree whose memory serves
/// line after line, where a Json allocates for every text and object.
class Element {
 public:
  class Cursor;

  [[nodiscard]] bool is_null() const { return kind_ == Kind::null; }
  [[nodiscard]] bool is_boolean() const { return kind_ == Kind::boolean; }
  [[nodiscard]] bool is_number() const { return is_number_integer() || kind_ == Kind::real; }
  /// Whole number of either sign; is_number_unsigned() is true for those not below 0.
  [[nodiscard]] bool is_number_integer() const { return kind_ == Kind::negative || is_number_unsigned(); }
  [[nodiscard]] bool is_number_unsigned() const { return kind_ == Kind::natural; }
  [[nodiscard]] bool is_string() const { return kind_ == Kind::text; }
  [[nodiscard]] bool is_array() const { return kind_ == Kind::list; }
  [[nodiscard]] bool is_object() const { return kind_ == Kind::object; }

  // Each only for a value of its kind.
  [[nodiscard]] bool boolean() const { return natural_ != 0; }
  [[nodiscard]] std::int64_t integer() const { return negative_; }
  [[nodiscard]] std::uint64_t natural() const { return natural_; }
  [[nodiscard]] double real() const;  // for every number
  [[nodiscard]] std::string_view text() const { return text_; }

  /// Name of a member of an object; empty for others.
  [[nodiscard]] std::string_view name() const { return name_; }
  /// Number of elements of a list, of members of an object; 0 for others.
  [[nodiscard]] std::size_t size() const { return size_; }
  /// False if an object has no member of this name; true if it may have one. Only for an object.
  [[nodiscard]] bool may_have(std::string_view name) const { return (natural_ & mark_of(name)) != 0; }
  [[nodiscard]] Cursor begin() const;
  [[nodiscard]] Cursor end() const;

  /// Copy that lives on as a Json.
  [[nodiscard]] Json json() const;

 private:
  friend class Elements;
  enum class Kind : std::uint8_t { null, boolean, natural, negative, real, text, list, object };

  /// One of 64 bits for every name: most names that an object lacks are told by a bit that none of its names has.
  [[nodiscard]] static std::uint64_t mark_of(std::string_view name) {
    if (name.empty()) return 1;
    const auto letter = [](char c) { return static_cast<unsigned>(static_cast<unsigned char>(c)); };
    return std::uint64_t{1} << ((letter(name.front()) * 5 + letter(name.back()) * 3 + name.size()) % 64);
  }

  std::string_view name_;
  union {
    std::string_view text_{};
    std::uint64_t natural_;  // of an object: the marks of its names
    std::int64_t negative_;
    double real_;
  };
  std::uint32_t size_ = 0;
  std::uint32_t span_ = 1;  // in the array: this one and all below it
  Kind kind_ = Kind::null;
};

/// Iterator over elements of a list and members of an object.
class Element::Cursor {
 public:
  using value_type = Element;
  using difference_type = std::ptrdiff_t;
  using reference = const Element&;
  using pointer = const Element*;
  using iterator_category = std::forward_iterator_tag;

  Cursor() = default;
  explicit Cursor(const Element* element) : element_(element) {}
  const Element& operator*() const { return *element_; }
  const Element* operator->() const { return element_; }
  Cursor& operator++() {
    element_ += element_->span_;
    return *this;
  }
  Cursor operator++(int) {
    const Cursor before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const Cursor&, const Cursor&) = default;

 private:
  const Element* element_ = nullptr;
};

inline Element::Cursor Element::begin() const {
  return Cursor(this + 1);
}
inline Element::Cursor Element::end() const {
  return Cursor(this + span_);
}

/// All values of one line, and memory for those of the next.
class Elements {
 public:
  /// Parses a line; earlier values end. Throws BrokenLine for text that is not JSON, ReadError for JSON that is nested
  /// deeper than any record.
  const Element& read(std::string_view line);

  /// Whether the next line is worth a try without a tree: lines of a file are alike, and one that fails takes time.
  [[nodiscard]] bool may_need_none() { return needed_ == 0 || --needed_ == 0; }
  /// Tells that a try has failed.
  void note_need() { needed_ = lines_between_tries; }

 private:
  class Builder;
  static constexpr int lines_between_tries = 32;

  FastJson parser_;
  std::vector<Element> elements_;
  std::string texts_;              // names and texts that the parser does not keep, one after the other
  std::vector<std::size_t> open_;  // lists and objects that have not ended
  int needed_ = 0;                 // lines until the next try without a tree
};

}  // namespace steelyard::record::detail
