// SPDX-License-Identifier: Apache-2.0
#include <simdjson.h>

#include <stdexcept>

#include "record/json_events.hpp"

namespace steelyard::record::detail {
namespace {

// Newer releases of simdjson have a kind for integers of more than 64 bits, which they make only for those who ask.
void tell(const simdjson::dom::element& value, JsonEvents& events) {
  using Type = simdjson::dom::element_type;
  switch (value.type()) {
    case Type::ARRAY:
      events.begin_list();
      for (const simdjson::dom::element below : simdjson::dom::array(value)) tell(below, events);
      return events.end();
    case Type::OBJECT:
      events.begin_object();
      for (const auto& [name, below] : simdjson::dom::object(value)) {
        events.name(name);
        tell(below, events);
      }
      return events.end();
    case Type::INT64: {
      const std::int64_t number = value;
      return number < 0 ? events.integer(number) : events.natural(static_cast<std::uint64_t>(number));
    }
    case Type::UINT64: return events.natural(value);
    case Type::DOUBLE: return events.real(value);
    case Type::STRING: return events.text(value);
    case Type::BOOL: return events.boolean(value);
    case Type::NULL_VALUE: return events.null();
    default: throw std::logic_error("a kind of JSON value that was not asked for");
  }
}

}  // namespace

struct FastJson::Parser {
  simdjson::dom::parser parser;
};

FastJson::FastJson() : parser_(std::make_unique<Parser>()) {}
FastJson::~FastJson() = default;

bool FastJson::read(std::string_view text, JsonEvents& events) {
  simdjson::dom::element root;
  if (parser_->parser.parse(text.data(), text.size()).get(root) != simdjson::SUCCESS) return false;
  tell(root, events);
  return true;
}

}  // namespace steelyard::record::detail
