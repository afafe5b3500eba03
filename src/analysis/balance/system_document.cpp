// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <concepts>
#include <stdexcept>
#include <type_traits>

#include "analysis/balance/balance.hpp"
#include "record/json.hpp"
#include "units/text.hpp"

namespace steelyard::balance {
namespace {

using record::Json;
using record::text_in;

constexpr int known_version = 1;

template <class T, class Struct>
concept MaybeConst = std::same_as<std::remove_const_t<T>, Struct>;

// Names of the members of structs, for whoever writes them and for whoever reads them.

void members(auto& object, MaybeConst<BlasRate> auto& blas) {
  object("name", blas.name);
  object("kernel", blas.kernel);
  object("share", blas.share);
  object("better_share", blas.better_share);
  object("too_slow", blas.too_slow);
  object("cure", blas.cure);
}

void members(auto& object, MaybeConst<HostRates> auto& rates) {
  object("slowest", rates.slowest);
  object("rate", rates.rate);
  object("best_rate", rates.best_rate);
  object("others_rate", rates.others_rate);
  object("others_low", rates.others_low);
  object("others_high", rates.others_high);
  object("others_worst_rate", rates.others_worst_rate);
  object("hosts", rates.hosts);
  object("repetitions", rates.repetitions);
}

void members(auto& object, MaybeConst<PairTimes> auto& times) {
  object("between_hosts", times.between_hosts);
  object("one", times.one);
  object("other", times.other);
  object("slowest_s", times.slowest_s);
  object("typical_s", times.typical_s);
  object("typical_worst_s", times.typical_worst_s);
  object("places", times.places);
  object("slow", times.slow);
  object("between", times.between);
  object("slow_between", times.slow_between);
  object("place", times.place);
  object("place_s", times.place_s);
  object("with_place", times.with_place);
  object("slow_with_place", times.slow_with_place);
}

void members(auto& object, MaybeConst<Quota> auto& quota) {
  object("cores", quota.cores);
  object("wanted", quota.wanted);
}

void members(auto& object, MaybeConst<ProcessRates> auto& rates) {
  object("least_flop_s", rates.least);
  object("most_flop_s", rates.most);
  object("scatter", rates.scatter);
}

void members(auto& object, MaybeConst<Waiting> auto& waiting) {
  object("arithmetic", waiting.arithmetic);
  object("memory", waiting.memory);
}

/// Evidence that causes were found from.
void members(auto& object, MaybeConst<Evidence> auto& evidence) {
  object.optional("blas", evidence.blas);
  object("arithmetic", evidence.arithmetic);
  object("memory", evidence.memory);
  object("latency", evidence.latency);
  object("bandwidth", evidence.bandwidth);
  object.optional("quota", evidence.quota);
  object.optional("products", evidence.products);
  object.optional("waiting", evidence.waiting);
}

void members(auto& object, MaybeConst<Withheld> auto& held) {
  object("value", held.value);
  object.required("why", held.why);
  object("doubts", held.doubts);
}

/// Facts that the flags were found from.
void members(auto& object, MaybeConst<Doubts> auto& doubts) {
  object("hpl_order", doubts.hpl_order);
  object("stream_elements", doubts.stream_elements);
  object("node_cache_byte", doubts.node_cache_byte);
  object("cores", doubts.cores);
  object("adapters_per_node", doubts.adapters_per_node);
  object("saturation_gain", doubts.saturation_gain);
  object("failed", doubts.failed);
  object("unverified", doubts.unverified);
  object("subset", doubts.subset);
  object("shortened", doubts.shortened);
  object("cached", doubts.cached);
  object("withheld", doubts.withheld);
  object("not_run", doubts.not_run);
  object("needs_memory", doubts.needs_memory);
  object("remarks", doubts.remarks);
  object.flag("borrowed_hpl", doubts.borrowed_hpl);
  object.flag("optimised", doubts.optimised);
  object.flag("oversubscribed", doubts.oversubscribed);
}

void members(auto& object, MaybeConst<System> auto& system) {
  object("name", system.name);
  object("source", system.source);
  object("campaign", system.campaign);
  object("started", system.started);
  object("run_type", system.run_type);
  object("curve", system.curve);
  object("interconnect", system.interconnect);
  object("cpu", system.cpu);
  object("clock_ghz", system.clock_ghz);
  object("year", system.year);
}

class Writer {
 public:
  void operator()(const char* name, const auto& value) { out_[name] = json(value); }
  void required(const char* name, const auto& value) { (*this)(name, value); }
  void optional(const char* name, const auto& value) {
    if (value) out_[name] = json(*value);
  }
  void flag(const char* name, bool value) { out_[name] = value; }

  template <class T>
  [[nodiscard]] static Json json(const T& value) {
    if constexpr (std::is_constructible_v<Json, const T&>) {
      return Json(value);
    } else {
      Writer within;
      members(within, value);
      return std::move(within.out_);
    }
  }
  template <class T>
  [[nodiscard]] static Json json(const std::optional<T>& value) {
    return value ? json(*value) : Json();
  }
  [[nodiscard]] static Json json(const std::set<Quantity>& list) {
    Json names = Json::array();
    for (const Quantity quantity : list) names.push_back(info(quantity).name);
    return names;
  }
  template <class T>
  [[nodiscard]] static Json json(const std::map<Quantity, T>& values) {
    Json out = Json::object();
    for (const auto& [quantity, value] : values) out[std::string(info(quantity).name)] = json(value);
    return out;
  }
  [[nodiscard]] static Json json(const analysis::RelativeInterval& interval) {
    return {interval.low, interval.high};
  }

 private:
  Json out_ = Json::object();
};

[[noreturn]] void refuse(const std::string& member, const std::string& why) {
  throw std::invalid_argument("balance: " + member + ": " + why);
}

/// Reader of what a Writer writes. Texts, facts and evidence may be missing or null; what is there is of its
/// kind, or an error names it.
class Reader {
 public:
  Reader(const Json& from, std::string path) : from_(from), path_(std::move(path)) {
    if (!from.is_object()) refuse(path_, "not an object");
  }

  template <class T>
  void operator()(const char* name, T& value) const {
    if constexpr (std::is_arithmetic_v<T>)
      required(name, value);
    else
      optional(name, value);
  }
  void required(const char* name, auto& value) const {
    if (from_[name].is_null()) refuse(path_ + '.' + name, "missing");
    optional(name, value);
  }
  void optional(const char* name, auto& value) const {
    if (!from_[name].is_null()) read(from_[name], path_ + '.' + name, value);
  }
  void flag(const char* name, bool& value) const { optional(name, value); }

 private:
  template <class T>
  static void read(const Json& json, const std::string& path, T& value) {
    if constexpr (requires(const Reader& object) { members(object, value); }) {
      const Reader object(json, path);
      members(object, value);
    } else {
      try {
        value = json.get<T>();
      } catch (const record::JsonError& error) {
        refuse(path, error.what());
      }
    }
  }
  template <class T>
  static void read(const Json& json, const std::string& path, std::optional<T>& held) {
    read(json, path, held.emplace());
  }
  static void read(const Json& json, const std::string& path, std::set<Quantity>& list) {
    std::vector<std::string> names;
    read(json, path, names);
    for (const std::string& name : names)
      if (const auto quantity = quantity_named(name)) list.insert(*quantity);
  }
  /// Values by the names of their quantities, without those that are not known.
  template <class T>
  static void read(const Json& json, const std::string& path, std::map<Quantity, T>& values) {
    const Reader object(json, path);
    for (const auto& [name, value] : json.items())
      if (const auto quantity = quantity_named(name)) object.required(name.c_str(), values[*quantity]);
  }

  const Json& from_;
  std::string path_;
};

/// Numbers of processes; checks their range, for a double of any size is no int yet.
std::vector<int> counts_of(const std::vector<double>& list, const std::string& path) {
  for (const double count : list)
    if (!(count >= 0 && count < 0x1p31)) refuse(path, "holds no number of processes");
  return {list.begin(), list.end()};
}

struct Layout {
  std::vector<double> processes_per_node;
};

void members(auto& object, Layout& layout) {
  object("processes_per_node", layout.processes_per_node);
}

System system_of(const Json& json, const std::string& path) {
  System system;
  const Reader reader(json, path);
  members(reader, system);
  Layout layout;
  reader.required("layout", layout);
  system.processes_per_node = counts_of(layout.processes_per_node, path + ".layout.processes_per_node");
  reader("facts", system.doubts);
  reader("evidence", system.evidence);
  std::map<Quantity, double> inputs, half_widths;
  std::map<Quantity, std::pair<double, double>> intervals;
  reader.required("inputs", inputs);
  reader("relative_half_widths", half_widths);
  reader("relative_intervals", intervals);
  for (const auto& [quantity, value] : inputs) system.inputs.set(quantity, value);
  for (const auto& [quantity, width] : half_widths) system.inputs.set_half_width(quantity, width);
  for (const auto& [quantity, ends] : intervals)
    system.inputs.set_interval(quantity, {ends.first, ends.second});
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

record::Document system_document(const System& system) {
  Json out = Writer::json(system);
  out["layout"] = {{"nodes", Writer::json(system.nodes())},
                   {"processes", system.processes()},
                   {"threads_per_process", system.threads()},
                   {"processes_per_node", system.processes_per_node}};
  Doubts doubts = system.doubts;
  doubts.borrowed_hpl |= system.status == Status::mixed;
  out["facts"] = Writer::json(doubts);
  out["evidence"] = Writer::json(system.evidence);
  const Inputs& inputs = system.inputs;
  out["inputs"] = Writer::json(inputs.values());
  if (!inputs.half_widths().empty()) out["relative_half_widths"] = Writer::json(inputs.half_widths());
  if (!inputs.intervals().empty()) out["relative_intervals"] = Writer::json(inputs.intervals());
  return {std::move(out)};
}

std::vector<System> systems_of(const record::Document& document) {
  const Json& json = document.json();
  if (!json.is_object() || text_in(json, "format") != "steelyard.balance")
    throw std::invalid_argument("not an object of format steelyard.balance");
  double version = known_version;
  Reader(json, "balance").optional("format_version", version);
  if (version > known_version)
    throw std::invalid_argument("format_version of the balance is higher than " +
                                std::to_string(known_version));
  const Json& systems = json["systems"];
  if (!systems.is_array()) refuse("systems", systems.is_null() ? "missing" : "not a list");
  std::vector<System> list;
  for (std::size_t i = 0; i < systems.size(); ++i)
    list.push_back(system_of(systems[i], "systems[" + std::to_string(i) + ']'));
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
