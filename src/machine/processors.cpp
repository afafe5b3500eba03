// SPDX-License-Identifier: Apache-2.0
#include "machine/processors.hpp"

#include <sched.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <limits>
#include <map>
#include <set>

#include "machine/text.hpp"

namespace steelyard::machine {
namespace {

constexpr std::size_t bits_of_word = std::numeric_limits<ProcessorSet::Word>::digits;
// Most kernels are built for 8192 processors at most: one that wants more words than this has another fault.
constexpr std::size_t first_words = 1024 / bits_of_word, most_words = first_words << 10U;

ProcessorSet::Word bit_of(std::size_t processor) {
  return ProcessorSet::Word{1} << processor % bits_of_word;
}

/// Threads on a processor of their own each. One that finds none free makes those before it move where they can.
class Places {
 public:
  [[nodiscard]] bool give(const ProcessorSet& thread) {
    std::set<int> asked;
    return give(thread, asked);
  }

 private:
  bool give(const ProcessorSet& thread, std::set<int>& asked) {
    const auto list = thread.list();
    const auto is_free = [&](int processor) { return !threads_.contains(processor); };
    const auto can_be_freed = [&](int processor) {
      return asked.insert(processor).second && give(*threads_.at(processor), asked);
    };
    auto given = std::ranges::find_if(list, is_free);
    if (given == list.end()) given = std::ranges::find_if(list, can_be_freed);
    if (given != list.end()) threads_[*given] = &thread;
    return given != list.end();
  }

  std::map<int, const ProcessorSet*> threads_;  // by processor
};

struct ArmPart {
  std::string_view implementer, part, name;
};

// AArch64 kernels give no model name; these are the parts that parallel machines, boards and notebooks are
// built of.
constexpr auto arm_parts = std::to_array<ArmPart>({
    {"0x41", "0xd03", "ARM Cortex-A53"},
    {"0x41", "0xd05", "ARM Cortex-A55"},
    {"0x41", "0xd07", "ARM Cortex-A57"},
    {"0x41", "0xd08", "ARM Cortex-A72"},
    {"0x41", "0xd09", "ARM Cortex-A73"},
    {"0x41", "0xd0a", "ARM Cortex-A75"},
    {"0x41", "0xd0b", "ARM Cortex-A76"},
    {"0x41", "0xd0c", "ARM Neoverse-N1"},
    {"0x41", "0xd0d", "ARM Cortex-A77"},
    {"0x41", "0xd40", "ARM Neoverse-V1"},
    {"0x41", "0xd41", "ARM Cortex-A78"},
    {"0x41", "0xd44", "ARM Cortex-X1"},
    {"0x41", "0xd46", "ARM Cortex-A510"},
    {"0x41", "0xd47", "ARM Cortex-A710"},
    {"0x41", "0xd48", "ARM Cortex-X2"},
    {"0x41", "0xd49", "ARM Neoverse-N2"},
    {"0x41", "0xd4d", "ARM Cortex-A715"},
    {"0x41", "0xd4e", "ARM Cortex-X3"},
    {"0x41", "0xd4f", "ARM Neoverse-V2"},
    {"0x41", "0xd80", "ARM Cortex-A520"},
    {"0x41", "0xd81", "ARM Cortex-A720"},
    {"0x41", "0xd82", "ARM Cortex-X4"},
    {"0x41", "0xd84", "ARM Neoverse-V3"},
    {"0x41", "0xd8e", "ARM Neoverse-N3"},
    {"0x42", "0x516", "Broadcom ThunderX2"},
    {"0x43", "0x0a1", "Cavium ThunderX"},
    {"0x43", "0x0af", "Cavium ThunderX2"},
    {"0x46", "0x001", "Fujitsu A64FX"},
    {"0x48", "0xd01", "HiSilicon TaiShan v110"},
    {"0x51", "0x001", "Qualcomm Oryon"},
    {"0x61", "0x022", "Apple Icestorm (M1)"},
    {"0x61", "0x023", "Apple Firestorm (M1)"},
    {"0x61", "0x024", "Apple Icestorm (M1 Pro)"},
    {"0x61", "0x025", "Apple Firestorm (M1 Pro)"},
    {"0x61", "0x028", "Apple Icestorm (M1 Max)"},
    {"0x61", "0x029", "Apple Firestorm (M1 Max)"},
    {"0x61", "0x032", "Apple Blizzard (M2)"},
    {"0x61", "0x033", "Apple Avalanche (M2)"},
    {"0x61", "0x034", "Apple Blizzard (M2 Pro)"},
    {"0x61", "0x035", "Apple Avalanche (M2 Pro)"},
    {"0x61", "0x038", "Apple Blizzard (M2 Max)"},
    {"0x61", "0x039", "Apple Avalanche (M2 Max)"},
    {"0xc0", "0xac3", "Ampere-1"},
    {"0xc0", "0xac4", "Ampere-1a"},
});

// "v" and "zv": RISC-V; "vx": z/Architecture; "lsx", "lasx": LoongArch.
constexpr auto vector_prefixes =
    std::to_array<std::string_view>({"sse", "ssse3", "avx", "fma", "f16c", "amx", "neon", "asimd", "sve",
                                     "altivec", "vsx", "fphp", "bf16", "zv", "vx", "lsx", "lasx"});

std::string cpuinfo(Source& source) {
  return source.text("/proc/cpuinfo").value_or("");
}

std::optional<std::string> value(std::string_view text, std::string_view key) {
  const auto found = field(text, key);
  return found ? std::optional<std::string>(*found) : std::nullopt;
}

std::string arm_name(std::string_view implementer, std::string_view part) {
  const auto known = std::ranges::find_if(
      arm_parts, [&](const ArmPart& p) { return p.implementer == implementer && p.part == part; });
  if (known != arm_parts.end()) return std::string(known->name);
  return "ARM implementer " + std::string(implementer) + " part " + std::string(part);
}

/// Names of all kinds of cores, in their order: "ARM Cortex-A55, ARM Cortex-A76"; empty if there are none.
std::string arm_names(std::string_view text) {
  std::vector<std::string> names;
  std::string_view implementer;
  for (const auto line : split(text, '\n')) {
    if (const auto found = field(line, "CPU implementer")) implementer = *found;
    const auto part = field(line, "CPU part");
    if (!part || implementer.empty()) continue;
    auto name = arm_name(implementer, *part);
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  return join(names, ", ");
}

/// Vendor and type of machine: "IBM/S390 3906".
std::string mainframe_name(std::string_view text) {
  constexpr std::string_view sign = "machine = ";
  const auto place = text.find(sign);
  const auto vendor = field(text, "vendor_id");
  if (place == std::string_view::npos || !vendor) return "";
  return std::string(*vendor) + " " + std::string(words(text.substr(place + sign.size())).front());
}

/// Extensions in "rv64imav_zicsr": the single letters behind the width, and the words behind them.
std::vector<std::string> extensions(std::string_view isa) {
  std::vector<std::string> list;
  const auto parts = split(isa, '_');
  if (parts.empty()) return list;
  for (const char letter : parts.front().substr(std::min<std::size_t>(4, parts.front().size())))
    list.emplace_back(1, letter);
  for (const auto part : parts)
    if (part != parts.front()) list.emplace_back(part);
  return list;
}

/// Flags of POWER, which has no line of them: "POWER9 (architected), altivec supported" has those of its
/// predecessors too.
std::vector<std::string> power_flags(std::string_view cpu) {
  std::vector<std::string> flags;
  for (const auto generation : {8, 9, 10, 11})
    if (cpu.starts_with("POWER" + std::to_string(generation)))
      for (int one = 8; one <= generation; ++one) flags.push_back("power" + std::to_string(one));
  return flags;
}

/// Whole numbers as numbers, other words (POWER, AArch64) as they are.
Json number_or_text(std::optional<std::string> text) {
  if (!text) return nullptr;
  if (const auto number = whole(*text)) return *number;
  return *text;
}

Json arm_stepping(std::string_view text) {
  const auto variant = value(text, "CPU variant");
  const auto revision = value(text, "CPU revision");
  if (!variant || !revision) return nullptr;
  return "variant " + *variant + " revision " + *revision;
}

/// True for the flag of a matrix extension: on AArch64 sme; on x86 sme is memory encryption and smep a protection.
bool matrix_flag(std::string_view flag, const std::vector<std::string>& all) {
  return flag.starts_with("sme") && std::ranges::find(all, "asimd") != all.end();
}

Json vector_flags(Source& source) {
  const auto all = processor_flags(source);
  Json flags = Json::array();
  for (const auto& flag : all)
    if (flag == "v" || matrix_flag(flag, all) ||
        std::ranges::any_of(vector_prefixes, [&](auto prefix) { return flag.starts_with(prefix); }))
      flags.push_back(flag);
  return flags;
}

Json mitigations(Source& source) {
  const std::string directory = "/sys/devices/system/cpu/vulnerabilities";
  const auto names = source.names(directory);
  if (names.empty()) {
    source.text(directory);  // notes why
    return nullptr;
  }
  Json list = Json::object();
  for (const auto& name : names) list[name] = or_null(source.text(directory + "/" + name));
  return list;
}

/// Number in a line that begins a paragraph about one processor: "processor : 3", on z/Architecture "cpu
/// number : 3" and "processor 3: version = 00".
std::optional<int> processor_of(std::string_view line) {
  constexpr std::string_view word = "processor ";
  auto number = field(line, "processor");
  if (!number) number = field(line, "cpu number");
  if (!number && line.starts_with(word))
    number = trimmed(line.substr(word.size(), line.find(':') - word.size()));
  const auto n = number ? whole(*number) : std::nullopt;
  return n ? std::optional(static_cast<int>(*n)) : std::nullopt;
}

std::vector<int> processors_of_cpuinfo(std::string_view cpuinfo) {
  std::set<int> found;
  for (const auto line : split(cpuinfo, '\n'))
    if (const auto n = processor_of(line)) found.insert(*n);
  return {found.begin(), found.end()};
}

std::vector<int> online_processors(Source& source) {
  if (const auto online = source.text("/sys/devices/system/cpu/online")) return parse_cpu_list(*online);
  return processors_of_cpuinfo(source.text("/proc/cpuinfo").value_or(""));
}

/// Lowest thread of the same core, from sysfs.
std::optional<int> first_sibling(Source& source, int processor) {
  const auto topology = processor_path(processor) + "/topology/";
  auto siblings = source.peek(topology + "thread_siblings_list");
  if (!siblings) siblings = source.peek(topology + "core_cpus_list");
  const auto list = parse_cpu_list(siblings.value_or(""));
  return list.empty() ? std::nullopt : std::optional<int>(list.front());
}

struct Place {
  std::optional<std::int64_t> socket, core;
};

/// Socket and core in cpuinfo's paragraphs, for kernels whose sysfs does not tell them.
std::map<int, Place> places_of_cpuinfo(std::string_view cpuinfo) {
  std::map<int, Place> places;
  Place* place = nullptr;
  for (const auto line : split(cpuinfo, '\n')) {
    const auto number = [&](std::string_view key, std::string_view loongarch) {
      auto value = field(line, key);
      if (!value) value = field(line, loongarch);
      return value ? whole(*value) : std::nullopt;
    };
    if (const auto n = processor_of(line)) place = &places[*n];
    if (place == nullptr) continue;
    if (const auto n = number("physical id", "package")) place->socket = n;
    if (const auto n = number("core id", "core")) place->core = n;
  }
  return places;
}

/// Socket of a processor; some kernels write -1 for an unknown one.
std::optional<std::int64_t> socket_of(Source& source, int processor, const Place& place) {
  const auto socket = source.peek_number(processor_path(processor) + "/topology/physical_package_id");
  return socket && *socket >= 0 ? socket : place.socket;
}

std::size_t distinct(const std::map<int, int>& map) {
  std::set<int> values;
  for (const auto& [key, value] : map) values.insert(value);
  return values.size();
}

/// Value in Hz of a file of the first processor that holds kHz.
Json hertz(Source& source, const Cores& cores, const std::string& name) {
  if (cores.processors().empty()) return nullptr;
  const auto value = source.number(processor_path(cores.processors().front()) + "/cpufreq/" + name);
  return value ? Json(1e3 * static_cast<double>(*value)) : Json(nullptr);
}

std::vector<double> current_hertz(Source& source, const Cores& cores) {
  std::vector<double> values;
  const auto cpuinfo = source.text("/proc/cpuinfo").value_or("");
  for (const auto line : split(cpuinfo, '\n')) {
    const auto text = field(line, "cpu MHz");
    if (const auto mega = text ? decimal(*text) : std::nullopt) values.push_back(1e6 * *mega);
  }
  if (!values.empty() || cores.processors().empty()) return values;
  const auto path = processor_path(cores.processors().front()) + "/cpufreq/scaling_cur_freq";
  if (const auto kilo = source.peek_number(path)) values.push_back(1e3 * static_cast<double>(*kilo));
  return values;
}

Json first_text(Source& source, const Cores& cores, const std::string& name) {
  if (cores.processors().empty()) return nullptr;
  return or_null(source.peek(processor_path(cores.processors().front()) + "/cpufreq/" + name));
}

}  // namespace

void ProcessorSet::add(int processor) {
  if (processor < 0) return;
  const auto n = static_cast<std::size_t>(processor);
  if (words_.size() <= n / bits_of_word) words_.resize(n / bits_of_word + 1);
  words_[n / bits_of_word] |= bit_of(n);
}

bool ProcessorSet::contains(int processor) const {
  const auto n = static_cast<std::size_t>(processor);
  return processor >= 0 && n / bits_of_word < words_.size() && (words_[n / bits_of_word] & bit_of(n)) != 0;
}

int ProcessorSet::count() const {
  int count = 0;
  for (const Word word : words_) count += std::popcount(word);
  return count;
}

std::vector<int> ProcessorSet::list() const {
  std::vector<int> list;
  for (std::size_t w = 0; w < words_.size(); ++w)
    for (Word left = words_[w]; left != 0; left &= left - 1)
      list.push_back(static_cast<int>(w * bits_of_word) + std::countr_zero(left));
  return list;
}

bool have_own_processors(std::span<const ProcessorSet> of_threads) {
  Places places;
  return std::ranges::all_of(of_threads, [&](const auto& thread) { return places.give(thread); });
}

int read_own_mask(std::span<ProcessorSet::Word> words) {
  return sched_getaffinity(0, words.size_bytes(), reinterpret_cast<cpu_set_t*>(words.data())) == 0 ? 0
                                                                                                   : errno;
}

std::optional<ProcessorSet> processors_of_thread(const ReadMask& read) {
  ProcessorSet found;
  for (std::size_t words = first_words; words <= most_words; words *= 2) {
    found.words().assign(words, 0);
    const int error = read(found.words());
    if (error == 0) return found;
    if (error != EINVAL) return std::nullopt;
  }
  return std::nullopt;
}

bool keep_thread_to(const ProcessorSet& processors) noexcept {
  const auto& words = processors.words();
  const auto* mask = reinterpret_cast<const cpu_set_t*>(words.data());
  return sched_setaffinity(0, words.size() * sizeof(ProcessorSet::Word), mask) == 0;
}

std::string processor_name(Source& source) {
  const auto text = cpuinfo(source);
  for (const auto key : {"model name", "Model Name", "cpu", "uarch", "Processor"})
    if (const auto name = value(text, key); name && !name->empty()) return *name;
  const auto name = arm_names(text);
  return name.empty() ? mainframe_name(text) : name;
}

std::vector<std::string> processor_flags(Source& source) {
  const auto text = cpuinfo(source);
  for (const auto key : {"flags", "Features", "features"}) {
    const auto line = field(text, key);
    if (!line) continue;
    const auto flags = words(*line);
    return {flags.begin(), flags.end()};
  }
  if (const auto isa = field(text, "isa")) return extensions(*isa);
  return power_flags(value(text, "cpu").value_or(""));
}

void describe_processor(Source& source, const Cores& cores, Json& machine) {
  const auto text = cpuinfo(source);
  const auto name = processor_name(source);
  machine["processor"] = name.empty() ? Json(nullptr) : Json(name);
  machine["processor_vendor"] = or_null(value(text, "vendor_id"));
  machine["processor_family"] = number_or_text(value(text, "cpu family"));
  machine["processor_model"] = number_or_text(value(text, "model"));
  machine["processor_stepping"] =
      field(text, "stepping") ? number_or_text(value(text, "stepping")) : arm_stepping(text);
  machine["microcode"] = or_null(value(text, "microcode"));
  const auto topology = [&](std::optional<int> number, const std::string& file) {
    if (!number)
      source.note_missing("/sys/devices/system/cpu/cpu*/topology/" + file, "the kernel does not tell");
    return or_null(number);
  };
  machine["sockets"] = topology(cores.sockets(), "physical_package_id");
  machine["cores"] = topology(cores.cores(), "thread_siblings_list");
  machine["threads_per_core"] = or_null(cores.threads_per_core());
  machine["logical_processors"] = cores.processors().size();
  machine["vector_flags"] = vector_flags(source);
  machine["mitigations"] = mitigations(source);
}

std::string processor_path(int processor) {
  return "/sys/devices/system/cpu/cpu" + std::to_string(processor);
}

Cores::Cores(Source& source) : processors_(online_processors(source)) {
  const auto places = places_of_cpuinfo(source.text("/proc/cpuinfo").value_or(""));
  std::map<std::pair<std::int64_t, std::int64_t>, int> first_at;
  for (const int n : processors_) {
    const auto known = places.find(n);
    const Place place = known == places.end() ? Place{} : known->second;
    const auto socket = socket_of(source, n, place);
    if (socket) sockets_.insert(*socket);
    const int same_ids =
        place.core ? first_at.try_emplace({place.socket.value_or(0), *place.core}, n).first->second : n;
    const auto sibling = first_sibling(source, n);
    core_[n] = sibling.value_or(same_ids);
    knows_sockets_ = knows_sockets_ && socket;
    knows_cores_ = knows_cores_ && (sibling || place.core);
  }
  if (processors_.size() > 1) return;
  knows_cores_ = knows_sockets_ = !processors_.empty();
}

int Cores::core_of(int processor) const {
  const auto found = core_.find(processor);
  return found == core_.end() ? processor : found->second;
}

std::optional<int> Cores::cores() const {
  return knows_cores_ ? std::optional(static_cast<int>(distinct(core_))) : std::nullopt;
}

std::optional<int> Cores::threads_per_core() const {
  if (!knows_cores_) return std::nullopt;
  std::map<int, int> threads;
  int most = 0;
  for (const auto& [processor, core] : core_) most = std::max(most, ++threads[core]);
  return most;
}

std::vector<int> Cores::cores_of(const std::vector<int>& processors) const {
  std::set<int> cores;
  for (const int n : processors) cores.insert(core_of(n));
  return {cores.begin(), cores.end()};
}

std::vector<int> allowed_processors(Source& source, const Cores& cores) {
  const auto status = source.text("/proc/self/status");
  const auto list = status ? field(*status, "Cpus_allowed_list") : std::nullopt;
  auto allowed = list            ? parse_cpu_list(*list)
                 : source.live() ? processors_of_thread().value_or(ProcessorSet{}).list()
                                 : cores.processors();
  std::erase_if(allowed, [&](int n) { return !std::ranges::binary_search(cores.processors(), n); });
  return allowed.empty() ? cores.processors() : allowed;
}

std::vector<std::string> governors(Source& source, const std::vector<int>& processors) {
  std::vector<std::string> found;
  for (const int n : processors) {
    const auto governor = source.peek(processor_path(n) + "/cpufreq/scaling_governor");
    if (governor && std::ranges::find(found, *governor) == found.end()) found.push_back(*governor);
  }
  return found;
}

std::optional<bool> boost(Source& source) {
  if (const auto off = source.peek_number("/sys/devices/system/cpu/intel_pstate/no_turbo")) return *off == 0;
  if (const auto on = source.peek_number("/sys/devices/system/cpu/cpufreq/boost")) return *on != 0;
  return std::nullopt;
}

void describe_frequency(Source& source, const Cores& cores, Json& machine) {
  const auto found = governors(source, cores.processors());
  if (found.empty() && !cores.processors().empty())
    source.text(processor_path(cores.processors().front()) + "/cpufreq/scaling_governor");  // notes why
  machine["governor"] = found.empty() ? Json(nullptr) : Json(join(found, ","));
  Json frequency = Json::object();
  frequency["driver"] = first_text(source, cores, "scaling_driver");
  frequency["preference"] = first_text(source, cores, "energy_performance_preference");
  frequency["boost"] = or_null(boost(source));
  const auto base = first_text(source, cores, "base_frequency");
  const auto kilo = base.is_string() ? whole(base.get<std::string>()) : std::nullopt;
  frequency["base_hz"] = kilo ? Json(1e3 * static_cast<double>(*kilo)) : Json(nullptr);
  frequency["min_hz"] = hertz(source, cores, "cpuinfo_min_freq");
  frequency["max_hz"] = hertz(source, cores, "cpuinfo_max_freq");
  const auto current = current_hertz(source, cores);
  frequency["current_min_hz"] = current.empty() ? Json(nullptr) : Json(*std::ranges::min_element(current));
  frequency["current_max_hz"] = current.empty() ? Json(nullptr) : Json(*std::ranges::max_element(current));
  machine["frequency"] = std::move(frequency);
}

}  // namespace steelyard::machine
