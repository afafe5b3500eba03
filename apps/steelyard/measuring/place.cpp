// SPDX-License-Identifier: Apache-2.0
#include "measuring/place.hpp"

#include "measuring/chosen_blas.hpp"
#include "measuring/compute_threads.hpp"
#include "options/schedule_options.hpp"
#include "process/errors.hpp"

namespace steelyard::cli {

measure::OffCache off_cache(const Values& values, const measure::OffCache& machine) {
  const auto word = values.word("off-cache");
  if (!word) return {};
  const CacheWords words = parse_cache(*word);
  if (!words.machine) return {words.size.count(), words.line_byte};
  if (!machine.on()) throw UsageError("--off-cache: the size of this machine's cache is unknown; name it");
  return machine;
}

survey::Place survey_place(const Values& values, const Place& place) {
  const auto blas = hpcc::text(blas_wish(values, hpcc::BlasWish::Kind::fastest));
  return {machine::machine_identity(), machine::version_line(""), blas, place.processes, place.nodes,
          compute_threads(values)};
}

Place place_here(const Values& values, int processes, int on_node) {
  Place place = node_place(on_node, compute_threads(values));
  place.processes = processes;
  place.nodes = (processes + on_node - 1) / on_node;
  if (auto known = survey::stored(survey::default_store(), survey_place(values, place)))
    place.survey = std::move(*known);
  return place;
}

}  // namespace steelyard::cli
