// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <set>

#include "analysis/balance/system.hpp"
#include "commands/balance_options.hpp"
#include "commands/program.hpp"
#include "exports/output.hpp"
#include "formats/tables/tables.hpp"
#include "input/balance_input.hpp"
#include "machine/build_info.hpp"
#include "options/resolve.hpp"
#include "process/errors.hpp"
#include "record/json.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

using balance::Balance;
using balance::System;

struct Read {
  std::vector<System> systems;
  balance::Provenance provenance;
};

Read read_systems_of(const Values& values, const Metadata& metadata) {
  const auto files = values.list("input");
  if (files.empty())
    throw UsageError("an INPUT is missing: a result directory, a result.jsonl, a hpccoutf.txt, or -");
  Read found;
  for (std::size_t i = 0; i < files.size(); ++i) {
    auto input = read_balance_input(files[i], record::parse_run_choice(values.need("run")), "hpcc",
                                    description_of(values, files[i]));
    for (System& system : input.systems) {
      complete(system, values, metadata, name_of_input(values, i));
      set_inter_node_share(system, values);
      found.systems.push_back(std::move(system));
    }
    found.provenance.files.push_back(provenance_of(input));
  }
  found.systems =
      balance::joined_runs(std::move(found.systems),
                           values.on("one-machine") ? balance::Joined::all : balance::Joined::by_campaign);
  return found;
}

/// Makes all names differ, also those of a machine under judgement and of one beside it.
void tell_apart(std::vector<System>& systems, std::vector<System>& references) {
  const auto own = static_cast<std::ptrdiff_t>(systems.size());
  systems.insert(systems.end(), references.begin(), references.end());
  balance::make_names_unique(systems);
  references.assign(systems.begin() + own, systems.end());
  systems.erase(systems.begin() + own, systems.end());
}

/// Refuses --at in CSV: values read off curves are a table of their own, and CSV is one table.
void refuse_curves_in_csv(const Values& values) {
  if (values.said("at") && values.need("format") == "csv")
    throw UsageError(
        "--at: --format csv holds one table, and it has no place there; json, text, markdown and html do");
}

/// Refuses systems without any figure or ratio, and says what would have to be measured.
void refuse_empty(const Balance& judged) {
  if (!judged.is_empty()) return;
  std::set<std::string> lacks;
  for (const auto& one : judged.systems)
    for (const auto& row : one.ratios)
      for (const auto quantity : row.value.value.missing) {
        const auto held = one.system.doubts.withheld.find(quantity);  // measured, and says nothing
        const auto why =
            held == one.system.doubts.withheld.end() ? std::string(info(quantity).source) : held->second.why;
        lacks.insert(std::string(info(quantity).title) + " (" + why + ")");
      }
  throw UsageError("no ratio can be computed; missing: " + units::joined(lacks));
}

analysis::Tables tables_of(const Balance& judged, const Values& values, const Metadata& metadata) {
  if (values.on("table")) return balance::published_tables(judged);
  auto tables = balance::tables(judged);
  if (metadata.io500.empty()) return tables;
  analysis::Section section{"external", "IO500, as the user states it", {}, {"external", {}, {}, {}}, {}};
  section.table.columns = {{"name", "name", "", analysis::ColumnKind::text},
                           {"value", "value", "", analysis::ColumnKind::number}};
  for (const auto& [name, value] : metadata.io500) section.table.rows.push_back({name, value});
  tables.push_back(std::move(section));
  return tables;
}

std::string title(const Balance& judged) {
  std::string text = "Balance of";
  for (const auto& one : judged.systems) text += (text.ends_with("of") ? " " : ", ") + one.system.name;
  return text;
}

std::string rendered(const Balance& judged, const analysis::Tables& tables,
                     const balance::Provenance& provenance, const Values& values) {
  const std::string format = values.need("format");
  if (format == "csv") return formats::tables_csv(tables, values.on("table") ? "balance_table" : "ratios");
  if (format == "markdown") return formats::tables_markdown(tables);
  if (format == "html") return formats::tables_page(tables, title(judged));
  if (format == "text") return formats::tables_text(tables, text_width(values, 100));
  auto document = balance::document(judged, provenance);
  document.json()["tables"] = formats::tables_json(tables);
  return document.json().dump(2) + '\n';
}

void write_figures(const Balance& judged, const Values& values) {
  const auto directory = values.word("figure-data");
  if (!directory) return;
  std::error_code error;
  std::filesystem::create_directories(*directory, error);
  if (error) throw Refused("cannot create '" + *directory + "': " + error.message());
  const auto existing = values.on("overwrite") ? Existing::replaced : Existing::refused;
  for (const auto& figure : balance::figures(judged))
    write_output(formats::tables_csv({figure}, figure.id), *directory + '/' + figure.id + ".csv", existing);
}

balance::Provenance with_options(balance::Provenance provenance, const Values& values) {
  provenance.version = machine::build_info().version;
  for (const auto& [name, given] : values.all())
    if (given.source != Source::fallback && name != "input" && !given.words.empty())
      provenance.options.emplace_back(name, given.words.back());
  return provenance;
}

int run_balance(const Invocation& invocation) {
  const Values& values = invocation.values;
  const Metadata metadata = values.said("metadata") ? read_metadata(values.need("metadata")) : Metadata{};
  refuse_curves_in_csv(values);
  auto options = balance_options(values);
  options.price = metadata.price;
  Read read = read_systems_of(values, metadata);
  auto references = balance_references(values, read.provenance.files);
  for (System& system : references) set_inter_node_share(system, values);
  tell_apart(read.systems, references);
  const Balance judged = balance::judge(std::move(read.systems), std::move(references), std::move(options));
  refuse_empty(judged);
  const auto tables = tables_of(judged, values, metadata);
  write_output(rendered(judged, tables, with_options(read.provenance, values), values),
               values.word_or("output", "-"),
               values.on("overwrite") ? Existing::replaced : Existing::refused);
  write_figures(judged, values);
  const bool doubtful = std::ranges::any_of(judged.systems, [](const auto& one) { return one.doubtful(); });
  return values.on("strict") && doubtful ? exit_code::judgement : exit_code::done;
}

constexpr std::string_view balance_examples[] = {
    "steelyard balance steelyard-results/first",
    "steelyard balance hpccoutf.txt --nodes 16 --memory 4T --at 3",
    "steelyard balance mine theirs/hpccoutf.txt --table",
    "steelyard balance mine --format json -o balance.json"};
constexpr int balance_codes[] = {0, 2, 3, 4};

}  // namespace

// Its option groups live in another file, so it is not constinit.
const Command balance_command{
    .name = "balance",
    .section = "Read results",
    .summary = "which resource holds a machine back, beside published systems",
    .description =
        "Takes results of HPC Challenge, b_eff, b_eff_io and FTIO (ours, or a hpccoutf.txt of any program), "
        "forms ratios of network, memory, arithmetic and I/O, puts them beside reference systems and says in "
        "words which resource holds the machine back. Measures nothing.",
    .positional = {"INPUT", Kind::file, Repeat::many,
                   "result directories, result.jsonl (.gz), hpccoutf.txt, balance --format json, or -"},
    .groups = balance_groups(),
    .examples = balance_examples,
    .exit_codes = balance_codes,
    .see_also = "steelyard help systems, steelyard help compare",
    .run = run_balance};

}  // namespace steelyard::cli
