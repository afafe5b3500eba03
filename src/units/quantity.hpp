// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>

namespace steelyard {

/// A number of bytes. Not convertible to or from other quantities; only what makes sense can be computed.
class Bytes {
 public:
  constexpr Bytes() = default;
  constexpr explicit Bytes(std::int64_t count) : count_(count) {}
  [[nodiscard]] constexpr std::int64_t count() const { return count_; }
  constexpr auto operator<=>(const Bytes&) const = default;
  friend constexpr Bytes operator+(Bytes a, Bytes b) { return Bytes{a.count_ + b.count_}; }
  friend constexpr Bytes operator-(Bytes a, Bytes b) { return Bytes{a.count_ - b.count_}; }
  friend constexpr Bytes operator*(std::int64_t n, Bytes b) { return Bytes{n * b.count_}; }
  friend constexpr std::int64_t operator/(Bytes a, Bytes b) { return a.count_ / b.count_; }

 private:
  std::int64_t count_ = 0;
};

/// A length of time in seconds.
class Seconds {
 public:
  constexpr Seconds() = default;
  constexpr explicit Seconds(double value) : value_(value) {}
  [[nodiscard]] constexpr double value() const { return value_; }
  constexpr auto operator<=>(const Seconds&) const = default;
  friend constexpr Seconds operator+(Seconds a, Seconds b) { return Seconds{a.value_ + b.value_}; }
  friend constexpr Seconds operator-(Seconds a, Seconds b) { return Seconds{a.value_ - b.value_}; }
  friend constexpr Seconds operator*(double f, Seconds s) { return Seconds{f * s.value_}; }
  friend constexpr Seconds operator/(Seconds s, double f) { return Seconds{s.value_ / f}; }
  friend constexpr double operator/(Seconds a, Seconds b) { return a.value_ / b.value_; }

 private:
  double value_ = 0;
};

/// Bytes per second.
class Rate {
 public:
  constexpr Rate() = default;
  constexpr explicit Rate(double value) : value_(value) {}
  [[nodiscard]] constexpr double value() const { return value_; }
  constexpr auto operator<=>(const Rate&) const = default;

 private:
  double value_ = 0;
};

[[nodiscard]] constexpr Rate operator/(Bytes b, Seconds s) {
  return Rate{static_cast<double>(b.count()) / s.value()};
}

inline constexpr Bytes kibi{std::int64_t{1} << 10};
inline constexpr Bytes mebi{std::int64_t{1} << 20};
inline constexpr Bytes gibi{std::int64_t{1} << 30};

}  // namespace steelyard

/// Factors of the prefixes of units: a figure in base units / prefix::giga is the number to print before "G".
namespace steelyard::prefix {

inline constexpr double nano = 1e-9;
inline constexpr double micro = 1e-6;
inline constexpr double milli = 1e-3;
inline constexpr double kilo = 1e3;
inline constexpr double mega = 1e6;
inline constexpr double giga = 1e9;
inline constexpr double tera = 1e12;
inline constexpr double mebi = 1048576;
inline constexpr double gibi = 1073741824;

}  // namespace steelyard::prefix
