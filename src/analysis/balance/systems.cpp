// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <stdexcept>

#include "analysis/balance/references.hpp"
#include "analysis/balance/system.hpp"
#include "record/json.hpp"
#include "units/quantity.hpp"
#include "units/text.hpp"

namespace steelyard::balance {
namespace {

using record::Json;
using enum Quantity;
using record::number_in;
using record::text_in;

using prefix::giga, prefix::mega, prefix::micro, prefix::mebi;
constexpr int known_systems_version = 1;

/// A value of one kind of record; `pingpong_latency_us` is another quantity in each.
struct Value {
  std::string_view kind;
  const char* name;
  Quantity quantity;
  double unit;
};
constexpr auto values = std::to_array<Value>({
    {"hpcc", "random_ring_bandwidth_gbyte_s", random_ring_byte_s, giga},
    {"hpcc", "random_ring_latency_us", random_ring_latency_s, micro},
    {"hpcc", "pingpong_bandwidth_gbyte_s", pingpong_min_byte_s, giga},
    {"hpcc", "pingpong_latency_us", pingpong_max_latency_s, micro},
    {"hpcc", "hpl_gflop_s", hpl_flop_s, giga},
    {"b_eff", "b_eff_mbyte_s", b_eff_byte_s, mega},
    {"b_eff", "b_eff_at_lmax_mbyte_s", b_eff_lmax_byte_s, mega},
    {"b_eff_io", "b_eff_io_mbyte_s", b_eff_io_byte_s, mega},
    {"ftio", "io_fraction", ftio_io_fraction, 1},
});

Status status_of(const std::string& text) {
  if (text == "measured") return Status::measured;
  if (text == "mixed") return Status::mixed;
  return text == "extrapolated" ? Status::extrapolated : Status::missing;
}

/// Year of "2005" or "1999-11-07"; nullopt for other texts.
std::optional<double> year_of(const std::string& date) {
  if (date.size() < 4 || date.find_first_not_of("0123456789-") != std::string::npos) return std::nullopt;
  const auto year = units::read_number<double>(date.substr(0, 4));
  return year && *year > 0 ? year : std::nullopt;
}

/// Whether a number of nodes, or of processes on one, is plausible: whole, and small enough for the memory.
bool plausible(double number) {
  constexpr double most = 1 << 24;
  return number >= 1 && number <= most && number == std::floor(number);
}

class Builder {
 public:
  explicit Builder(const Json& data) : data_(data) {}

  System build(const Json& record) const {
    const Json& machine = data_.at("systems").at(record.at("system").get<std::string>());
    System system;
    system.name = text_in(machine, "name");
    system.interconnect = text_in(machine, "interconnect");
    system.cpu = text_in(machine, "cpu");
    if (const auto clock = number_in(machine, "clock_mhz")) system.clock_ghz = *clock / 1000;
    set_source(record, system);
    set_size(record, machine, system);
    for (const Value& value : values)
      if (const auto held = number_in(record.at("values"), value.name);
          held && value.kind == record.at("kind"))
        system.inputs.set(value.quantity, *held * value.unit);
    system.status = status_of(text_in(record, "status"));
    system.printed_balance = text_in(record.value("printed", Json::object()), "balance_byte_kflop");
    system.run_type = record.at("kind") == "hpcc" ? "base" : "";
    system.campaign = published_campaign;
    return system;
  }

 private:
  void set_source(const Json& record, System& system) const {
    const Json& table = data_.at("tables").at(record.at("table").get<std::string>());
    const Json& document = data_.at("documents").at(text_in(table, "source"));
    system.source = text_in(record, "id");
    system.year = year_of(text_in(table, "measured"));
    if (!system.year) system.year = year_of(text_in(document, "date"));
  }

  static void set_size(const Json& record, const Json& machine, System& system) {
    const Json& config = record.at("config");
    const auto count = config.contains("mpi_processes") ? number_in(config, "mpi_processes")
                                                        : number_in(config, "processes");
    const bool counts_nodes = text_in(config, "partition_unit") == "nodes";
    system.inputs.set(counts_nodes ? nodes : processes, count);
    system.inputs.set(threads_per_process, number_in(config, "threads_per_process").value_or(1));
    system.inputs.set(memory_byte, memory_of(record, machine, count));
    system.curve = curve_of(record, machine, count);
    set_nodes(config, system);
  }

  /// Memory of the processes that took part; for files, of the whole system: a few processes
  /// write what all compute.
  static std::optional<double> memory_of(const Json& record, const Json& machine,
                                         const std::optional<double>& count) {
    const auto each = number_in(machine, "memory_per_process_mbyte");
    const auto holders = record.at("kind") == "b_eff_io" ? number_in(machine, "processors_installed") : count;
    return each && holders ? std::optional(*each * mebi * *holders) : std::nullopt;
  }

  /// Name of a curve. Runs of FTIO are of one machine and differ in what they transform: each
  /// stands for itself.
  static std::string curve_of(const Json& record, const Json& machine, const std::optional<double>& count) {
    const Json& config = record.at("config");
    if (config.contains("curve")) return text_in(config, "curve");
    const std::string name = text_in(machine, "name");
    if (record.at("kind") != "ftio" || !count) return name;
    return name + ", " + units::format_fixed(*count, 0) + " processes, " + text_in(record, "table");
  }

  static void set_nodes(const Json& config, System& system) {
    const auto number = number_in(config, "nodes"), each = number_in(config, "processes_per_node");
    if (!number || !each) return;
    if (!plausible(*number) || !plausible(*each))
      throw std::invalid_argument("reference systems: a number of nodes or processes is none");
    set_layout(system, std::vector<int>(static_cast<std::size_t>(*number), static_cast<int>(*each)));
    if (const auto share = intra_node_fraction(system.processes_per_node, IntraNode::expected))
      system.inputs.set(inter_node_share, 1 - *share);
  }

  const Json& data_;
};

}  // namespace

record::Document read_systems(std::string_view text) {
  Json data = Json::parse_or_null(text);
  if (!data.is_object() || text_in(data, "format") != "steelyard.systems")
    throw std::invalid_argument("not a list of reference systems (format steelyard.systems)");
  if (number_in(data, "format_version").value_or(0) > known_systems_version)
    throw std::invalid_argument("format_version " + data["format_version"].dump() +
                                " of the reference systems is higher than " +
                                std::to_string(known_systems_version));
  return record::Document(std::move(data));
}

std::vector<System> reference_systems(const record::Document& data, std::string_view kind) {
  const Builder builder(data.json());
  std::vector<System> list;
  try {
    for (const Json& record : data.json().at("records"))
      if (record.at("kind") == kind && !record.contains("duplicate_of"))
        list.push_back(builder.build(record));
  } catch (const record::JsonError& error) {
    throw std::invalid_argument(std::string("reference systems: ") + error.what());
  }
  return list;
}

std::vector<PublishedFtio> published_ftio() {
  const record::Document document = read_systems(systems_data());
  const Json& data = document.json();
  std::vector<PublishedFtio> list;
  for (const Json& one : data.at("records")) {
    if (one.value("kind", "") != "ftio") continue;
    const Json &values = one.at("values"), derived = one.value("derived", Json::object());
    if (!values.contains("io_fraction") || !derived.contains("matrix_elements")) continue;
    const std::string key = one.value("system", "");
    const Json system = data.at("systems").value(key, Json::object());
    list.push_back({system.value("name", key),
                    one.at("config").value("processes", 0),
                    {derived.at("matrix_elements").get<double>(), values.at("io_fraction").get<double>()}});
  }
  return list;
}

}  // namespace steelyard::balance
