// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <set>
#include <span>
#include <string_view>
#include <type_traits>
#include <unordered_set>
#include <vector>

#include "record/value.hpp"

namespace steelyard::comparison {

/// Memory of what very many points of a comparison consist of. It is given back with the keeper alone, in few large
/// blocks: each of some million texts would take time by itself. For one thread at a time. Throws std::bad_alloc.
class Keeper {
 public:
  Keeper() = default;
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;

  /// A copy of an object, and of a list, that needs no destructor.
  template <class T>
  [[nodiscard]] T& one(const T& value) {
    static_assert(std::is_trivially_destructible_v<T>);
    return *::new (room(sizeof(T), alignof(T))) T(value);
  }
  template <class T>
  [[nodiscard]] std::span<const T> list(std::span<const T> values) {
    static_assert(std::is_trivially_destructible_v<T>);
    if (values.empty()) return {};
    auto* const copies = static_cast<T*>(room(values.size_bytes(), alignof(T)));
    std::uninitialized_copy(values.begin(), values.end(), copies);
    return {copies, values.size()};
  }
  [[nodiscard]] std::string_view text(std::string_view text);
  /// The one copy of what many points have alike, which is made when it comes first.
  [[nodiscard]] std::string_view word(std::string_view word);
  [[nodiscard]] const record::Members& params(const record::Params& params);

 private:
  /// Parameters by their content, whichever container holds them.
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(const auto& params) const;
  };
  struct Same {
    using is_transparent = void;
    bool operator()(const auto& one, const auto& other) const;
  };

  [[nodiscard]] void* room(std::size_t bytes, std::size_t alignment);

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  void* next_ = nullptr;  // in the last block,
  std::size_t left_ = 0;  // so many bytes before its end
  std::set<std::string_view> words_;
  std::unordered_set<record::Members, Hash, Same> params_;
};

}  // namespace steelyard::comparison
