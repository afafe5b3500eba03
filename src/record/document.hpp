// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "record/value.hpp"

namespace steelyard::record {

/// A JSON object of free form (machine, configuration, event data), owned, copyable, without making every
/// reader of this header compile the JSON library. Empty documents are null.
class Document {
 public:
  Document();
  Document(Json json);  // NOLINT(google-explicit-constructor): a document is its JSON
  Document(const Document& other);
  Document(Document&& other) noexcept;
  Document& operator=(Document other) noexcept;
  ~Document();

  [[nodiscard]] Json& json() { return *json_; }
  [[nodiscard]] const Json& json() const { return *json_; }
  [[nodiscard]] bool empty() const;

 private:
  std::unique_ptr<Json> json_;
};

/// What a JSON object holds under a name: nothing if that is absent or no number.
[[nodiscard]] std::optional<double> number_in(const Json& object, const char* name);
/// The same: empty if that is absent or no text.
[[nodiscard]] std::string text_in(const Json& object, const char* name);

}  // namespace steelyard::record
