// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace steelyard::campaign {

/// The user's words are wrong (exit code 2). what() is one line; suggestion() may be empty.
class UsageError : public std::runtime_error {
 public:
  explicit UsageError(const std::string& text, std::string suggestion = {})
      : std::runtime_error(text), suggestion_(std::move(suggestion)) {}
  [[nodiscard]] const std::string& suggestion() const { return suggestion_; }

 private:
  std::string suggestion_;
};

}  // namespace steelyard::campaign
