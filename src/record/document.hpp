// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>

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

}  // namespace steelyard::record
