// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "report/sections.hpp"

namespace steelyard::report {
namespace {

using analysis::Audience;
using analysis::Cell;
using analysis::Column;
using analysis::ColumnKind;
using analysis::Section;

/// Which columns say something.
struct Shape {
  bool runs = false, processes = false, variants = false, lengths = false, intervals = false, tails = false,
       rates = false;
  double largest = 0, largest_rate = 0;
};

Shape shape_of(const Benchmark& benchmark) {
  Shape shape;
  const Row& first = *benchmark.rows.front();
  for (const Row* row : benchmark.rows) {
    shape.runs |= row->run != first.run;
    shape.processes |= row->point->processes != first.point->processes;
    shape.variants |= !row->variant.empty();
    shape.lengths |= row->length_byte.has_value();
    shape.intervals |= row->low.has_value();
    shape.tails |= row->p99.has_value();
    shape.rates |= row->byte_s.has_value();
    if (row->point->primary == benchmark.metric)
      shape.largest = std::max(shape.largest, row->median.value_or(0));
    shape.largest_rate = std::max(shape.largest_rate, row->byte_s.value_or(0));
  }
  return shape;
}

std::string remark(const Row& row) {
  const auto& point = *row.point;
  std::string text = point.status == record::Status::ok ? "" : std::string(record::text(point.status));
  if (point.verified == false) text += text.empty() ? "wrong data" : ", wrong data";
  if (point.reason) text += ": " + point.reason->text;
  return text;
}

std::vector<Column> columns(const Shape& shape, const Benchmark& benchmark, const Scale& scale,
                            const Scale& rate) {
  const auto eye = [](bool when) { return when ? Audience::all : Audience::programs; };
  const bool time = benchmark.metric == "time_s";
  const auto number = [](const char* key, std::string title, std::string unit, Audience shown) {
    return Column{key, std::move(title), std::move(unit), ColumnKind::number, shown};
  };
  return {{"run", "run", "", ColumnKind::text, eye(shape.runs)},
          {"key", "key", "", ColumnKind::text, Audience::programs},
          number("processes", "processes", "", Audience::all),
          {"variant", "case", "", ColumnKind::text, eye(shape.variants)},
          number("length_byte", "length", "B", eye(shape.lengths)),
          number("median", time ? "median time" : "median", scale.unit, Audience::all),
          number("low", "95 % from", scale.unit, eye(shape.intervals)),
          number("high", "to", scale.unit, eye(shape.intervals)),
          number("p99", "99 %", scale.unit, eye(shape.tails)),
          number("n", "batches", "", eye(shape.tails)),
          number("rate", "rate", rate.unit, eye(shape.rates)),
          {"remark", "", "", ColumnKind::text}};
}

Cell scaled(const std::optional<double>& value, const Scale& scale) {
  return value ? Cell(*value * scale.factor) : Cell();
}
Cell whole(const std::optional<double>& value) {
  return value ? Cell(static_cast<std::int64_t>(*value)) : Cell();
}

}  // namespace

Section benchmark_table(const Source& source, const Benchmark& benchmark, std::size_t most) {
  const Shape shape = shape_of(benchmark);
  const Scale scale = scale_of(record::unit_of(benchmark.metric), shape.largest),
              rate = scale_of("byte/s", shape.largest_rate);
  Section section{"points", benchmark.suite + '/' + benchmark.name, {}, {"points", {}, {}, {}}, {}};
  section.table.columns = columns(shape, benchmark, scale, rate);
  const auto kept = evenly(benchmark.rows.size(), most);
  for (const std::size_t i : kept) {
    const Row& row = *benchmark.rows[i];
    const bool same = row.point->primary == benchmark.metric;
    const Scale& by = same ? scale : Scale{1, ""};
    section.table.rows.push_back({source.names[row.run], row.point->key, row.point->processes, row.variant,
                                  whole(row.length_byte), scaled(row.median, by), scaled(row.low, by),
                                  scaled(row.high, by), scaled(row.p99, by), whole(row.n),
                                  scaled(row.byte_s, rate), remark(row)});
  }
  if (kept.size() < benchmark.rows.size())
    section.notes.push_back(std::to_string(kept.size()) + " of " + std::to_string(benchmark.rows.size()) +
                            " points, evenly thinned; 'steelyard export --to csv' writes all");
  return section;
}

}  // namespace steelyard::report
