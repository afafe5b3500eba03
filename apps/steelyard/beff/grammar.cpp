// SPDX-License-Identifier: Apache-2.0
#include "beff/options.hpp"
#include "suites/beff/settings.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

using units::ParseError;

std::string_view without_brackets(std::string_view word) {
  const bool bracketed = word.size() > 1 && word.front() == '[' && word.back() == ']';
  return bracketed ? word.substr(1, word.size() - 2) : word;
}

}  // namespace

std::pair<double, double> parse_y_range(std::string_view word) {
  const auto refuse = [&](const char* what) {
    return ParseError("'" + std::string(word) + "' " + what + " (example: 0.01:10000)");
  };
  const std::string_view inner = without_brackets(word);
  const std::size_t colon = inner.find(':');
  if (colon == std::string_view::npos) throw refuse("is not of the form MIN:MAX");
  const double low = units::parse_number(inner.substr(0, colon));
  const double high = units::parse_number(inner.substr(colon + 1));
  if (low <= 0) throw refuse("must begin above 0");
  if (low >= high) throw refuse("runs backwards");
  return {low, high};
}

void check_longest(std::string_view word) {
  constexpr std::int64_t most = std::int64_t{128} << 20;
  const std::int64_t longest = units::parse_size(word).count();
  const std::int64_t least = beff::shortest_longest.count();
  if (longest < least || longest > most)
    throw ParseError("must be at least " + std::to_string(least) + " byte and at most 128Mi, got '" +
                     std::string(word) + "'");
}

}  // namespace steelyard::cli
