// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "analysis/balance/references.hpp"
#include "commands/program.hpp"
#include "exports/output.hpp"
#include "formats/tables/tables.hpp"
#include "options/resolve.hpp"
#include "process/errors.hpp"
#include "record/json.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

using record::Json;

/// Systems whose identifiers begin with a word, in any case; without any, the nearest one.
std::vector<std::string> meant_by(const std::string& word, const std::vector<std::string>& known) {
  std::vector<std::string> meant;
  const std::string begin = units::lower(word);
  for (const std::string& id : known)
    if (!begin.empty() && id.starts_with(begin)) meant.push_back(id);
  if (!meant.empty()) return meant;
  if (const auto near = units::nearest(word, known)) meant.push_back(*near);
  return meant;
}

/// Refuses identifiers that are neither of a system nor of one of its records.
void refuse_unknown(const record::Document& data, const std::vector<std::string>& ids) {
  const auto known = balance::system_ids(data);
  std::vector<std::string> unknown, meant;
  for (const std::string& id : ids) {
    if (std::ranges::find(known, id) != known.end()) continue;
    unknown.push_back(id);
    for (const std::string& one : meant_by(id, known)) meant.push_back(one);
  }
  if (!unknown.empty())
    throw UsageError("no reference system " + units::joined_in_quotes(unknown),
                     meant.empty() ? "'steelyard systems' lists them"
                                   : "did you mean " + units::joined_in_quotes(meant) + '?');
}

analysis::Tables tables_of(const record::Document& data, const Values& values) {
  const auto ids = values.list("id");
  refuse_unknown(data, ids);
  const balance::CatalogueChoice choice{values.need("kind"), values.word_or("text", "")};
  if (values.on("quotes")) {
    if (!ids.empty() || values.on("records"))
      throw UsageError(
          "--quotes: lists the quotes of all systems; it goes with no ID and not with --records");
    return {balance::quotes_table(data, choice)};
  }
  if (ids.empty() && values.on("records")) return {balance::records_table(data, choice, ids)};
  if (ids.empty()) return {balance::systems_table(data, choice)};
  analysis::Tables tables;
  for (const std::string& id : ids) tables.push_back(balance::system_details(data, id));
  tables.push_back(balance::records_table(data, choice, ids));
  return tables;
}

Json document_of(const record::Document& data, const analysis::Tables& tables,
                 const std::vector<std::string>& ids) {
  Json out{{"format", "steelyard.systems-list"}, {"format_version", 1}};
  for (const std::string& id : ids) out["systems"][id] = data.json()["systems"][id];
  out["tables"] = formats::tables_json(tables);
  return out;
}

std::string rendered(const record::Document& data, const analysis::Tables& tables, const Values& values) {
  const std::string format = values.need("format");
  if (format == "json") return document_of(data, tables, values.list("id")).dump(2) + '\n';
  if (format == "text") return formats::tables_text(tables, text_width(values, 100));
  return formats::tables_csv(tables, tables.back().table.id);
}

int run_systems(const Invocation& invocation) {
  const Values& values = invocation.values;
  const auto data = balance::read_systems(balance::systems_data());
  const auto tables = tables_of(data, values);
  if (tables.back().table.rows.empty()) throw UsageError("nothing matches --kind and --text");
  write_output(rendered(data, tables, values), "-", Existing::refused);
  return exit_code::done;
}

constexpr Option systems_options[] = {
    {"kind", Kind::word, "what was measured", Fallback{"all"}, OneOf{"all hpcc b_eff b_eff_io ftio"}},
    {"text", Kind::text, "only with this text in name, processor, interconnect or site"},
    {"records", "every measurement instead of every system"},
    {"quotes", "values that the documents quote in running text, also those that belong to no system"},
    {"format", Kind::word, "form of the answer", Fallback{"text"}, OneOf{"text csv json"}},
};
constexpr Group systems_groups[] = {{"Systems", systems_options}};
constexpr std::string_view systems_examples[] = {
    "steelyard systems", "steelyard systems --kind hpcc --records",
    "steelyard systems --quotes --text 'Tflop/s'", "steelyard systems cray-x1"};
constexpr int systems_codes[] = {0, 2};

}  // namespace

constinit const Command systems_command{
    .name = "systems",
    .section = "Read results",
    .summary = "published machines, which 'balance' puts beside others",
    .description =
        "Lists the reference systems that the published documents tabulate, or tells everything that is "
        "known of those with an ID: measurements as printed, notes, disagreements, source.",
    .positional = {"ID", Kind::text, Repeat::many, "a system, as the list names it"},
    .groups = systems_groups,
    .examples = systems_examples,
    .exit_codes = systems_codes,
    .see_also = "steelyard help balance",
    .run = run_systems};

}  // namespace steelyard::cli
