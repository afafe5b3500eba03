// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "record/json.hpp"
#include "report/chart_tables.hpp"
#include "units/prefixes.hpp"

namespace steelyard::report {
namespace {

using analysis::Cell;
using analysis::Section;
using record::Json;

using prefix::micro, prefix::nano;
constexpr std::size_t most_marks = 1500;

/// Classes of equal width on a logarithmic scale; nothing where a member is not what it should be.
void add_classes(const std::string& name, const char* when, const Json& noise, Section& section) {
  const Json* found = noise.at_pointer("/fixed_work/classes");
  if (!found || !found->is_object()) return;
  const Json& classes = *found;
  const Json low = classes.value("low_s", Json()), high = classes.value("high_s", Json()),
             counts = classes.value("counts", Json());
  if (!low.is_number() || !high.is_number() || !counts.is_array() || counts.empty()) return;
  const double from = low.get<double>(), size = static_cast<double>(counts.size());
  if (!(from > 0) || !(high.get<double>() > from)) return;
  const double step = std::log(high.get<double>() / from) / size;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (!counts[i].is_number_integer()) return;
    const double k = static_cast<double>(i);
    section.table.rows.push_back({name, when, from * std::exp(k * step) / micro,
                                  from * std::exp((k + 1) * step) / micro, counts[i].get<std::int64_t>()});
  }
}

Cell scaled(const std::optional<double>& value, double unit) {
  return value ? Cell(*value / unit) : Cell();
}

/// When each point was measured, in seconds since the start. A record is written when the block of its point ends:
/// points that were written faster one after the other than they can have been measured shared one block, and each
/// gets the middle of the block's time.
std::vector<double> measured_at(const record::Run& run) {
  const std::size_t size = std::min(run.points.size(), run.envelopes.size());
  std::vector<double> middles(size);
  const auto took = [&](std::size_t k) {
    const auto& schedule = run.points[k].schedule;
    return schedule ? std::max(0.0, schedule->elapsed_s.value_or(0)) : 0.0;
  };
  double before = 0;
  for (std::size_t first = 0; first < size;) {
    double sum = took(first);
    std::size_t end = first + 1;
    for (; end < size && run.envelopes[end].at_s - run.envelopes[end - 1].at_s < took(end); ++end)
      sum += took(end);
    const double written = run.envelopes[first].at_s;
    const double began = std::clamp(written - sum, std::min(before, written), written);
    for (std::size_t k = first; k < end; ++k) middles[k] = (began + written) / 2;
    before = run.envelopes[end - 1].at_s;
    first = end;
  }
  return middles;
}

void add_points(const std::string& name, const record::Run& run, Section& speed, Section& clocks) {
  const auto middles = measured_at(run);
  for (std::size_t k = 0; k < middles.size(); ++k) {
    const auto& point = run.points[k];
    const double at_s = middles[k];
    for (const auto& state : point.states)
      if (state.chain_s || state.wide_s || state.c2c_s)
        speed.table.rows.push_back({name, at_s, point.suite + '/' + point.benchmark,
                                    scaled(state.chain_s, micro), scaled(state.wide_s, micro),
                                    scaled(state.c2c_s, nano)});
    if (point.schedule && point.schedule->clock_error_s)
      clocks.table.rows.push_back({name, at_s, point.suite + '/' + point.benchmark,
                                   scaled(point.schedule->clock_error_median_s, nano),
                                   scaled(point.schedule->clock_error_s, nano)});
  }
}

}  // namespace

analysis::Tables time_tables(const Source& source) {
  Section work = chart_section(
      "fixed_work", "Times of the same work",
      {text_column("run", "run"), text_column("when", "when"), number_column("from_us", "from", "us"),
       number_column("to_us", "to", "us"), number_column("count", "count")});
  analysis::Tables all;
  const auto& runs = source.input.runs;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    Section speed = chart_section(
                "speed_over_time", "Speed of the processors over the run",
                {text_column("run", "run"), number_column("at_s", "after", "s"),
                 text_column("benchmark", "during"), number_column("chain_us", "dependent", "us"),
                 number_column("wide_us", "independent", "us"), number_column("c2c_ns", "cache line", "ns")}),
            clocks = chart_section(
                "clock_over_time", "Clocks of the processes against that of the first",
                {text_column("run", "run"), number_column("at_s", "after", "s"),
                 text_column("benchmark", "during"), number_column("median_ns", "median error", "ns"),
                 number_column("largest_ns", "largest error", "ns")});
    add_classes(source.names[i], "start", runs[i].head.noise.json(), work);
    for (const auto& event : runs[i].events)
      if (event.code == "noisy") add_classes(source.names[i], "end", event.data.json(), work);
    add_points(source.names[i], runs[i], speed, clocks);
    for (Section* one : {&speed, &clocks})
      if (one->table.rows.size() > 1) all.push_back(thinned(std::move(*one), most_marks));
  }
  if (!work.table.rows.empty()) all.insert(all.begin(), std::move(work));
  return all;
}

}  // namespace steelyard::report
