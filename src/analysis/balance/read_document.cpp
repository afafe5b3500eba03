// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <stdexcept>

#include "analysis/balance/balance.hpp"
#include "record/json.hpp"
#include "units/text.hpp"

namespace steelyard::balance {
namespace {

using record::Json;
using record::number_in;
using record::text_in;

constexpr int known_version = 1;

std::set<Quantity> quantities_in(const Json& object, const char* name) {
  std::set<Quantity> list;
  for (const Json& one : object.value(name, Json::array()))
    if (const auto quantity = quantity_named(one.get<std::string>())) list.insert(*quantity);
  return list;
}

/// Reads numbers of processes; checks their range, for a double of any size is no int yet.
std::vector<int> counts_in(const Json& object, const char* name) {
  std::vector<int> list;
  for (const Json& one : object.value(name, Json::array())) {
    const double count = one.get<double>();
    if (!(count >= 0 && count < 0x1p31))
      throw std::invalid_argument(std::string("balance: ") + name + " holds no number of processes");
    list.push_back(static_cast<int>(count));
  }
  return list;
}

std::map<Quantity, std::string> reasons_in(const Json& object, const char* name) {
  std::map<Quantity, std::string> list;
  const Json held = object.value(name, Json::object());
  for (const auto& [key, why] : held.items())
    if (const auto quantity = quantity_named(key)) list[*quantity] = why.get<std::string>();
  return list;
}

std::map<Quantity, Withheld> withheld_in(const Json& facts) {
  std::map<Quantity, Withheld> list;
  const Json held = facts.value("withheld", Json::object());
  for (const auto& [key, one] : held.items())
    if (const auto quantity = quantity_named(key))
      list[*quantity] = {one.at("value").get<double>(), one.at("why").get<std::string>()};
  return list;
}

/// Member of that name; nullptr if it is no object.
const Json* object_in(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_object() ? &*found : nullptr;
}

std::optional<HostRates> hosts(const Json* held) {
  if (held == nullptr) return std::nullopt;
  const auto number = [&](const char* name) { return held->at(name).get<double>(); };
  return HostRates{.slowest = text_in(*held, "slowest"),
                   .rate = number("rate"),
                   .best_rate = number("best_rate"),
                   .others_rate = number("others_rate"),
                   .others_low = number("others_low"),
                   .others_high = number("others_high"),
                   .others_worst_rate = number("others_worst_rate"),
                   .hosts = held->at("hosts").get<int>(),
                   .repetitions = held->at("repetitions").get<int>()};
}

std::optional<PairTimes> pairs(const Json* held) {
  if (held == nullptr) return std::nullopt;
  const auto number = [&](const char* name) { return held->at(name).get<double>(); };
  const auto count = [&](const char* name) { return held->at(name).get<std::int64_t>(); };
  return PairTimes{.between_hosts = held->at("between_hosts").get<bool>(),
                   .one = text_in(*held, "one"),
                   .other = text_in(*held, "other"),
                   .slowest_s = number("slowest_s"),
                   .typical_s = number("typical_s"),
                   .typical_worst_s = number("typical_worst_s"),
                   .places = held->at("places").get<int>(),
                   .slow = count("slow"),
                   .between = count("between"),
                   .slow_between = count("slow_between"),
                   .place = text_in(*held, "place"),
                   .place_s = number("place_s"),
                   .with_place = count("with_place"),
                   .slow_with_place = count("slow_with_place")};
}

Evidence evidence_in(const Json& json) {
  Evidence found;
  const Json* held = object_in(json, "evidence");
  if (held == nullptr) return found;
  if (const Json* blas = object_in(*held, "blas"))
    found.blas = {.name = text_in(*blas, "name"),
                  .kernel = text_in(*blas, "kernel"),
                  .share = blas->at("share").get<double>(),
                  .better_share = blas->at("better_share").get<double>(),
                  .too_slow = blas->at("too_slow").get<bool>(),
                  .cure = text_in(*blas, "cure")};
  found.arithmetic = hosts(object_in(*held, "arithmetic"));
  found.memory = hosts(object_in(*held, "memory"));
  found.latency = pairs(object_in(*held, "latency"));
  found.bandwidth = pairs(object_in(*held, "bandwidth"));
  if (const Json* quota = object_in(*held, "quota"))
    found.quota = {quota->at("cores").get<double>(), quota->at("wanted").get<double>()};
  if (const Json* waiting = object_in(*held, "waiting"))
    found.waiting = {waiting->at("arithmetic").get<double>(), waiting->at("memory").get<double>()};
  if (const Json* products = object_in(*held, "products"))
    found.products = {products->at("least_flop_s").get<double>(), products->at("most_flop_s").get<double>(),
                      products->at("scatter").get<double>()};
  return found;
}

std::map<Quantity, std::set<std::string>> remarks_in(const Json& facts) {
  std::map<Quantity, std::set<std::string>> remarks;
  const Json held = facts.value("remarks", Json::object());
  for (const auto& [name, words] : held.items())
    if (const auto quantity = quantity_named(name)) remarks[*quantity] = words.get<std::set<std::string>>();
  return remarks;
}

Doubts doubts(const Json& facts) {
  return {.hpl_order = number_in(facts, "hpl_order"),
          .stream_elements = number_in(facts, "stream_elements"),
          .node_cache_byte = number_in(facts, "node_cache_byte"),
          .cores = number_in(facts, "cores"),
          .adapters_per_node = number_in(facts, "adapters_per_node"),
          .saturation_gain = number_in(facts, "saturation_gain"),
          .failed = quantities_in(facts, "failed"),
          .subset = quantities_in(facts, "subset"),
          .shortened = quantities_in(facts, "shortened"),
          .cached = reasons_in(facts, "cached"),
          .withheld = withheld_in(facts),
          .not_run = reasons_in(facts, "not_run"),
          .needs_memory = quantities_in(facts, "needs_memory"),
          .remarks = remarks_in(facts),
          .borrowed_hpl = facts.value("borrowed_hpl", false),
          .optimised = facts.value("optimised", false),
          .oversubscribed = facts.value("oversubscribed", false)};
}

System system_of(const Json& json) {
  System system;
  system.name = text_in(json, "name");
  system.source = text_in(json, "source");
  system.campaign = text_in(json, "campaign");
  system.started = text_in(json, "started");
  system.run_type = text_in(json, "run_type");
  system.curve = text_in(json, "curve");
  system.interconnect = text_in(json, "interconnect");
  system.cpu = text_in(json, "cpu");
  system.clock_ghz = number_in(json, "clock_ghz");
  system.year = number_in(json, "year");
  system.processes_per_node = counts_in(json.at("layout"), "processes_per_node");
  system.doubts = doubts(json.value("facts", Json::object()));
  system.evidence = evidence_in(json);
  for (const auto& [name, value] : json.at("inputs").items())
    if (const auto quantity = quantity_named(name)) system.inputs.set(*quantity, value.get<double>());
  const Json widths = json.value("relative_half_widths", Json::object());
  for (const auto& [name, value] : widths.items())
    if (const auto quantity = quantity_named(name))
      system.inputs.set_half_width(*quantity, value.get<double>());
  const Json intervals = json.value("relative_intervals", Json::object());
  for (const auto& [name, ends] : intervals.items())
    if (const auto quantity = quantity_named(name))
      system.inputs.set_interval(*quantity, {ends.at(0).get<double>(), ends.at(1).get<double>()});
  return system;
}

constexpr std::string_view beginning =
    "system,source,run_type,nodes,processes,threads,hpl_flop_s,ratio,value,unit,flags";
// Columns of that line.
namespace column {
enum : std::size_t {
  name,
  source,
  run_type,
  nodes,
  processes,
  threads,
  hpl,
  ratio,
  value,
  unit,
  flags,
  least
};
}

using Fields = std::vector<std::string>;

/// Reader of lines by RFC 4180: quoted fields may hold separators, line ends and doubled quotes.
class Lines {
 public:
  explicit Lines(std::string_view text) : text_(text) {}
  [[nodiscard]] bool more() const { return at_ < text_.size(); }
  Fields next() {
    Fields fields(1);
    bool quoted = false;
    for (; more(); ++at_) {
      const char c = text_[at_];
      if (c == '"' && quoted && text_.substr(at_ + 1).starts_with('"')) {
        fields.back() += text_[++at_];
      } else if (c == '"') {
        quoted = !quoted;
      } else if (c == ',' && !quoted) {
        fields.emplace_back();
      } else if (c == '\n' && !quoted) {
        ++at_;
        break;
      } else if (c != '\r' || quoted) {
        fields.back() += c;
      }
    }
    return fields;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

std::optional<double> number(const std::string& field) {
  if (field.empty()) return std::nullopt;
  return units::parse_number(field);
}

/// Whether a value is a reference: not if shared memory, the page cache or a failed verification made it.
bool counts(const Fields& line) {
  constexpr std::array<std::string_view, 3> left_out = {"V1", "V8", "V15"};
  const std::string list = '+' + line[column::flags] + '+';
  return std::ranges::none_of(left_out, [&](std::string_view one) {
    return list.find('+' + std::string(one) + '+') != std::string::npos;
  });
}

System head(const Fields& line) {
  System system;
  system.name = system.curve = line[column::name];
  system.source = line[column::source];
  system.run_type = line[column::run_type];
  system.inputs.set(Quantity::nodes, number(line[column::nodes]));
  system.inputs.set(Quantity::processes, number(line[column::processes]));
  system.inputs.set(Quantity::threads_per_process, number(line[column::threads]));
  system.inputs.set(Quantity::hpl_flop_s, number(line[column::hpl]));
  return system;
}

bool continues(const System& system, const Fields& line) {
  return system.name == line[column::name] && system.source == line[column::source] &&
         system.inputs.get(Quantity::processes) == number(line[column::processes]) &&
         system.inputs.get(Quantity::threads_per_process) == number(line[column::threads]);
}

void add(const Fields& line, std::vector<System>& list) {
  if (line.size() < column::least) throw std::invalid_argument("a line of the balance has too few fields");
  if (list.empty() || !continues(list.back(), line)) list.push_back(head(line));
  const auto held = number(line[column::value]);
  if (held && counts(line)) list.back().told_ratios[line[column::ratio]] = *held;
}

}  // namespace

std::vector<System> systems_of(const record::Document& document) {
  const Json& json = document.json();
  if (!json.is_object() || text_in(json, "format") != "steelyard.balance")
    throw std::invalid_argument("not an object of format steelyard.balance");
  if (number_in(json, "format_version").value_or(0) > known_version)
    throw std::invalid_argument("format_version of the balance is higher than " +
                                std::to_string(known_version));
  std::vector<System> list;
  try {
    for (const Json& one : json.at("systems")) list.push_back(system_of(one));
  } catch (const record::JsonError&) {
    throw std::invalid_argument("balance: an object of 'systems' lacks a member or has one of another kind");
  }
  return list;
}

bool is_balance_csv(std::string_view text) {
  return text.starts_with(beginning);
}

std::vector<System> systems_of_csv(std::string_view text) {
  if (!is_balance_csv(text)) throw std::invalid_argument("not the CSV form of a balance");
  Lines lines(text);
  static_cast<void>(lines.next());
  std::vector<System> list;
  try {
    while (lines.more())
      if (const Fields line = lines.next(); line != Fields{""}) add(line, list);
  } catch (const units::ParseError& error) {
    throw std::invalid_argument(std::string("balance: ") + error.what());
  }
  return list;
}

}  // namespace steelyard::balance
