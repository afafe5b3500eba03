// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "record/point_view.hpp"

/// Codecs of suites: the members of a struct and the names that records hold them under, told once, to write them and to
/// read them back. Pure.
///
///     constexpr record::Codec figures(record::held("total_s", &Figures::total_s),
///                                     record::held("kernel", &Figures::kernel));
///     figures.write(measured, record.classic);
///     figures.read(record, read_back);
namespace steelyard::record {

/// One member of a struct. A double that counts is written as a whole number.
template <class Struct, class T>
struct Held {
  std::string_view name;
  T Struct::*place;
  bool counts = false;
};
template <class Struct, class T>
[[nodiscard]] constexpr Held<Struct, T> held(std::string_view name, T Struct::*place) {
  return {name, place};
}
/// A number of something, kept as a double for what is computed of it.
template <class Struct>
[[nodiscard]] constexpr Held<Struct, double> counted(std::string_view name, double Struct::*place) {
  return {name, place, true};
}

namespace detail {

/// Throws std::invalid_argument that says what is wrong with the member of that name.
[[noreturn]] void refuse(const PointRecord& point, std::string_view name, std::string_view what);
/// The number as a whole one between these. Refuses others.
[[nodiscard]] std::int64_t whole(const PointRecord& point, std::string_view name, double number,
                                 std::int64_t least, std::int64_t most);

template <class Number>
[[nodiscard]] Number number_as(const PointRecord& point, std::string_view name, double number) {
  if constexpr (std::is_integral_v<Number>) {
    using Limits = std::numeric_limits<Number>;
    return static_cast<Number>(whole(point, name, number, Limits::min(), Limits::max()));
  } else {
    return number;
  }
}

}  // namespace detail

template <class Struct, class... T>
class Codec {
 public:
  constexpr explicit Codec(const Held<Struct, T>&... held) : held_(held...) {}

  /// Adds the members. Empty words and lists, false and absent numbers are left out.
  void write(const Struct& from, Members& to) const {
    each([&](const auto& one) { put(one, from.*one.place, to); });
  }
  /// Reads the members from the classic values, else the parameters. Throws std::invalid_argument if a number that is
  /// not optional is lacking, or one that has to be whole has a fraction or is too large.
  void read(const PointRecord& from, Struct& to) const {
    each([&](const auto& one) { get(one, from, to.*one.place); });
  }

  /// Adds each member as a list, an element for each struct. For structs of numbers alone.
  void write_lists(std::span<const Struct> from, Members& to) const {
    each([&](const auto& one) {
      std::vector<double> list;
      for (const Struct& of : from) list.push_back(static_cast<double>(of.*one.place));
      to.emplace_back(one.name, std::move(list));
    });
  }
  /// Reads such lists. Throws std::invalid_argument unless each has an element for each struct, whole where it has to be.
  void read_lists(const PointRecord& from, std::span<Struct> to) const {
    each([&](const auto& one) {
      const auto* list = list_of(member(from, one.name));
      if (list == nullptr || list->size() != to.size()) detail::refuse(from, one.name, "is not complete");
      using Number = std::remove_reference_t<decltype(to.front().*one.place)>;
      for (std::size_t i = 0; i < to.size(); ++i)
        to[i].*one.place = detail::number_as<Number>(from, one.name, (*list)[i]);
    });
  }

 private:
  template <class Act>
  void each(const Act& act) const {
    std::apply([&](const auto&... one) { (act(one), ...); }, held_);
  }
  template <class M>
  static void put(const Held<Struct, M>& one, const M& value, Members& to) {
    if constexpr (std::is_same_v<M, std::string> || std::is_same_v<M, std::vector<double>>) {
      if (!value.empty()) to.emplace_back(one.name, value);
    } else if constexpr (std::is_same_v<M, bool>) {
      if (value) to.emplace_back(one.name, true);
    } else if constexpr (std::is_integral_v<M>) {
      to.emplace_back(one.name, static_cast<std::int64_t>(value));
    } else if constexpr (std::is_same_v<M, double>) {
      to.emplace_back(one.name, one.counts ? Value(static_cast<std::int64_t>(value)) : Value(value));
    } else {
      using Number = typename M::value_type;
      if (value) put(Held<Struct, Number>{one.name, nullptr, one.counts}, *value, to);
    }
  }
  /// What is absent reads as empty words, an empty list, false or nullopt; a number that is not optional is refused.
  template <class M>
  static void get(const Held<Struct, M>& one, const PointRecord& from, M& to) {
    const auto* value = member(from, one.name);
    const auto number = number_of(value);
    if constexpr (std::is_same_v<M, std::string>) {
      to = word_of(value);
    } else if constexpr (std::is_same_v<M, bool>) {
      to = is_true(value);
    } else if constexpr (std::is_same_v<M, std::vector<double>>) {
      const auto* list = list_of(value);  // or a list of one
      to = list != nullptr ? *list : number ? std::vector{*number} : std::vector<double>{};
    } else if constexpr (std::is_arithmetic_v<M>) {
      if (!number) detail::refuse(from, one.name, "is missing");
      to = detail::number_as<M>(from, one.name, *number);
    } else {
      using Number = typename M::value_type;
      to = number ? std::optional(detail::number_as<Number>(from, one.name, *number)) : std::nullopt;
    }
  }

  std::tuple<Held<Struct, T>...> held_;
};

}  // namespace steelyard::record
