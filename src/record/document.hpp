// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "record/json.hpp"

namespace steelyard::record {

/// A JSON object of free form (machine, configuration, event data). Empty documents are null.
class Document {
 public:
  Document() = default;
  Document(Json json)
      : json_(std::move(json)) {}  // NOLINT(google-explicit-constructor): a document is its JSON

  [[nodiscard]] Json& json() { return json_; }
  [[nodiscard]] const Json& json() const { return json_; }
  [[nodiscard]] bool empty() const { return json_.is_null() || (json_.is_structured() && json_.empty()); }

 private:
  Json json_;
};

}  // namespace steelyard::record
