// SPDX-License-Identifier: Apache-2.0
#include "analysis/history/causes.hpp"

#include <algorithm>
#include <map>

#include "analysis/comparison/comparison.hpp"

namespace steelyard::history {
namespace {

std::string hosts_of(const record::RunRecord& head) {
  const auto& layout = head.layout.json();
  return layout.is_object() && layout.contains("hosts") ? layout["hosts"].dump() : "";
}

std::string shortened(const std::string& text) {
  const std::string head = text.substr(0, text.find(','));
  return head.empty() ? "unknown" : head;
}

}  // namespace

Aspects::Aspects(const std::vector<Entry>& entries) {
  std::map<std::string, std::size_t> places;
  std::vector<std::vector<std::pair<std::size_t, std::string>>> found;
  for (const Entry& entry : entries) {
    of_text_.push_back(!entry.head.imported.empty());
    auto list = comparison::aspects_of(entry.head);
    list.push_back({"hosts", hosts_of(entry.head), comparison::Ignored::machine});
    auto& of_entry = found.emplace_back();
    for (auto& aspect : list) {
      const auto [place, is_new] = places.try_emplace(aspect.name, names_.size());
      if (is_new) names_.push_back(aspect.name);
      of_entry.emplace_back(place->second, std::move(aspect.value));
    }
  }
  for (auto& of_entry : found) {
    auto& values = values_.emplace_back(names_.size());
    for (auto& [place, value] : of_entry) values[place] = std::move(value);
  }
}

bool Aspects::differ(std::size_t from, std::size_t to, std::size_t aspect) const {
  const std::string &before = value(from, aspect), &after = value(to, aspect);
  const bool told =
      of_text_[from] == of_text_[to] && (!of_text_[from] || (!before.empty() && !after.empty()));
  return told && before != after;
}

std::vector<std::pair<std::string, std::string>> Aspects::differences(std::size_t from,
                                                                      std::size_t to) const {
  std::vector<std::pair<std::string, std::string>> found;
  for (std::size_t a = 0; a < names_.size(); ++a)
    if (differ(from, to, a))
      found.emplace_back(names_[a], shortened(value(from, a)) + " -> " + shortened(value(to, a)));
  return found;
}

void Aspects::explain(SeriesFinding& one, std::size_t begin, std::size_t first, std::size_t last) const {
  const std::size_t from = one.values[first - 1].first, to = one.values[last].first;
  for (std::size_t a = 0; a < names_.size(); ++a) {
    if (!differ(from, to, a)) continue;
    bool elsewhere = false;
    for (std::size_t i = begin + 1; i < one.values.size(); ++i) {
      if (i >= first && i <= last) continue;
      elsewhere |= differ(one.values[i - 1].first, one.values[i].first, a);
    }
    (elsewhere ? one.also : one.causes)
        .push_back(names_[a] + ' ' + shortened(value(from, a)) + " -> " + shortened(value(to, a)));
  }
}

}  // namespace steelyard::history
