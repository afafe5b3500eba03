// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include "analysis/screening/judges.hpp"
#include "stats/order.hpp"

namespace steelyard::screening {

const Reach* Expected::of(std::string_view processor) const {
  const auto own = of_processor.find(processor);
  if (own != of_processor.end()) return &own->second;
  if (of_processor.size() == 1) return &of_processor.begin()->second;
  return of_processor.empty() ? this : nullptr;
}

References reference_of(const Measured& measured) {
  References reference;
  const auto value_of = [](const Values& one) -> std::optional<double> {
    const auto some = known(one.visits);
    return some.empty() ? std::nullopt : std::optional(stats::median(some));
  };
  for (const auto& test : measured.nodes) {
    std::map<std::string, std::vector<double>> values;
    for (std::size_t host = 0; host < test.nodes.size(); ++host)
      if (const auto value = value_of(test.nodes[host]))
        values[processor_in(measured.machines, host)].push_back(*value);
    for (const auto& [processor, list] : values)
      reference[test.name].of_processor[processor] = {stats::median(list), std::nullopt};
  }
  for (const auto& test : measured.links) {
    std::vector<double> values;
    for (const auto& link : test.links)
      if (const auto value = value_of(link)) values.push_back(*value);
    if (!values.empty()) reference[test.name].value = stats::median(values);
  }
  if (reference.empty()) throw Unjudgeable("no value of a screening is in the reference");
  return reference;
}

std::vector<std::string> other_processors(const Measured& measured, const References& reference) {
  std::set<std::string> sentences;
  for (const auto& test : measured.nodes) {
    const auto expected = reference.find(test.name);
    if (expected == reference.end() || expected->second.of_processor.empty()) continue;
    const auto& models = expected->second.of_processor;
    for (std::size_t host = 0; host < test.nodes.size(); ++host) {
      const std::string processor = processor_in(measured.machines, host);
      if (!test.nodes[host].took_part || processor.empty() || models.contains(processor)) continue;
      if (models.size() == 1 && models.begin()->first.empty()) continue;
      sentences.insert("the reference is of another machine: " + models.begin()->first + ", not " +
                       processor);
    }
  }
  return {sentences.begin(), sentences.end()};
}

}  // namespace steelyard::screening
