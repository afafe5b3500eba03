// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "errors.hpp"
#include "hpcc/front_words.hpp"
#include "suites/hpcc/definition.hpp"
#include "units/text.hpp"
#include "words/checks.hpp"

namespace steelyard::cli {
namespace {

using Strings = std::vector<std::string>;

constexpr std::array<std::string_view, 7> families = {"HPL",          "DGEMM", "PTRANS", "STREAM",
                                                      "RandomAccess", "FFT",   "LatBw"};
constexpr std::string_view congruential = "_LCG";

bool belongs(std::string_view benchmark, std::string_view family) {
  if (family == "LatBw") return benchmark == "LatencyBandwidth";
  return benchmark.find(family) != benchmark.npos;
}

Strings all_names() {
  Strings names;
  for (const auto& benchmark : hpcc::all_benchmarks()) names.emplace_back(benchmark.name);
  return names;
}

/// The benchmarks that a word names: one of that name, else those of the family.
Strings named(std::string_view word) {
  const auto all = all_names();
  std::vector<std::string_view> valid(all.begin(), all.end());
  valid.insert(valid.end(), families.begin(), families.end());
  const auto name = units::parse_word(word, valid);
  if (std::ranges::find(all, name) != all.end()) return {name};
  Strings found;
  std::ranges::copy_if(all, std::back_inserter(found), [&](const auto& one) { return belongs(one, name); });
  return found;
}

Strings listed(const Values& values, std::string_view option) {
  Strings names;
  for (const auto& list : values.list(option)) {
    const auto found = parse_hpcc_tests(list);
    names.insert(names.end(), found.begin(), found.end());
  }
  return names;
}

bool has(const Strings& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

bool wanted_generator(const Values& values, const std::string& name) {
  const auto generator = values.need("random-generator");
  if (generator == "both" || !belongs(name, "RandomAccess")) return true;
  return name.ends_with(congruential) == (generator == "lcg");
}

}  // namespace

Strings parse_hpcc_tests(std::string_view word) {
  Strings names;
  for (const auto& one : comma_words(word)) {
    const auto found = named(one);
    names.insert(names.end(), found.begin(), found.end());
  }
  if (names.empty()) throw units::ParseError("'" + std::string(word) + "' names no test");
  return names;
}

void check_hpcc_tests(std::string_view word) {
  static_cast<void>(parse_hpcc_tests(word));
}

Strings hpcc_chosen(const Values& values) {
  const auto only = listed(values, "only"), skip = listed(values, "skip");
  Strings chosen;
  for (const auto& name : all_names()) {
    const bool asked = !values.said("only") || has(only, name);
    if (asked && !has(skip, name) && wanted_generator(values, name)) chosen.push_back(name);
  }
  if (chosen.empty()) throw UsageError("--only, --skip and --random-generator leave no test");
  return chosen;
}

}  // namespace steelyard::cli
