// SPDX-License-Identifier: Apache-2.0
#include "machine_data.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <stdexcept>

namespace steelyard::zoo {
namespace {

/// Members of a table, each read once; what nobody has asked for in the end is a slip of the pen.
class Table {
 public:
  Table(std::string name, const toml::table* table) : name_(std::move(name)), table_(table) {}
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  template <class Value>
  bool get(std::string_view key, Value& value) {
    const auto* node = found(key);
    if (node == nullptr) return false;
    const auto read = node->value<Value>();
    if (!read) throw std::runtime_error(name_ + ": " + std::string(key) + " has another type");
    value = *read;
    return true;
  }
  void get(std::string_view key, int& value) {
    std::int64_t wide = value;
    get(key, wide);
    value = static_cast<int>(wide);
  }
  template <class Value>
  void get(std::string_view key, std::optional<Value>& value) {
    if (found(key) != nullptr) get(key, value.emplace());
  }
  template <class Value>
  void get(std::string_view key, std::vector<Value>& list) {
    const auto* node = found(key);
    if (node == nullptr) return;
    if (node->as_array() == nullptr)
      throw std::runtime_error(name_ + ": " + std::string(key) + " is no array");
    for (const auto& one : *node->as_array()) list.push_back(one.value<Value>().value());
  }
  void get(std::string_view key, Pair& pair) {
    std::vector<double> both;
    get(key, both);
    if (both.size() != 2) throw std::runtime_error(name_ + ": " + std::string(key) + " are not two numbers");
    pair = {both[0], both[1]};
  }

  [[nodiscard]] const toml::node* found(std::string_view key) {
    read_.insert(std::string(key));
    return table_ == nullptr ? nullptr : table_->get(key);
  }
  [[nodiscard]] const toml::table* table(std::string_view key) {
    const auto* node = found(key);
    return node == nullptr ? nullptr : node->as_table();
  }
  /// For each table of an array of them.
  template <class Read>
  void each(std::string_view key, Read read) {
    const auto* node = found(key);
    if (node == nullptr) return;
    for (const auto& one : *node->as_array()) {
      Table inner(name_ + ", " + std::string(key), one.as_table());
      read(inner);
      inner.done();
    }
  }
  void done() const {
    if (table_ == nullptr) return;
    for (const auto& [key, value] : *table_)
      if (!read_.contains(std::string(key.str())))
        throw std::runtime_error(name_ + ": nobody knows '" + std::string(key.str()) + "'");
  }

 private:
  std::string name_;
  const toml::table* table_;
  std::set<std::string, std::less<>> read_;
};

CoreGroup core_group(Table& from) {
  CoreGroup group;
  from.get("count", group.count);
  from.get("threads", group.threads);
  std::int64_t number = 0;
  if (from.get("number", number)) group.number = static_cast<int>(number);
  from.get("part", group.part);
  from.get("l1", group.l1);
  from.get("l2", group.l2);
  from.get("l2_cores", group.l2_cores);
  from.get("l3", group.l3);
  from.get("l3_cores", group.l3_cores);
  return group;
}

NumaNode numa_node(Table& from) {
  NumaNode node;
  from.get("number", node.number);
  from.get("gibibyte", node.gibibyte);
  from.get("processors", node.processors);
  return node;
}

MachineRates machine_rates(Table& from) {
  MachineRates rates;
  from.get("product_gflop_s", rates.product_gflop_s);
  from.get("triad_gb_s", rates.triad_gb_s);
  from.get("updates_mup_s", rates.updates_mup_s);
  from.get("transform_gflop_s", rates.transform_gflop_s);
  from.get("message_us", rates.message_us);
  from.get("exchange_gb_s", rates.exchange_gb_s);
  from.get("write_gb_s", rates.write_gb_s);
  from.get("read_gb_s", rates.read_gb_s);
  from.get("disk_gb_s", rates.disk_gb_s);
  return rates;
}

Expected expected(Table& from) {
  Expected expected;
  from.get("processor", expected.processor);
  from.get("cores", expected.cores);
  from.get("sockets", expected.sockets);
  from.get("threads_per_core", expected.threads_per_core);
  expected.usable_cores = expected.cores;
  from.get("usable_cores", expected.usable_cores);
  from.get("cache", expected.cache);
  from.get("caches", expected.caches);
  from.get("gibibyte", expected.gibibyte);
  from.get("memory_only", expected.memory_only);
  from.get("unknown", expected.unknown);
  return expected;
}

/// A part of the machine by its name in the file.
template <class Read>
auto part_of(Table& whole, std::string_view key, Read read) {
  Table part{std::string(key), whole.table(key)};
  auto value = read(part);
  part.done();
  return value;
}

void read_memory(Table& whole, MachineData& machine) {
  Table memory("memory", whole.table("memory"));
  memory.get("gibibyte", machine.gibibyte);
  machine.available_gibibyte = 0.96 * machine.gibibyte;
  memory.get("available_gibibyte", machine.available_gibibyte);
  memory.each("nodes", [&](Table& from) { machine.nodes.push_back(numa_node(from)); });
  memory.done();
}

void read_group(Table& whole, MachineData& machine) {
  Table group("group", whole.table("group"));
  group.get("version", machine.group_version);
  group.get("processors", machine.group_processors);
  group.get("gibibyte", machine.group_gibibyte);
  group.done();
}

void read_words(Table& whole, MachineData& machine) {
  if (const auto* files = whole.table("files"))
    for (const auto& [path, content] : *files)
      machine.files[std::string(path.str())] = content.value<std::string>().value();
  if (const auto* presets = whole.table("measured"))
    for (const auto& [preset, tests] : *presets)
      for (const auto& test : *tests.as_array())
        machine.measured[std::string(preset.str())].push_back(test.value<std::string>().value());
}

}  // namespace

bool MachineData::lacks(const std::string& part) const {
  return std::ranges::find(without, part) != without.end();
}

std::vector<std::string> machine_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(STEELYARD_TEST_MACHINES))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

MachineData read_machine(const std::string& name) {
  const auto text = toml::parse_file(std::string(STEELYARD_TEST_MACHINES) + "/" + name + ".toml");
  Table whole(name, &text);
  MachineData machine;
  machine.name = name;
  whole.get("cpuinfo_head", machine.cpuinfo_head);
  whole.get("cpuinfo", machine.cpuinfo);
  whole.get("cpuinfo_tail", machine.cpuinfo_tail);
  whole.get("sockets", machine.sockets);
  whole.get("threads_adjacent", machine.threads_adjacent);
  whole.get("cache_line", machine.cache_line);
  whole.get("offline", machine.offline);
  whole.get("allowed", machine.allowed);
  whole.get("without", machine.without);
  whole.each("cores", [&](Table& from) { machine.cores.push_back(core_group(from)); });
  read_memory(whole, machine);
  read_group(whole, machine);
  read_words(whole, machine);
  machine.rates = part_of(whole, "rates", machine_rates);
  machine.expected = part_of(whole, "expected", expected);
  whole.done();
  return machine;
}

}  // namespace steelyard::zoo
