// SPDX-License-Identifier: Apache-2.0
#include "analysis/comparison/keeper.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <variant>

namespace steelyard::comparison {
namespace {

/// Of numbers and texts, which parameters are.
std::size_t hash_of(const record::Value& value) {
  if (const auto* word = std::get_if<std::string>(&value)) return std::hash<std::string>{}(*word);
  if (const auto* count = std::get_if<std::int64_t>(&value)) return std::hash<std::int64_t>{}(*count);
  const auto* real = std::get_if<double>(&value);
  return real != nullptr ? std::hash<double>{}(*real) : value.index();
}

}  // namespace

std::size_t Keeper::Hash::operator()(const auto& params) const {
  constexpr std::size_t factor = 1099511628211U;
  std::size_t hash = 0;
  for (const auto& [name, value] : params)
    hash = (hash * factor + std::hash<std::string>{}(name)) * factor + hash_of(value);
  return hash;
}

bool Keeper::Same::operator()(const auto& one, const auto& other) const {
  return std::ranges::equal(
      one, other, [](const auto& a, const auto& b) { return a.first == b.first && a.second == b.second; });
}

void* Keeper::room(std::size_t bytes, std::size_t alignment) {
  constexpr std::size_t block_byte = std::size_t{64} << 10;
  if (std::align(alignment, bytes, next_, left_) == nullptr) {
    left_ = std::max(block_byte, bytes + alignment);
    next_ = blocks_.emplace_back(new std::byte[left_]).get();
    std::align(alignment, bytes, next_, left_);
  }
  left_ -= bytes;
  return std::exchange(next_, static_cast<std::byte*>(next_) + bytes);
}

std::string_view Keeper::text(std::string_view text) {
  const auto copy = list(std::span(text.data(), text.size()));
  return {copy.data(), copy.size()};
}

std::string_view Keeper::word(std::string_view word) {
  const auto found = words_.find(word);
  return found != words_.end() ? *found : *words_.insert(text(word)).first;
}

const record::Members& Keeper::params(const record::Params& params) {
  const auto found = params_.find(params);
  return found != params_.end() ? *found : *params_.emplace(params.begin(), params.end()).first;
}

}  // namespace steelyard::comparison
