// SPDX-License-Identifier: Apache-2.0
#include "analysis/balance/sentences.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "record/clipped.hpp"
#include "units/quantity.hpp"
#include "units/text.hpp"

namespace steelyard::balance {
namespace {

using enum Quantity;

using prefix::giga, prefix::gibi;
constexpr double minute_s = 60, cup_min = 5, hundred = 100;
constexpr double io_even_from = 0.45, io_even_to = 0.55;

std::string count(double number, const std::string& what) {
  const auto whole = record::clipped<std::int64_t>(number);
  return std::to_string(whole) + ' ' + what + (whole == 1 ? "" : what.ends_with("ss") ? "es" : "s");
}

std::string size_and_kind(const System& system) {
  std::string text = count(system.processes(), "process");
  if (system.threads() > 1) text += " of " + count(system.threads(), "thread");
  text += system.nodes() ? " on " + count(*system.nodes(), "node") : " on an unknown number of nodes";
  if (const auto memory = system.inputs.get(memory_byte))
    text += ", " + digits(*memory / gibi) + " GiB of memory";
  if (!system.cpu.empty()) text += ", " + system.cpu;
  if (!system.interconnect.empty()) text += ", " + system.interconnect;
  if (!system.run_type.empty()) text += ", " + system.run_type + " run";
  return text;
}

std::string solver(const System& system) {
  const auto rate = system.inputs.get(hpl_flop_s);
  if (!rate) return {};
  std::string text = "HPL " + digits(*rate / giga) + " Gflop/s";
  Reading read(system.inputs);
  if (system.processes() > 0) text += ", " + digits(read.hpl() / system.processes() / giga) + " per process";
  if (const auto share = evaluate(*ratio_named("hpl_over_dgemm"), system.inputs).value) {
    text += ", " + digits(*share * hundred) + " % of DGEMM";
    if (*share > 1.02) text += " (DGEMM too low)";
  }
  return text;
}

/// Sentence on processes of unequal speed. All processes of the linear solver wait for the slowest: its rate
/// tells more of what is low than their mean. If the solver reaches less than that permits, something else is
/// low; if it reaches more, the rate was that of a moment.
std::string uneven(const System& system) {
  constexpr double wide = 1.25, low = 0.8, at_most = 1.05;
  const auto& products = system.evidence.products;
  const auto share = evaluate(*ratio_named("hpl_over_dgemm"), system.inputs).value;
  Reading read(system.inputs);
  const double hpl = read.hpl();
  if (!products || !share || !read.missing().empty() || system.doubts.borrowed_hpl || system.processes() < 2)
    return {};
  const double of_slowest = hpl / (system.processes() * products->least);
  const bool explains = of_slowest >= low && of_slowest <= at_most;
  if (products->spread() < wide || *share > low || !explains) return {};
  return "DGEMM of single processes reaches " + digits(products->least / giga) + " to " +
         digits(products->most / giga) + " Gflop/s; HPL waits for the slowest and reaches " +
         digits(of_slowest * hundred) + " % of as many times its rate.";
}

/// The figures of the awards of the suite: absolute, whole system.
std::string four_numbers(const System& system) {
  Reading read(system.inputs);
  const double hpl = read.of(hpl_flop_s), updates = read.of(random_access_global_update_s),
               triad = read.accumulated(stream_star_triad_byte_s), fft = read.of(fft_global_flop_s);
  if (!read.missing().empty()) return {};
  return "HPL " + digits(hpl / giga) + " Gflop/s, RandomAccess " + digits(updates / giga) +
         " GUP/s, STREAM triad " + digits(triad / giga) + " GB/s, FFT " + digits(fft / giga) + " Gflop/s";
}

/// Inputs that some ratio lacks. Those that were measured and say nothing about the machine
/// are told elsewhere.
std::set<Quantity> lacking(const Judged& judged) {
  std::set<Quantity> lacks;
  for (const RatioRow& row : judged.ratios)
    lacks.insert(row.value.value.missing.begin(), row.value.value.missing.end());
  std::erase_if(lacks, [&](Quantity quantity) { return judged.system.doubts.withheld.contains(quantity); });
  return lacks;
}

/// Sources that would measure the inputs that some ratio lacks, in the order of the quantities.
std::string missing(const Judged& judged) {
  std::vector<std::string> sources, texts;
  std::map<std::string, std::vector<std::string>> by_source;
  for (const Quantity quantity : lacking(judged)) {
    const std::string source(info(quantity).source);
    if (!by_source.contains(source)) sources.push_back(source);
    by_source[source].emplace_back(info(quantity).title);
  }
  for (const std::string& source : sources)
    texts.push_back(units::joined(by_source[source], ", ") + " (" + source + ")");
  return texts.empty() ? "" : "Missing: " + units::joined(texts, "; ") + ".";
}

/// Sentence on figures that say nothing about the machine, those with one reason together.
std::string withheld(const System& system) {
  std::vector<std::string> reasons, texts;
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const auto& [quantity, held] : system.doubts.withheld) {
    if (!by_reason.contains(held.why)) reasons.push_back(held.why);
    by_reason[held.why].emplace_back(info(quantity).title);
  }
  for (const std::string& why : reasons)
    texts.push_back(units::joined(by_reason[why], ", ") + " (" + why + ")");
  return texts.empty()
             ? ""
             : "Left out, for they say nothing about this machine: " + units::joined(texts, "; ") + ".";
}

/// `takes` and `at` stand around the minutes: b_eff_io is a mean of writing and reading, and no rate of writing.
std::string cup_line(const CoffeeCup& cup, const std::string& takes, const std::string& at) {
  return "Coffee cup: half of the memory (" + digits(cup.memory_byte / 2 / gibi) + " GiB) " + takes + " " +
         digits(cup.half_memory_time_s / minute_s) + " min " + at + "; the rule allows " +
         std::to_string(static_cast<int>(cup_min)) + (cup.passes() ? ". It passes" : ". It fails") +
         " with factor " + digits(cup.factor) + ".";
}

/// Adds the coffee cups by the mixture and by the writes that the rule is about; neither if the
/// files lay in memory.
void add_cups(const Judged& judged, std::vector<std::string>& lines) {
  if (!judged.cups.not_judged.empty())
    lines.push_back("Coffee cup: cannot be judged, " + judged.cups.not_judged + "; '" +
                    std::string(uncached_command) + "' would tell.");
  if (judged.cups.mixed) lines.push_back(cup_line(*judged.cups.mixed, "takes", "at b_eff_io"));
  if (judged.cups.writing)
    lines.push_back(cup_line(*judged.cups.writing, "is written in", "at the rate of its initial writes"));
}

std::string left_out_text(const LeftOut& one) {
  return std::string(name(one.resource)) + " (" + one.reason +
         (one.command.empty() ? "" : "; " + would_tell(one.command, one.too_small)) + ")";
}

std::string io_line(double fraction, const System& system) {
  if (const auto cached = system.doubts.cached.find(ftio_io_fraction); cached != system.doubts.cached.end())
    return "FTIO spends " + digits(fraction * hundred) +
           " % of its time on I/O that is no disk's: " + cached->second +
           "; 'steelyard ftio -size cache' would tell.";
  const char* who = fraction < io_even_from ? "computation and communication dominate"
                    : fraction > io_even_to ? "I/O dominates"
                                            : "even";
  return "FTIO spends " + digits(fraction * hundred) + " % of its time on I/O: " + who + ".";
}

/// The value over the median: of a ratio where less is better it is the inverse of the factor, which tells how many
/// times as good it is.
double times_the_median(const RatioRow& row) {
  return row.ratio->lower_is_better ? 1 / *row.standing.factor : *row.standing.factor;
}

std::string place(const RatioRow& row) {
  return std::string(row.ratio->title) + ' ' + digits(*row.value.value.value) +
         (row.ratio->unit.empty() ? "" : " " + std::string(row.ratio->unit)) + ", rank " +
         std::to_string(*row.standing.rank) + " of " + std::to_string(row.standing.reference_n + 1) + ", " +
         digits(times_the_median(row)) + " times the median";
}

void add_places(const Judged& judged, std::vector<std::string>& lines) {
  std::vector<const RatioRow*> ranked;
  for (const RatioRow& row : judged.ratios)
    if (row.standing.factor) ranked.push_back(&row);
  if (ranked.empty()) return;
  const auto factor = [](const RatioRow* row) { return *row->standing.factor; };
  const auto [low, high] = std::ranges::minmax_element(ranked, {}, factor);
  lines.push_back("Weakest against the references: " + place(**low) + ".");
  if (*low != *high) lines.push_back("Strongest against the references: " + place(**high) + ".");
}

using analysis::Audience;
using analysis::Cell;
using analysis::ColumnKind;
using analysis::Section;
using analysis::Table;

using prefix::giga, prefix::tera, prefix::gibi, prefix::micro;

struct Figure {
  const char *key, *title, *unit;
  double scale;
  double (*value)(Reading&);
  bool adds_up = true;  // over what the figures are divided by
};
constexpr auto figures_of_merit = std::to_array<Figure>({
    {"hpl", "HPL", "Gflop/s", giga, [](Reading& r) { return r.of(hpl_flop_s); }},
    {"dgemm", "DGEMM", "Gflop/s", giga, [](Reading& r) { return r.accumulated(dgemm_star_flop_s); }},
    {"stream_triad", "STREAM triad", "GB/s", giga,
     [](Reading& r) { return r.accumulated(stream_star_triad_byte_s); }},
    {"random_ring", "random ring", "GB/s", giga,
     [](Reading& r) { return r.accumulated(random_ring_byte_s); }},
    {"random_ring_latency", "random ring latency", "us", micro,
     [](Reading& r) { return r.of(random_ring_latency_s); }, false},
    {"pingpong_latency", "ping-pong latency, largest", "us", micro,
     [](Reading& r) { return r.of(pingpong_max_latency_s); }, false},
    {"fft", "FFT", "Gflop/s", giga, [](Reading& r) { return r.of(fft_global_flop_s); }},
    {"ptrans", "PTRANS", "GB/s", giga, [](Reading& r) { return r.of(ptrans_byte_s); }},
    {"random_access", "RandomAccess", "GUP/s", giga,
     [](Reading& r) { return r.of(random_access_global_update_s); }},
    {"b_eff", "b_eff", "GB/s", giga, [](Reading& r) { return r.of(b_eff_byte_s); }},
    {"b_eff_io", "b_eff_io", "GB/s", giga, [](Reading& r) { return r.of(b_eff_io_byte_s); }},
    {"memory", "memory", "GiB", gibi, [](Reading& r) { return r.of(memory_byte); }},
});

std::optional<double> parts(const System& system, Per per) {
  switch (per) {
    case Per::system: return 1;
    case Per::node: return system.nodes();
    case Per::process: return system.processes();
    case Per::core: break;
  }
  return system.processes() * system.threads();
}

const char* name_of(Per per) {
  constexpr std::array names = {"system", "node", "process", "core"};
  return names[static_cast<std::size_t>(per)];
}

}  // namespace

std::string digits(double value) {
  return units::format_significant(value, 3);
}

std::vector<std::string> head(const Judged& judged) {
  std::vector<std::string> lines{size_and_kind(judged.system)};
  for (const std::string& line : {solver(judged.system), uneven(judged.system), four_numbers(judged.system),
                                  withheld(judged.system), missing(judged)})
    if (!line.empty()) lines.push_back(line);
  return lines;
}

std::vector<std::string> conclusions(const Judged& judged) {
  std::vector<std::string> lines = judged.verdict.text;
  std::vector<std::string> left_out;
  for (const LeftOut& one : judged.verdict.left_out) left_out.push_back(left_out_text(one));
  if (!left_out.empty()) lines.push_back("Not judged: " + units::joined(left_out, "; ") + ".");
  add_cups(judged, lines);
  if (const auto fraction = judged.system.inputs.get(ftio_io_fraction))
    lines.push_back(io_line(*fraction, judged.system));
  add_places(judged, lines);
  return lines;
}

std::vector<std::string> in_brief(const Judged& judged, const std::string& command) {
  std::vector<std::string> lines{size_and_kind(judged.system)};
  lines.insert(lines.end(), judged.verdict.brief.begin(), judged.verdict.brief.end());
  if (const auto line = uneven(judged.system); !line.empty()) lines.push_back(line);
  add_cups(judged, lines);
  std::vector<std::string> left_out;
  for (const LeftOut& one : judged.verdict.left_out) left_out.emplace_back(name(one.resource));
  std::string told = left_out.empty() ? "" : "Not judged: " + units::joined(left_out, ", ") + ".";
  if (const auto inputs = std::ssize(lacking(judged)); inputs > 0)
    told += (told.empty() ? "" : " ") + std::string("Ratios lack ") + units::counted(inputs, "input") + ".";
  if (!told.empty()) lines.push_back(told + " '" + command + "' says more.");
  return lines;
}

std::vector<std::string> explained(const Judged& judged) {
  std::vector<std::string> lines;
  for (const Flagged& flagged : judged.flags)
    lines.push_back('[' + code(flagged.flag) + "] " + std::string(word(flagged.flag)) + ": " +
                    std::string(text(flagged.flag)));
  return lines;
}

Section absolute_section(const Balance& balance) {
  const std::string per = name_of(balance.options.per);
  Section section = analysis::table_section("figures", "Figures of merit per " + per);
  Table& table = section.table;
  table.columns = {{"figure", "figure", "", ColumnKind::text}, {"unit", "unit", "", ColumnKind::text}};
  for (const Judged& judged : balance.systems)
    table.columns.push_back({judged.system.name, judged.system.name, "", ColumnKind::number});
  const bool alone = balance.systems.size() == 1;
  bool doubted = false;
  for (const Figure& figure : figures_of_merit) {
    std::vector<Cell> row{figure.title, figure.unit};
    bool any = false;
    for (const Judged& judged : balance.systems) {
      Reading read(judged.system.inputs);
      const double value = figure.value(read);
      const auto divisor = figure.adds_up ? parts(judged.system, balance.options.per) : 1;
      const bool there = read.missing().empty() && divisor && *divisor > 0;
      row.push_back(there ? Cell(value / figure.scale / *divisor) : Cell());
      row.back().doubtful = there && parenthesised(touching(judged.flags, read.used()));
      any = any || there;
      if (!alone) continue;
      // The number of processes, which accumulated figures are multiplied by, bears no doubt.
      std::string doubt;
      for (const Quantity quantity : read.used())
        if (there && quantity != processes) doubt = doubt_words(judged.system, quantity);
      doubted = doubted || !doubt.empty();
      row.emplace_back(doubt);
    }
    if (any) table.rows.push_back(std::move(row));
  }
  // Several systems stand side by side: parentheses tell that there is something to be read of them.
  if (doubted) table.columns.push_back({"remark", "", "", ColumnKind::text, analysis::Audience::readers});
  if (alone && !doubted)
    for (auto& row : table.rows) row.pop_back();
  return section;
}

Section inter_node_section(const Balance& balance) {
  Section section = analysis::table_section("inter_node", "Between nodes");
  Table& table = section.table;
  table.columns = {{"system", "system", "", ColumnKind::text},
                   {"processes", "processes", "", ColumnKind::number},
                   {"threads", "threads", "", ColumnKind::number},
                   {"intra_fraction", "inside nodes", "%", ColumnKind::number},
                   {"per_process", "per process", "GB/s", ColumnKind::number},
                   {"per_node", "per node", "GB/s", ColumnKind::number}};
  const auto add = [&](const System& system) {
    if (const auto found = inter_node(system))
      table.rows.push_back({system.name, Cell::whole(system.processes()), Cell::whole(system.threads()),
                            100 * found->intra_fraction, found->per_process_byte_s / giga,
                            found->per_node_byte_s / giga});
  };
  for (const Judged& judged : balance.systems) add(judged.system);
  if (table.rows.empty()) return section;
  for (const System& system : balance.references) add(system);
  return section;
}

Section saturation_section(const Balance& balance) {
  Section section = analysis::table_section("saturation", "Random ring by the number of processes of a node");
  Table& table = section.table;
  table.columns = {{"system", "system", "", ColumnKind::text},
                   {"processes_of_node", "processes of a node", "", ColumnKind::number},
                   {"per_node", "per node", "GB/s", ColumnKind::number},
                   {"share", "of the largest", "%", ColumnKind::number}};
  for (const Judged& judged : balance.systems) {
    double most = 0;
    for (const auto& one : judged.system.saturation) most = std::max(most, one.node_byte_s);
    for (const auto& one : judged.system.saturation)
      table.rows.push_back({judged.system.name, Cell::whole(one.processes_of_node), one.node_byte_s / giga,
                            most > 0 ? Cell(100 * one.node_byte_s / most) : Cell()});
  }
  return section;
}

Section read_off_section(const Balance& balance) {
  Section section = analysis::table_section("interpolated", "Network balance of the curves at a given speed");
  Table& table = section.table;
  table.columns = {{"curve", "curve", "", ColumnKind::text},
                   {"at_tflop_s", "HPL", "Tflop/s", ColumnKind::number},
                   {"ratio", "ratio", "", ColumnKind::text, Audience::programs},
                   {"value", "balance", "byte/kflop", ColumnKind::number},
                   {"status", "status", "", ColumnKind::text}};
  for (const JudgedCurve& curve : balance.curves)
    for (const ReadOff& one : curve.read_off)
      if (one.ratio->id == "network_balance_byte_kflop")
        table.rows.push_back({curve.label, one.at_flop_s / tera, std::string(one.ratio->id), one.found.value,
                              std::string(text(one.found.reach))});
  return section;
}

Section exponent_section(const Balance& balance) {
  Section section = analysis::table_section(
      "exponents", "Growth with computing power (exponent: 1 keeps pace, 0.5 is its square root)");
  Table& table = section.table;
  table.columns = {{"curve", "curve", "", ColumnKind::text},
                   {"quantity", "accumulated", "", ColumnKind::text},
                   {"exponent", "exponent", "", ColumnKind::number},
                   {"points", "points", "", ColumnKind::number},
                   {"remark", "", "", ColumnKind::text, Audience::readers}};
  for (const JudgedCurve& curve : balance.curves)
    for (const Exponent& one : curve.exponents)
      table.rows.push_back({curve.label, one.quantity, one.value, static_cast<std::int64_t>(one.points),
                            one.points == 2 ? "two points" : ""});
  return section;
}

Section energy_section(const Balance& balance) {
  Section section = analysis::table_section("energy", "Energy");
  Table& table = section.table;
  table.columns = {{"system", "system", "", ColumnKind::text},
                   {"mean_power_w", "power", "W", ColumnKind::number},
                   {"gflop_s_per_w", "HPL", "Gflop/s/W", ColumnKind::number},
                   {"pj_per_flop", "flop", "pJ", ColumnKind::number},
                   {"byte_per_j", "STREAM triad", "byte/J", ColumnKind::number},
                   {"energy_to_memory_write", "half of the memory at b_eff_io", "J", ColumnKind::number}};
  for (const Judged& judged : balance.systems)
    if (const auto& e = judged.energy)
      table.rows.push_back({judged.system.name, e->mean_power_w, e->gflop_s_per_w, e->pj_per_flop,
                            e->byte_per_j, e->memory_write_j});
  if (!table.rows.empty()) section.notes.emplace_back("power as the user states it, for the whole system");
  return section;
}

Section cost_section(const Balance& balance) {
  Section section = analysis::table_section("cost", "Cost");
  if (!balance.options.price) return section;
  const Price& price = *balance.options.price;
  Table& table = section.table;
  table.columns = {{"system", "system", "", ColumnKind::text},
                   {"key", "key", "", ColumnKind::text, Audience::programs},
                   {"of", "of one", "", ColumnKind::text},
                   {"cost", "cost", price.currency, ColumnKind::number},
                   {"per_million", "for a million", "", ColumnKind::number}};
  for (const Judged& judged : balance.systems)
    for (const UnitCost& one : judged.costs)
      table.rows.push_back(
          {judged.system.name, std::string(one.key), std::string(one.title), one.cost, 1e6 / one.cost});
  section.text.push_back("total " + digits(total_cost(price)) + ' ' + price.currency + " over " +
                         digits(price.years) + " years");
  return section;
}

}  // namespace steelyard::balance
