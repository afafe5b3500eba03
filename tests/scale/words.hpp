// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

namespace steelyard::scale {

/// The words name=value of a command line.
class Words {
 public:
  Words(int argc, char** argv) {
    for (int i = 2; i < argc; ++i) {
      const std::string word = argv[i];
      const auto equals = word.find('=');
      values_[word.substr(0, equals)] = equals == std::string::npos ? "" : word.substr(equals + 1);
    }
  }
  [[nodiscard]] double number(const std::string& name, double otherwise) const {
    const auto found = values_.find(name);
    return found == values_.end() ? otherwise : std::stod(found->second);
  }
  [[nodiscard]] int whole(const std::string& name, int otherwise) const {
    return static_cast<int>(number(name, otherwise));
  }
  [[nodiscard]] std::string text(const std::string& name, const std::string& otherwise) const {
    const auto found = values_.find(name);
    return found == values_.end() ? otherwise : found->second;
  }

 private:
  std::map<std::string, std::string> values_;
};

}  // namespace steelyard::scale
