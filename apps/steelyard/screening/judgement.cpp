// SPDX-License-Identifier: Apache-2.0
#include "screening/judgement.hpp"

#include <algorithm>
#include <iterator>

#include "acceptance/launches.hpp"
#include "input/runs.hpp"
#include "input/text_file.hpp"
#include "options/fatal_words.hpp"
#include "process/errors.hpp"
#include "screening/files.hpp"

namespace steelyard::cli {
namespace {

void tolerate(const std::string& words, screening::References& expected) {
  for (const auto& [name, tolerance] : parse_tolerances(words)) {
    const auto found = expected.find(name);
    if (found == expected.end()) continue;
    found->second.tolerance = tolerance;
    for (auto& [processor, reach] : found->second.of_processor) reach.tolerance = tolerance;
  }
}

screening::Reference reference_at(const std::string& place) {
  if (place.ends_with(".toml")) return {parse_expected(text_of_file(place), place)};
  const auto runs = screened_runs({place});
  screening::Reference reference{screening::reference_of(screening::measured(runs))};
  for (const auto& run : runs) reference.machines.insert(run.head.name);
  return reference;
}

}  // namespace

std::set<std::string> fatal_findings(const Values& values) {
  const std::vector<std::string> known{"slow", "groups", "unstable", "wrong", "missing", "fast"};
  std::set<std::string> words;
  for (const std::size_t place : fatal_places(values, known)) words.insert(known[place]);
  return words;
}

std::vector<record::Run> screened_runs(const std::vector<std::string>& places) {
  std::vector<record::Run> runs;
  for (const std::string& list : places)
    for (const std::string& place : comma_parts(list)) {
      auto some = read_and_tell(place, {});
      std::ranges::move(some, std::back_inserter(runs));
    }
  return runs;
}

screening::Reference said_reference(const Values& values) {
  const auto place = values.word("reference");
  if (!place) return {};
  auto reference = reference_at(*place);
  if (const auto words = values.word("tolerance")) tolerate(*words, reference.expected);
  return reference;
}

machine::Switches said_switches(const Values& values) {
  const auto file = values.word("topology");
  return file ? parse_topology(text_of_file(*file), *file) : machine::Switches{};
}

Judgement said_judgement(const Values& values) {
  Judgement judgement;
  judgement.fatal = fatal_findings(values);
  try {
    judgement.reference = said_reference(values);
  } catch (const screening::Unjudgeable& error) {
    throw UsageError("--reference: " + std::string(error.what()));
  }
  judgement.switch_of = said_switches(values);
  return judgement;
}

}  // namespace steelyard::cli
