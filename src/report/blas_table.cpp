// SPDX-License-Identifier: Apache-2.0
#include "record/document.hpp"
#include "record/json.hpp"
#include "report/sections.hpp"

namespace steelyard::report {
namespace {

using analysis::Cell;
using analysis::ColumnKind;
using analysis::Section;
using record::Json;

Json member(const Json& object, const char* name) {
  return object.is_object() ? object.value(name, Json()) : Json();
}

std::string library(const Json& blas) {
  const auto version = record::text_in(blas, "version");
  return record::text_in(blas, "library") + (version.empty() ? "" : " " + version);
}

/// "used", "as linked": what a reader must know of one of those tried.
std::string remark(const Json& one, const Json& blas) {
  std::string text;
  const auto add = [&](const std::string& word) { text += (text.empty() ? "" : ", ") + word; };
  if (one == member(blas, "used")) add("used");
  if (record::text_in(one, "choice") == "as linked") add("as linked");
  if (const auto why = record::text_in(one, "why"); !why.empty()) add("left out: " + why);
  return text;
}

void add_rows(const std::string& run, const Json& blas, Section& section) {
  constexpr double gflop_s = 1e9;
  for (const char* list : {"tried", "refused", "not_tried"})
    for (const auto& one : member(blas, list)) {
      const auto rate = record::number_in(one, "flop_s");
      const bool untried = std::string_view(list) == "not_tried";
      section.table.rows.push_back({run, library(one), record::text_in(one, "kernel"),
                                    rate ? Cell(*rate / gflop_s) : Cell(),
                                    untried ? "not tried for want of time" : remark(one, blas)});
    }
}

}  // namespace

std::optional<Section> blas_table(const Source& source) {
  Section section{
      "blas", "BLAS libraries and kernels in a trial before DGEMM and HPL", {}, {"blas", {}, {}, {}}, {}};
  const bool several = source.input.runs.size() > 1;
  section.table.columns = {{"run", "run", "", ColumnKind::text,
                            several ? analysis::Audience::all : analysis::Audience::programs},
                           {"library", "library", "", ColumnKind::text},
                           {"kernel", "kernel", "", ColumnKind::text},
                           {"rate", "rate of a process", "Gflop/s", ColumnKind::number},
                           {"remark", "", "", ColumnKind::text}};
  for (std::size_t i = 0; i < source.input.runs.size(); ++i)
    add_rows(source.names[i], source.input.runs[i].head.blas.json(), section);
  if (section.table.rows.empty()) return std::nullopt;
  section.notes = {
      "Short products of small matrices, each in a process of its own: they choose, DGEMM measures."};
  return section;
}

}  // namespace steelyard::report
