// SPDX-License-Identifier: Apache-2.0
#include "measuring/plan_inputs.hpp"

#include "errors.hpp"
#include "record/json.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

using record::Json;

void take(const Json& inputs, const char* name, std::int64_t& into) {
  if (inputs.contains(name) && inputs.at(name).is_number_integer())
    into = inputs.at(name).get<std::int64_t>();
}

}  // namespace

record::Document plan_inputs(const Values& values, const Place& place) {
  Json inputs{{"memory_byte", place.memory_byte},
              {"node_share_byte", place.node_share_byte},
              {"cache_byte", place.cache.cache_byte},
              {"cache_line_byte", place.cache.line_byte},
              {"cache_alone_byte", place.cache_share.alone_byte},
              {"cache_together_byte", place.cache_share.together_byte}};
  const auto budget = values.duration(values.said(first_budget) ? first_budget : "budget");
  if (budget) inputs["budget_s"] = budget->value();
  return inputs;
}

Place place_planned_with(const record::Document& inputs, Place here) {
  if (!inputs.json().is_object()) return here;
  take(inputs.json(), "memory_byte", here.memory_byte);
  take(inputs.json(), "node_share_byte", here.node_share_byte);
  take(inputs.json(), "cache_byte", here.cache.cache_byte);
  take(inputs.json(), "cache_line_byte", here.cache.line_byte);
  take(inputs.json(), "cache_alone_byte", here.cache_share.alone_byte);
  take(inputs.json(), "cache_together_byte", here.cache_share.together_byte);
  return here;
}

void refuse_sizes_beyond(const Place& here, const Place& planned, const Values& values) {
  constexpr double as_good_as_equal = 1.1;  // what is free differs from hour to hour
  const auto directory = values.word("sizes-of");
  if (!directory ||
      static_cast<double>(planned.memory_byte) <= as_good_as_equal * static_cast<double>(here.memory_byte))
    return;
  throw Refused("--sizes-of: " + *directory + " was planned with " +
                units::format_size(Bytes{planned.memory_byte}) + " of memory a process, here are " +
                units::format_size(Bytes{here.memory_byte}));
}

void set_first_budget(const record::Document& inputs, Values& values) {
  if (!inputs.json().is_object()) return;
  std::vector<std::string> words;
  if (inputs.json().contains("budget_s")) words.push_back(inputs.json().at("budget_s").dump());
  values.forget("budget");
  if (!words.empty()) values.set("budget", {words, Source::file, "the run's own budget"});
  values.set(first_budget, {std::move(words), Source::command_line, "the run's own budget"});
}

}  // namespace steelyard::cli
