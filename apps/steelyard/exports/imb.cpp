// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <sstream>

#include "errors.hpp"
#include "exports/formats.hpp"
#include "exports/output.hpp"
#include "exports/runs.hpp"
#include "formats/imb/text.hpp"

namespace steelyard::cli {
namespace {

using Names = std::set<std::string, std::less<>>;

bool is_imb(std::string_view name) {
  return name.starts_with("imb-");
}

/// Parts of IMB that the run has points of.
Names parts(const record::Run& run) {
  Names names;
  for (const record::PointRecord& point : run.points)
    if (is_imb(point.suite)) names.insert(point.suite);
  return names;
}

std::vector<std::string> missing(const record::Run& run, const Names& parts) {
  Names there;
  for (const record::PointRecord& point : run.points) there.insert(point.suite + '/' + point.benchmark);
  std::vector<std::string> list;
  for (const std::string& name : run.head.plan_sequence)
    if (is_imb(name) && !there.contains(name)) list.push_back(name);
  if (!std::ranges::all_of(parts, [&](const std::string& part) { return is_whole(run, part); }))
    list.emplace_back("the end of the run");
  return list;
}

void write_parts(std::ostream& out, const record::Run& run, const Names& parts,
                 const formats::ImbTextOptions& options) {
  const auto writer = formats::imb_text(out, options);
  writer->run(run.head);
  for (const record::PointRecord& point : run.points) writer->point(point);
  if (const auto end = end_of(run, parts)) writer->end(*end);
}

}  // namespace

void export_imb(const Exported& what, const Values& values) {
  formats::ImbTextOptions options;
  if (const auto version = values.word("imb-version"))
    options.version = *version == "2021" ? imb::Version::v2021 : imb::Version::v31;
  std::ostringstream out;
  for (const record::Run& run : what.runs()) {
    const auto there = parts(run);
    if (there.empty()) throw UsageError("the records of run " + run.id + " lack points of an imb suite");
    const auto lacks = missing(run, there);
    if (!lacks.empty() && !what.selected && !values.on("partial"))
      throw UsageError("the records of run " + run.id + " lack " + listed(lacks),
                       "--partial writes what there is");
    write_parts(out, run, there, options);
  }
  write_output(out.str(), values);
}

}  // namespace steelyard::cli
