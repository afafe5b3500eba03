// SPDX-License-Identifier: Apache-2.0
#include "analysis/balance/catalogue.hpp"

#include <algorithm>
#include <set>

#include "record/json.hpp"
#include "units/text.hpp"

namespace steelyard::balance {
namespace {

using analysis::Cell;
using analysis::ColumnKind;
using analysis::Section;
using record::Json;

std::string word(const Json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end() || found->is_null()) return {};
  return found->is_string() ? found->get<std::string>() : found->dump();
}

bool has_text(const Json& system, const std::string& text) {
  const std::string wanted = units::lower(text);
  for (const char* name : {"vendor", "name", "site", "interconnect", "cpu"})
    if (units::lower(word(system, name)).find(wanted) != std::string::npos) return true;
  return false;
}

bool is_kind(const Json& record, const std::string& kind) {
  return kind == "all" || record.at("kind") == kind;
}

struct Holdings {
  std::set<std::string> kinds;
  std::int64_t records = 0;
};

Holdings holdings(const Json& data, const std::string& id, const std::string& kind) {
  Holdings found;
  for (const Json& record : data.at("records"))
    if (record.at("system") == id && is_kind(record, kind)) {
      found.kinds.insert(record.at("kind").get<std::string>());
      ++found.records;
    }
  return found;
}

std::string joined(const std::set<std::string>& words) {
  std::string text;
  for (const std::string& one : words) text += (text.empty() ? "" : ", ") + one;
  return text;
}

std::string processes_text(const Json& record) {
  const Json& config = record.at("config");
  const std::string count = word(config, config.contains("mpi_processes") ? "mpi_processes" : "processes");
  const std::string threads = word(config, "threads_per_process");
  return threads.empty() ? count : count + 'x' + threads;
}

/// Place of a table or quote in the document that it is from: "b_eff paper, section 4, Table 1".
std::string place_in_document(const Json& data, const Json& part) {
  return word(data.at("documents").at(word(part, "source")), "name") + ", " + word(part, "where");
}

std::string place_of(const Json& data, const Json& record) {
  return place_in_document(data, data.at("tables").at(record.at("table").get<std::string>()));
}

std::string notes_of(const Json& record) {
  std::string text;
  for (const Json& note : record.value("notes", Json::array()))
    text += (text.empty() ? "" : " ") + note.get<std::string>();
  return text;
}

void add_record(const Json& data, const Json& record, Section& section) {
  const Json printed = record.value("printed", Json::object());
  for (const auto& [name, value] : record.at("values").items()) {
    const Cell number = value.is_number() ? Cell(value.get<double>()) : Cell();
    section.table.rows.push_back({word(record, "id"), word(record, "system"), word(record, "kind"),
                                  processes_text(record), name, number, word(printed, name.c_str()),
                                  word(data.at("units"), name.c_str()), word(record, "status"),
                                  place_of(data, record), notes_of(record)});
  }
}

/// "30", "0.44 to 0.67", "io_fraction 0.44 to 0.67, cycles_per_flop 16 to 55".
std::string quoted_value(const Json& value) {
  if (value.is_array() && value.size() == 2) return value[0].dump() + " to " + value[1].dump();
  if (!value.is_object()) return value.dump();
  std::string text;
  for (const auto& [name, one] : value.items())
    text += (text.empty() ? "" : ", ") + name + ' ' + quoted_value(one);
  return text;
}

/// Documents that have a table of that kind.
std::set<std::string> sources_of(const Json& data, const std::string& kind) {
  std::set<std::string> sources;
  for (const auto& [id, table] : data.at("tables").items())
    if (kind == "all" || word(table, "kind") == kind) sources.insert(word(table, "source"));
  return sources;
}

bool concerns(const Json& disagreement, const std::set<std::string>& ids) {
  const Json& records = disagreement.at("records");
  return std::ranges::any_of(records, [&](const Json& one) { return ids.contains(one.get<std::string>()); });
}

}  // namespace

std::vector<std::string> system_ids(const record::Document& data) {
  std::vector<std::string> ids;
  for (const auto& [id, system] : data.json().at("systems").items()) ids.push_back(id);
  return ids;
}

Section systems_table(const record::Document& document, const CatalogueChoice& choice) {
  const Json& data = document.json();
  Section section{"systems", "Reference systems", {}, {"systems", {}, {}, {}}, {}};
  section.table.columns = {{"id", "ID", "", ColumnKind::text},
                           {"name", "name", "", ColumnKind::text},
                           {"kinds", "measured", "", ColumnKind::text},
                           {"records", "records", "", ColumnKind::number},
                           {"site", "site", "", ColumnKind::text}};
  for (const auto& [id, system] : data.at("systems").items()) {
    const auto held = holdings(data, id, choice.kind);
    if (held.records == 0 || !has_text(system, choice.text)) continue;
    section.table.rows.push_back(
        {id, word(system, "name"), joined(held.kinds), held.records, word(system, "site")});
  }
  std::size_t unowned = 0;
  for (const Json& quote : data.at("quotes")) unowned += quote.contains("system") ? 0U : 1U;
  section.notes.push_back(std::to_string(data.at("quotes").size()) + " values are quoted in running text, " +
                          std::to_string(unowned) + " of them belong to no system of this list: --quotes");
  return section;
}

Section quotes_table(const record::Document& document, const CatalogueChoice& choice) {
  const Json& data = document.json();
  Section section{"quotes", "Values quoted in running text", {}, {"quotes", {}, {}, {}}, {}};
  section.table.columns = {{"id", "quote", "", ColumnKind::text},
                           {"system", "system", "", ColumnKind::text},
                           {"value", "value", "", ColumnKind::text},
                           {"unit", "unit", "", ColumnKind::text},
                           {"what", "what", "", ColumnKind::text},
                           {"source", "source", "", ColumnKind::text, analysis::Audience::programs},
                           {"notes", "notes", "", ColumnKind::text, analysis::Audience::programs}};
  const auto sources = sources_of(data, choice.kind);
  const std::string wanted = units::lower(choice.text);
  for (const Json& quote : data.at("quotes")) {
    const std::string system = word(quote, "system"), what = word(quote, "what");
    const bool has_wanted = units::lower(what).find(wanted) != std::string::npos ||
                            (!system.empty() && has_text(data.at("systems").at(system), wanted));
    if (!has_wanted || !sources.contains(word(quote, "source"))) continue;
    section.table.rows.push_back({word(quote, "id"), system, quoted_value(quote.at("value")),
                                  word(quote, "unit"), what, place_in_document(data, quote),
                                  word(quote, "note")});
  }
  return section;
}

/// Reads quotes such as "balance interpolated at 3 Tflop/s, Cray X1E".
std::vector<QuotedBalance> quoted_balances(const record::Document& document) {
  constexpr std::string_view before = "balance interpolated at ", after = " Tflop/s, ";
  std::vector<QuotedBalance> list;
  for (const Json& quote : document.json().at("quotes")) {
    const std::string what = word(quote, "what");
    const auto end = what.find(after);
    if (!what.starts_with(before) || end == std::string::npos || !quote.at("value").is_number()) continue;
    const std::string name = what.substr(end + after.size());
    list.push_back({name.substr(0, name.find(" (")),
                    units::parse_number(std::string_view(what).substr(before.size(), end - before.size())),
                    quote.at("value").get<double>()});
  }
  return list;
}

Section records_table(const record::Document& document, const CatalogueChoice& choice,
                      const std::vector<std::string>& ids) {
  const Json& data = document.json();
  Section section{"records", "Measurements as printed", {}, {"records", {}, {}, {}}, {}};
  const auto programs = [](const char* key) {
    return analysis::Column{key, key, "", ColumnKind::text, analysis::Audience::programs};
  };
  section.table.columns = {{"id", "record", "", ColumnKind::text},
                           {"system", "system", "", ColumnKind::text},
                           programs("kind"),
                           {"processes", "P x T", "", ColumnKind::text},
                           {"key", "value of", "", ColumnKind::text},
                           {"value", "value", "", ColumnKind::number, analysis::Audience::programs},
                           {"printed", "printed", "", ColumnKind::number},
                           {"unit", "unit", "", ColumnKind::text},
                           {"status", "status", "", ColumnKind::text},
                           programs("source"),
                           programs("notes")};
  for (const Json& record : data.at("records")) {
    const std::string system = word(record, "system");
    const bool chosen = ids.empty() || std::ranges::find(ids, system) != ids.end();
    if (chosen && is_kind(record, choice.kind) && has_text(data.at("systems").at(system), choice.text))
      add_record(data, record, section);
  }
  return section;
}

Section system_details(const record::Document& document, const std::string& id) {
  const Json& data = document.json();
  const Json& system = data.at("systems").at(id);
  Section section{"system", word(system, "name"), {}, {}, {}};
  for (const auto& [name, value] : system.items())
    if (name != "name") section.text.push_back(name + ": " + word(system, name.c_str()));
  std::set<std::string> own, sources;
  for (const Json& record : data.at("records")) {
    if (record.at("system") != id) continue;
    own.insert(word(record, "id"));
    sources.insert(place_of(data, record));
    if (const std::string notes = notes_of(record); !notes.empty())
      section.notes.push_back(word(record, "id") + ": " + notes);
  }
  for (const Json& quote : data.at("quotes"))
    if (word(quote, "system") == id) {
      own.insert(word(quote, "id"));
      section.text.push_back("quoted: " + word(quote, "what") + ": " + word(quote, "value") + ' ' +
                             word(quote, "unit"));
    }
  for (const Json& one : data.at("disagreements"))
    if (concerns(one, own)) section.notes.push_back("disagreement: " + word(one, "what"));
  for (const std::string& source : sources) section.notes.push_back("source: " + source);
  return section;
}

}  // namespace steelyard::balance
