// SPDX-License-Identifier: Apache-2.0
#include "options/fatal_words.hpp"

#include <algorithm>

#include "options/checks.hpp"
#include "process/errors.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

std::vector<std::string> words_of(const Values& values) {
  try {
    return comma_list(values.need("fail-on"));
  } catch (const units::ParseError& error) {
    throw UsageError(std::string("--fail-on: ") + error.what());
  }
}

}  // namespace

std::vector<std::size_t> fatal_places(const Values& values, const std::vector<std::string>& known) {
  std::vector<std::string> all{"none"};
  all.insert(all.end(), known.begin(), known.end());
  const auto words = words_of(values);
  if (words.empty()) throw UsageError("--fail-on: names nothing; the word for that is none");
  std::vector<std::size_t> places;
  for (const std::string& word : words) {
    const auto found = std::ranges::find(all, word);
    if (found == all.end()) {
      std::string list;
      for (const std::string& one : all) list += (list.empty() ? "" : ", ") + one;
      const auto near = units::nearest(word, all);
      throw UsageError("--fail-on: '" + word + "' is not one of " + list,
                       near ? "did you mean " + *near + '?' : "");
    }
    if (found != all.begin()) places.push_back(static_cast<std::size_t>(found - all.begin()) - 1);
  }
  return places;
}

}  // namespace steelyard::cli
