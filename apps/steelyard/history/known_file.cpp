// SPDX-License-Identifier: Apache-2.0
#include "history/known_file.hpp"

#include <sstream>

#include "options/toml.hpp"
#include "process/errors.hpp"
#include "units/text.hpp"
#include "units/utc.hpp"

namespace steelyard::cli {
namespace {

const std::vector<std::string> known_words = {"select", "figure", "where", "after", "reason", "until"};

/// Value of a key, a text or a date; empty if the key is missing.
std::string word_of(const toml::table& table, const char* key, const std::string& name) {
  const toml::node* node = table.get(key);
  if (node == nullptr) return {};
  if (const auto text = node->value<std::string>(); text && node->is_string()) return *text;
  std::ostringstream date;
  if (node->is_date())
    date << *node->as_date();
  else if (node->is_date_time())
    date << *node->as_date_time();
  if (!date.str().empty()) return date.str();
  throw UsageError(place_in(name, node->source()) + ": " + key + ": must be a text in quotes" +
                   (std::string(key) == "after" || std::string(key) == "until" ? " or a date" : ""));
}

/// Value of a key that is a date; empty if the key is missing.
std::string date_of(const toml::table& table, const char* key, const std::string& name) {
  std::string date = word_of(table, key, name);
  if (!date.empty() && !units::utc_moment(date))
    throw UsageError(place_in(name, table.get(key)->source()) + ": " + key + ": '" + date +
                     "' is no date such as 2026-05-12");
  return date;
}

history::Known known_of(const toml::table& table, const std::string& name) {
  allow_words(table, known_words, name);
  history::Known known;
  const std::string select = word_of(table, "select", name), figure = word_of(table, "figure", name);
  const std::string place = place_in(name, table.source()) + ": ";
  if (select.empty() == figure.empty()) throw UsageError(place + "needs one of select, figure");
  known.pattern = select.empty() ? figure : select;
  known.after = date_of(table, "after", name);
  if (known.after.empty()) throw UsageError(place + "needs a date: after = 2026-05-12");
  known.until = date_of(table, "until", name);
  known.reason = word_of(table, "reason", name);
  if (known.reason.empty()) throw UsageError(place + "needs a reason");
  try {
    known.where = comparison::RunFilter::parse(word_of(table, "where", name));
  } catch (const comparison::UnknownRunName& unknown) {
    throw UsageError(place + "where: " + unknown.what());
  }
  return known;
}

}  // namespace

std::vector<history::Known> parse_known(std::string_view text, const std::string& name) {
  const toml::table root = parse_toml(text, name);
  std::vector<history::Known> list;
  for (const auto& [key, node] : root) {
    const toml::array* tables = node.as_array();
    if (key.str() != "known" || tables == nullptr)
      throw UsageError(place_in(name, key.source()) + ": [[known]] is expected");
    for (const toml::node& one : *tables) {
      if (!one.is_table()) throw UsageError(place_in(name, one.source()) + ": [[known]] is expected");
      list.push_back(known_of(*one.as_table(), name));
    }
  }
  return list;
}

}  // namespace steelyard::cli
