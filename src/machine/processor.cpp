// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "machine/processors.hpp"
#include "machine/words.hpp"

namespace steelyard::machine {

namespace {

struct ArmPart {
  std::string_view implementer, part, name;
};

// AArch64 kernels give no model name; these are the parts that parallel machines are built of.
constexpr std::array arm_parts{
    ArmPart{"0x41", "0xd07", "ARM Cortex-A57"},
    ArmPart{"0x41", "0xd08", "ARM Cortex-A72"},
    ArmPart{"0x41", "0xd0c", "ARM Neoverse-N1"},
    ArmPart{"0x41", "0xd40", "ARM Neoverse-V1"},
    ArmPart{"0x41", "0xd49", "ARM Neoverse-N2"},
    ArmPart{"0x41", "0xd4f", "ARM Neoverse-V2"},
    ArmPart{"0x43", "0x0af", "Cavium ThunderX2"},
    ArmPart{"0x46", "0x001", "Fujitsu A64FX"},
    ArmPart{"0x48", "0xd01", "HiSilicon TaiShan v110"},
    ArmPart{"0xc0", "0xac3", "Ampere-1"},
    ArmPart{"0xc0", "0xac4", "Ampere-1a"},
};

constexpr std::array<std::string_view, 13> vector_prefixes{
    "sse", "ssse3", "avx", "fma", "f16c", "amx", "neon", "asimd", "sve", "altivec", "vsx", "fphp", "bf16"};

std::string cpuinfo(Source& source) {
  return source.text("/proc/cpuinfo").value_or("");
}

std::optional<std::string> value(std::string_view text, std::string_view key) {
  const auto found = field(text, key);
  return found ? std::optional<std::string>(*found) : std::nullopt;
}

std::optional<std::string> arm_name(std::string_view text) {
  const auto implementer = value(text, "CPU implementer");
  const auto part = value(text, "CPU part");
  if (!implementer || !part) return std::nullopt;
  const auto known = std::ranges::find_if(
      arm_parts, [&](const ArmPart& p) { return p.implementer == *implementer && p.part == *part; });
  if (known != arm_parts.end()) return std::string(known->name);
  return "ARM implementer " + *implementer + " part " + *part;
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

/// On x86, sme is memory encryption and smep a protection; on AArch64, sme is the matrix extension.
bool matrix_flag(std::string_view flag, const std::vector<std::string>& all) {
  return flag.starts_with("sme") && std::ranges::find(all, "asimd") != all.end();
}

Json vector_flags(Source& source) {
  const auto all = processor_flags(source);
  Json flags = Json::array();
  for (const auto& flag : all)
    if (matrix_flag(flag, all) ||
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

}  // namespace

std::string processor_name(Source& source) {
  const auto text = cpuinfo(source);
  for (const auto key : {"model name", "cpu", "uarch", "Processor"})
    if (const auto name = value(text, key); name && !name->empty()) return *name;
  return arm_name(text).value_or("");
}

std::vector<std::string> processor_flags(Source& source) {
  const auto text = cpuinfo(source);
  auto line = field(text, "flags");
  if (!line) line = field(text, "Features");
  std::vector<std::string> flags;
  for (const auto word : words(line.value_or(""))) flags.emplace_back(word);
  return flags;
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
  machine["sockets"] = cores.sockets();
  machine["cores"] = cores.cores();
  machine["threads_per_core"] = cores.threads_per_core();
  machine["logical_processors"] = cores.processors().size();
  machine["vector_flags"] = vector_flags(source);
  machine["mitigations"] = mitigations(source);
}

}  // namespace steelyard::machine
