// SPDX-License-Identifier: Apache-2.0
#include "commands/balance.hpp"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <set>

#include "analysis/balance/measured.hpp"
#include "analysis/balance/system.hpp"
#include "commands/program.hpp"
#include "exports/output.hpp"
#include "formats/tables/tables.hpp"
#include "input/balance_input.hpp"
#include "input/foreign_input.hpp"
#include "machine/build_info.hpp"
#include "options/checks.hpp"
#include "options/resolve.hpp"
#include "process/errors.hpp"
#include "record/json.hpp"
#include "units/quantity.hpp"
#include "units/text.hpp"

namespace steelyard::cli {
namespace {

using balance::Quantity;
using balance::System;

using prefix::giga, prefix::tera;
constexpr std::int64_t most_nodes = 1000000;
constexpr std::string_view kinds[] = {"hpcc", "b_eff", "b_eff_io", "ftio"};

/// Throws UsageError for more nodes than processes: on each there is one. Where processes are not known, nothing is said.
void refuse_empty_nodes(const System& system, std::int64_t nodes) {
  if (system.processes() > 0 && static_cast<double>(nodes) > system.processes())
    throw UsageError("--nodes: says " + std::to_string(nodes) + " nodes, " + system.source + " has " +
                     units::counted(static_cast<std::size_t>(system.processes()), "process"));
}

/// Processes on each node, spread as evenly as possible.
std::vector<int> even_layout(double processes, std::int64_t nodes) {
  const auto all = static_cast<std::int64_t>(processes);
  std::vector<int> list;
  for (std::int64_t i = 0; i < nodes; ++i)
    list.push_back(static_cast<int>(all / nodes + (i < all % nodes ? 1 : 0)));
  return list;
}

/// "8*4,4": 8 processes on each of 4 nodes and 4 on a fifth. Throws units::ParseError.
std::vector<int> parse_nodes(std::string_view word) {
  std::vector<int> list;
  while (true) {
    const std::size_t end = std::min(word.find(','), word.size());
    const std::string_view item = word.substr(0, end);
    const std::size_t star = std::min(item.find('*'), item.size());
    const auto each = units::parse_count(item.substr(0, star), 1, most_nodes);
    const auto nodes = star == item.size() ? 1 : units::parse_count(item.substr(star + 1), 1, most_nodes);
    list.insert(list.end(), static_cast<std::size_t>(nodes), static_cast<int>(each));
    if (end == word.size()) return list;
    word.remove_prefix(end + 1);
  }
}

void set_nodes(System& system, const Values& values) {
  std::vector<int> layout;
  if (const auto word = values.word("processes-per-node")) {
    layout = parse_nodes(*word);
  } else if (const auto nodes = values.count("nodes")) {
    refuse_empty_nodes(system, *nodes);
    layout = even_layout(system.processes(), *nodes);
  } else {
    return;
  }
  if (const double said = std::accumulate(layout.begin(), layout.end(), 0.0); said != system.processes())
    throw UsageError("--processes-per-node: says " + units::format_fixed(said, 0) + " processes, " +
                     system.source + " has " + units::format_fixed(system.processes(), 0));
  if (const auto nodes = values.count("nodes"); nodes && *nodes != std::ssize(layout))
    throw UsageError("--nodes and --processes-per-node contradict each other");
  balance::set_layout(system, std::move(layout));
}

void set_memory(System& system, const Values& values) {
  if (const auto each = values.size("memory-per-process"))
    system.inputs.set(Quantity::memory_byte, static_cast<double>(each->count()) * system.processes());
  if (const auto all = values.size("memory"))
    system.inputs.set(Quantity::memory_byte, static_cast<double>(all->count()));
}

void borrow_hpl(System& system, const Values& values) {
  const auto rate = values.number("hpl-gflops");
  if (!rate) return;
  system.inputs.set(Quantity::hpl_flop_s, *rate * giga);
  system.inputs.erase(Quantity::hpl_processes);
  system.doubts.borrowed_hpl = true;
}

bool selected(const System& system, const Values& values) {
  const std::string text = units::lower(values.word_or("select", ""));
  const double least = values.number("min-tflops").value_or(0) * tera;
  const bool named = units::lower(system.name).find(text) != std::string::npos ||
                     units::lower(system.curve).find(text) != std::string::npos;
  return named && (least <= 0 || system.inputs.get(Quantity::hpl_flop_s).value_or(0) >= least);
}

constexpr Option inputs[] = {
    run_option,
    {"name", Kind::text,
     "name of the machine; with several inputs once for all, or once for each in their order",
     FallbackText{"recorded, with the directory where a name repeats"}, Repeat::many},
    {"one-machine",
     "all inputs are runs of one machine: equal layouts become one point, several sizes a curve"},
    {"nodes", Kind::count, "nodes, with the processes spread evenly", FallbackText{"recorded"},
     Within{1, most_nodes}},
    {"processes-per-node", Kind::special, "8*4,4: 8 processes on each of 4 nodes and 4 on a fifth",
     Argument{"LIST"}, FallbackText{"recorded"}, parses<parse_nodes>},
    {"memory", Kind::size, "memory of the nodes in use", FallbackText{"recorded"}},
    {"memory-per-process", Kind::size, "the same, of one process"},
    {"cache", Kind::size,
     "last-level cache of a node, all of it, beside which STREAM's arrays have to be large",
     FallbackText{"recorded"}},
    {"peak-gflops", Kind::special, "nominal peak of the system", Argument{"NUMBER"}, FallbackText{"measured"},
     parses<parse_positive>},
    {"peak-memory-gbytes", Kind::special, "nominal memory bandwidth of the system, 10^9 byte/s",
     Argument{"NUMBER"}, parses<parse_positive>},
    {"hpl-gflops", Kind::special, "HPL of another run (flag V4, borrowed HPL)", Argument{"NUMBER"},
     FallbackText{"measured"}, parses<parse_positive>},
    {"power", Kind::text, "mean power of the system, or a file of lines 'seconds watts'",
     Argument{"WATTS|FILE"}},
    {"power-level", Kind::count, "level of the EE HPC WG method by which it was measured", Within{1, 3}},
    {"metadata", Kind::file, "TOML: [system], [cost], [external]"},
};
constexpr Option balance_how[] = {
    {"at", Kind::special, "read the curves off at this HPL; the published value is 3", Argument{"TFLOPS"},
     parses<parse_positive>, Repeat::many},
    {"interpolate", Kind::word, "between the points of a curve", Fallback{"linear"}, OneOf{"linear loglog"}},
    {"intra-node", Kind::word,
     "part of the random ring inside nodes: 1/n, mean over all orders, or counted in the orders that were "
     "measured",
     Fallback{"exact"}, OneOf{"published expected exact"}, Former{"seed=published"}},
    {"normalise", Kind::word, "what columns are divided by", Fallback{"hpl"}, OneOf{"hpl peak process none"}},
    {"per", Kind::word, "what figures of merit are divided by", Fallback{"system"},
     OneOf{"system node process core"}},
    {"profile", Kind::text, "kinds of work that the verdict is about", Argument{"NAME|FILE"},
     FallbackText{"dense, spectral, sparse"}, Repeat::many},
    {"checkpoint-interval", Kind::duration, "half of the memory is written so often", Fallback{"3600"}},
};
constexpr Option balance_words_output[] = {
    {"table", "the published table: one line per system"},
    {"format", Kind::word, "form of the answer", Fallback{"text"}, OneOf{"text csv json markdown html"}},
    output_option,
    {"figure-data", Kind::directory, "also the data of every figure, as CSV"},
    {"overwrite", "replace existing files"},
    {"strict",
     "exit code 3 if a doubt about a figure is on a judged system: flags V4 to V12 (borrowed HPL to short "
     "run), V15 (page cache), V16 (not representative)"},
};
constexpr Group balance_words_groups[] = {{"Systems", inputs},
                                          {"Beside them", references_beside},
                                          {"How", balance_how},
                                          {"Output", balance_words_output},
                                          foreign_group};

template <class Enum, std::size_t n>
Enum choice(const std::string& word, const std::string_view (&words)[n]) {
  return static_cast<Enum>(std::ranges::find(words, word) - std::begin(words));
}
constexpr std::string_view methods[] = {"linear", "loglog"},
                           normalisations[] = {"hpl", "peak", "process", "none"},
                           parts[] = {"system", "node", "process", "core"},
                           intra_node[] = {"published", "expected", "exact"};

using balance::Balance;

struct Read {
  std::vector<System> systems;
  balance::Provenance provenance;
};

/// Name of the input at that place: --name, said as often as there are inputs or once for all; nullopt if not said.
/// Throws UsageError if the numbers differ.
std::optional<std::string> name_of_input(const Values& values, std::size_t input) {
  const auto names = values.list("name");
  const std::size_t inputs = values.list("input").size();
  if (names.size() > 1 && names.size() != inputs)
    throw UsageError("--name: said " + std::to_string(names.size()) + " times for " +
                     units::counted(inputs, "input") + "; once for all, or once for each");
  if (names.empty()) return std::nullopt;
  return names.size() == 1 ? names.front() : names.at(input);
}

/// Sets the part of the random ring between nodes by --intra-node; counted orders stay if the method is exact.
void set_inter_node_share(System& system, const Values& values) {
  auto method = choice<balance::IntraNode>(values.need("intra-node"), intra_node);
  const bool counted = system.inputs.get(Quantity::inter_node_share).has_value();
  if (method == balance::IntraNode::exact && counted && !values.said("processes-per-node") &&
      !values.said("nodes"))
    return;
  if (method == balance::IntraNode::exact) method = balance::IntraNode::expected;
  system.inputs.erase(Quantity::inter_node_share);
  if (const auto inside = balance::intra_node_fraction(system.processes_per_node, method))
    system.inputs.set(Quantity::inter_node_share, 1 - *inside);
}

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
  analysis::Section section = analysis::table_section("external", "IO500, as the user states it");
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

balance::BalanceOptions balance_options(const Values& values) {
  balance::BalanceOptions options;
  options.method = choice<balance::Method>(values.need("interpolate"), methods);
  options.normalise = choice<balance::Normalise>(values.need("normalise"), normalisations);
  options.per = choice<balance::Per>(values.need("per"), parts);
  for (const std::string& word : values.list("at"))
    options.at_flop_s.push_back(units::parse_number(word) * tera);
  options.verdict.checkpoint_interval_s = values.duration("checkpoint-interval")->value();
  if (!(options.verdict.checkpoint_interval_s > 0))
    throw UsageError("--checkpoint-interval: must be above 0");
  const auto profiles = values.list("profile");
  if (profiles.empty()) return options;
  options.verdict.profiles.clear();
  for (const std::string& word : profiles) options.verdict.profiles.push_back(read_profile(word));
  return options;
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

std::span<const Group> balance_groups() {
  return balance_words_groups;
}

void complete(System& system, const Values& values, const Metadata& metadata,
              const std::optional<std::string>& name) {
  apply(metadata, system);
  if (name) system.name = system.curve = *name;
  set_nodes(system, values);
  set_memory(system, values);
  borrow_hpl(system, values);
  if (const auto cache = values.size("cache"))
    system.doubts.node_cache_byte = static_cast<double>(cache->count());
  if (const auto peak = values.number("peak-gflops"))
    system.inputs.set(Quantity::peak_nominal_flop_s, *peak * giga);
  if (const auto peak = values.number("peak-memory-gbytes"))
    system.inputs.set(Quantity::peak_memory_byte_s, *peak * giga);
  if (const auto power = values.word("power")) system.inputs.set(Quantity::mean_power_w, read_power(*power));
}

std::vector<System> balance_references(const Values& values, std::vector<balance::Provenance::File>& files) {
  auto words = values.list("reference");
  if (words.empty()) words.emplace_back("hpcc");
  if (words == std::vector<std::string>{"none"}) return {};
  std::vector<System> list;
  for (const std::string& word : words) {
    std::vector<System> some;
    if (std::ranges::find(kinds, word) != std::end(kinds)) {
      some = balance::reference_systems(balance::read_systems(balance::systems_data()), word);
    } else {
      auto input = read_balance_input(word, record::parse_run_choice("all"));
      files.push_back(provenance_of(input));
      some = balance::joined_runs(std::move(input.systems), balance::Joined::by_campaign);
    }
    std::ranges::copy_if(some, std::back_inserter(list),
                         [&](const System& s) { return selected(s, values); });
  }
  return list;
}

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
