// SPDX-License-Identifier: Apache-2.0
#include "commands/foreign_description.hpp"

#include <algorithm>
#include <sstream>

#include "analysis/comparison/run_filter.hpp"
#include "errors.hpp"
#include "units/text.hpp"
#include "words/checks.hpp"
#include "words/toml.hpp"

namespace steelyard::cli {
namespace {

const std::vector<std::string> words_of_tables = {"match", "as", "set", "date", "timezone", "name", "label"};

/// A text, a number or a date of TOML as it would be written on the command line.
std::optional<std::string> plain_word(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  std::ostringstream out;
  if (const auto* number = node.as_integer())
    out << number->get();
  else if (const auto* day = node.as_date())
    out << day->get();
  else if (const auto* moment = node.as_date_time())
    out << moment->get();
  return out.str().empty() ? std::nullopt : std::optional(out.str());
}

/// Reads one table [[file]].
class TableReader {
 public:
  TableReader(const toml::table& table, const std::string& name) : table_(table), name_(name) {}

  [[nodiscard]] bool fits(const std::string& path) const {
    const auto pattern = table_["match"].value<std::string>();
    if (!pattern || pattern->empty())
      throw UsageError(place(table_) + ": needs match = \"PATTERN\", the files that it is about");
    const bool whole = pattern->find('/') != std::string::npos;
    const std::size_t slash = path.rfind('/');
    return comparison::matches(*pattern, whole || slash == std::string::npos ? path : path.substr(slash + 1));
  }

  void check_words() const {
    for (const auto& [key, node] : table_) {
      const std::string word(key.str());
      if (std::ranges::find(words_of_tables, word) != words_of_tables.end()) continue;
      const auto near = units::nearest(word, words_of_tables);
      throw UsageError(place_in(name_, key.source()) + ": unknown word '" + word + '\'' +
                       (near ? "; did you mean " + *near + '?' : ""));
    }
  }

  void read(Described& to) const {
    for (const auto& [key, one] : {std::pair{"as", &Described::as},
                                   {"date", &Described::date},
                                   {"timezone", &Described::timezone},
                                   {"name", &Described::name}})
      if (const auto* node = table_.get(key)) to.*one = word(key, *node);
    each_pair("set", [&](const toml::node& at, const std::string& of, const std::string& value) {
      to.set.push_back({place(at) + ": set", of + '=' + value});
    });
    each_pair("label", [&](const toml::node&, const std::string& of, const std::string& value) {
      to.labels.emplace_back(of, value);
    });
  }

 private:
  [[nodiscard]] std::string place(const toml::node& node) const { return place_in(name_, node.source()); }

  [[nodiscard]] Described::Word word(const std::string& key, const toml::node& node) const {
    const auto text = plain_word(node);
    if (!text || text->empty()) throw UsageError(place(node) + ": " + key + ": must be a text in quotes");
    return {place(node) + ": " + key, *text};
  }

  /// { NAME = VALUE, ... }
  template <class Take>
  void each_pair(const char* key, const Take& take) const {
    const toml::node* node = table_.get(key);
    if (node == nullptr) return;
    if (!node->is_table())
      throw UsageError(place(*node) + ": " + key + ": must be of the form { NAME = VALUE, ... }");
    for (const auto& [name, value] : *node->as_table())
      take(value, std::string(name.str()), word(key, value).text);
  }

  const toml::table& table_;
  const std::string& name_;
};

}  // namespace

Described described(std::string_view text, const std::string& name, const std::string& path) {
  const toml::table root = parse_toml(text, name);
  Described found;
  for (const auto& [key, node] : root) {
    const toml::array* tables = node.as_array();
    if (key.str() != "file" || tables == nullptr)
      throw UsageError(place_in(name, key.source()) + ": [[file]] is expected");
    for (const toml::node& one : *tables) {
      if (!one.is_table()) throw UsageError(place_in(name, one.source()) + ": [[file]] is expected");
      const TableReader reader(*one.as_table(), name);
      reader.check_words();
      if (reader.fits(path)) reader.read(found);
    }
  }
  return found;
}

}  // namespace steelyard::cli
