// SPDX-License-Identifier: Apache-2.0
#include "acceptance/criteria_block.hpp"

#include <cmath>
#include <cstdint>

#include "analysis/acceptance/figures.hpp"
#include "process/errors.hpp"

namespace steelyard::cli {

void CriteriaBlock::refuse(const std::string& what) const {
  throw UsageError(place() + ": " + prefix() + what);
}
void CriteriaBlock::refuse(const toml::node& node, const std::string& what) const {
  throw UsageError(place_in(file_, node.source()) + ": " + prefix() + what);
}

void CriteriaBlock::allow(Words known) const {
  allow_words(table_, {known.begin(), known.end()}, file_, prefix());
}

std::string CriteriaBlock::text(std::string_view key) const {
  const toml::node* node = find(key);
  if (node == nullptr) return {};
  const auto value = node->value<std::string>();
  if (!node->is_string() || !value) refuse(*node, std::string(key) + ": must be a text in quotes");
  return *value;
}

bool CriteriaBlock::yes(std::string_view key) const {
  const toml::node* node = find(key);
  if (node == nullptr) return false;
  if (!node->is_boolean()) refuse(*node, std::string(key) + ": must be true or false");
  return *node->value<bool>();
}

std::size_t CriteriaBlock::count(std::string_view key, std::size_t otherwise) const {
  const toml::node* node = find(key);
  if (node == nullptr) return otherwise;
  const auto value = node->value<std::int64_t>();
  if (!node->is_integer() || *value < 1 || *value > 1000)
    refuse(*node, std::string(key) + ": must be a whole number from 1 to 1000");
  return static_cast<std::size_t>(*value);
}

std::optional<double> CriteriaBlock::share(std::string_view key) const {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  if (node->is_number()) {
    const double value = *node->value<double>();
    if (!(value > 0) || !std::isfinite(value)) refuse(*node, std::string(key) + ": must be above 0");
    return value;
  }
  return amount_of(*node, key, "").value;
}

units::Amount CriteriaBlock::amount_of(const toml::node& node, std::string_view key,
                                       std::string_view needed) const {
  if (node.is_number())
    refuse(node, std::string(key) + ": a number needs its unit, in quotes: \"2.5 Tflop/s\"");
  const auto words = node.value<std::string>();
  if (!node.is_string() || !words) refuse(node, std::string(key) + ": must be a text in quotes");
  try {
    const auto composed = acceptance::composed_units();
    units::Amount amount = units::parse_amount(*words, composed);
    if (key != "amount" && needed != "any" && amount.unit != needed)
      refuse(node, std::string(key) + ": '" + *words + "' is in " + amount.unit +
                       (needed.empty() ? "; a ratio is needed" : "; " + std::string(needed) + " is needed"));
    return amount;
  } catch (const units::ParseError& error) {
    refuse(node, std::string(key) + ": " + error.what());
  }
}

comparison::RunFilter CriteriaBlock::filter(std::string_view key) const {
  try {
    return comparison::RunFilter::parse(text(key));
  } catch (const comparison::UnknownRunName& unknown) {
    refuse(*find(key), std::string(key) + ": " + unknown.what());
  }
}

}  // namespace steelyard::cli
