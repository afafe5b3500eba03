// SPDX-License-Identifier: Apache-2.0
#include "record/value.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

#include "record/file.hpp"
#include "record/json.hpp"

namespace steelyard::record {
namespace {

bool needs_code(unsigned char c) {
  return c < 0x20 || c == 0x7f || c == ';' || c == '=' || c == '%';
}

std::string percent_coded(std::string_view text, bool slash = false) {
  std::string coded;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (!needs_code(byte) && !(slash && c == '/')) {
      coded += c;
      continue;
    }
    coded += {'%', "0123456789ABCDEF"[byte >> 4], "0123456789ABCDEF"[byte & 15]};
  }
  return coded;
}

std::string number_word(double value) {
  if (!std::isfinite(value)) throw NotANumber("a parameter of a key is not finite");
  return Json(value).dump();
}

struct Word {
  std::string operator()(std::nullptr_t) const { return "null"; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return number_word(value); }
  std::string operator()(const std::string& value) const { return percent_coded(valid_utf8(value)); }
  std::string operator()(const std::vector<double>& values) const {
    std::string list;
    for (const double value : values) list.append(list.empty() ? "[" : ",").append(number_word(value));
    return list.empty() ? "[]" : list.append("]");
  }
};

using HashWord = std::uint32_t;

constexpr std::array<HashWord, 64> round_constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

using Digest = std::array<HashWord, 8>;
constexpr Digest initial{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

std::array<HashWord, 64> message_schedule(std::string_view block) {
  std::array<HashWord, 64> w{};
  for (std::size_t i = 0; i < 64; ++i) w[i / 4] = w[i / 4] << 8 | static_cast<unsigned char>(block[i]);
  for (std::size_t i = 16; i < 64; ++i) {
    const HashWord s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ w[i - 15] >> 3;
    const HashWord s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ w[i - 2] >> 10;
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  return w;
}

void absorb(Digest& digest, std::string_view block) {
  const auto w = message_schedule(block);
  auto [a, b, c, d, e, f, g, h] = digest;
  for (std::size_t i = 0; i < 64; ++i) {
    const HashWord s1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const HashWord t1 = h + s1 + ((e & f) ^ (~e & g)) + round_constants[i] + w[i];
    const HashWord s0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const HashWord t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  const Digest mixed{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) digest[i] += mixed[i];
}

constexpr std::size_t block_byte = 64;

/// Padding behind the message up to a whole block: one bit, zeros, and the length in bits.
std::string padding(std::uint64_t length) {
  std::string tail(1, '\x80');
  tail.append((119 - length % 64) % 64, '\0');
  for (int shift = 56; shift >= 0; shift -= 8) tail += static_cast<char>(length * 8 >> shift);
  return tail;
}

}  // namespace

const Value* find(const Members& members, std::string_view name) {
  const auto found = std::ranges::find(members, name, &Members::value_type::first);
  return found == members.end() ? nullptr : &found->second;
}

const Value* find(const Params& params, std::string_view name) {
  const auto found = params.find(name);
  return found == params.end() ? nullptr : &found->second;
}

double number(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  throw std::domain_error("the value is not a number");
}

std::int64_t whole(double number) {
  constexpr double exact = 0x1p53;
  if (!(std::abs(number) <= exact) || number != std::floor(number))
    throw std::domain_error("the value is not a whole number");
  return static_cast<std::int64_t>(number);
}

std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(text[i])); };
  const unsigned first = byte(0);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xC2 ? 0
                             : first < 0xE0 ? 2
                             : first < 0xF0 ? 3
                             : first < 0xF5 ? 4
                                            : 0;
  if (length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
  // Overlong forms, surrogates, and characters beyond U+10FFFF.
  if (first == 0xE0 && byte(1) < 0xA0) return 0;
  if (first == 0xED && byte(1) > 0x9F) return 0;
  if (first == 0xF0 && byte(1) < 0x90) return 0;
  if (first == 0xF4 && byte(1) > 0x8F) return 0;
  return length;
}

namespace {

bool is_utf8(std::string_view text) {
  const auto is_ascii = [](char c) { return static_cast<signed char>(c) >= 0; };
  while (true) {
    text.remove_prefix(static_cast<std::size_t>(std::ranges::find_if_not(text, is_ascii) - text.begin()));
    if (text.empty()) return true;
    const std::size_t length = character_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
}

}  // namespace

std::string valid_utf8(std::string_view text) {
  if (is_utf8(text)) return std::string(text);  // as nearly all texts are
  return Json::parse(Json(text).dump()).get<std::string>();
}

std::string one_line(std::string_view text) {
  const auto separates = [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == '\x7f'; };
  std::string line;
  for (const char c : text) {
    if (!separates(c))
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  if (line.ends_with(' ')) line.pop_back();
  return line;
}

std::string make_key(std::string_view suite, std::string_view benchmark, int processes, int threads,
                     int groups, const Params& params) {
  Params all = params;
  all["processes"] = std::int64_t{processes};
  if (threads != 1) all["threads"] = std::int64_t{threads};
  if (groups != 1) all["groups"] = std::int64_t{groups};
  std::string key = std::string(suite) + "/" + percent_coded(valid_utf8(benchmark), true);
  for (const auto& [name, value] : all)
    key.append(";").append(name).append("=").append(std::visit(Word{}, value));
  return key;
}

// FIPS 180-4. Own code: the one digest of a plan per run does not justify a cryptographic library as a
// dependency of every build; the tests hold the standard's vectors.

Sha256::Sha256() : state_(initial) {}

void Sha256::add(std::string_view piece) {
  length_ += piece.size();
  if (!rest_.empty()) {
    const std::string_view first = piece.substr(0, block_byte - rest_.size());
    rest_ += first;
    piece.remove_prefix(first.size());
    if (rest_.size() < block_byte) return;
    absorb(state_, rest_);
    rest_.clear();
  }
  for (; piece.size() >= block_byte; piece.remove_prefix(block_byte))
    absorb(state_, piece.substr(0, block_byte));
  rest_ = piece;
}

std::string Sha256::text() const {
  const std::string last = rest_ + padding(length_);
  Digest digest = state_;
  for (std::size_t at = 0; at < last.size(); at += block_byte)
    absorb(digest, std::string_view(last).substr(at, block_byte));
  std::string words = "sha256:";
  for (const HashWord word : digest) {
    for (int shift = 28; shift >= 0; shift -= 4) words += "0123456789abcdef"[word >> shift & 15];
  }
  return words;
}

std::string sha256(std::string_view text) {
  Sha256 sum;
  sum.add(text);
  return sum.text();
}

}  // namespace steelyard::record
