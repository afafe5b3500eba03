// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "errors.hpp"
#include "imb/grammar.hpp"
#include "imb/words.hpp"
#include "words/checks.hpp"

namespace steelyard::cli {
namespace {

constexpr double gigabyte = 1 << 30;

std::optional<bool> switched(const Values& values, std::string_view name) {
  return values.said(name) ? std::optional(values.on(name)) : std::nullopt;
}

imb::IterationPolicy policy(const std::string& word) {
  using enum imb::IterationPolicy;
  if (word == "off") return off;
  if (word == "dynamic") return dynamic;
  if (word == "multiple_np") return multiple_np;
  return word == "auto" ? automatic : volume;
}

imb::DataType data_type(const std::string& word) {
  using enum imb::DataType;
  if (word == "char") return character;
  if (word == "int") return integer;
  if (word == "float") return single;
  return word == "double" ? real : byte;
}

imb::ContiguousType contiguous_type(const std::string& word) {
  using enum imb::ContiguousType;
  if (word == "base_vec") return base_vector;
  if (word == "resize") return resize;
  return word == "resize_vec" ? resize_vector : base;
}

imb::Mode mode(const std::string& word) {
  if (word == "aggregate") return imb::Mode::aggregate;
  return word == "non_aggregate" ? imb::Mode::non_aggregate : imb::Mode::none;
}

void refuse_several_lists(const Values& values) {
  const int lists =
      (values.said("msglog") ? 1 : 0) + (values.said("msgsize") ? 1 : 0) + (values.said("msglen") ? 1 : 0);
  if (lists > 1) throw UsageError("-msglog, -msgsize and -msglen exclude each other");
}

void set_sizes(const Values& values, imb::Settings& settings) {
  refuse_several_lists(values);
  if (values.said("msglog"))
    std::tie(settings.sizes.low_exponent, settings.sizes.high_exponent) =
        parse_exponents(values.need("msglog"));
  settings.sizes.zero = values.on("zero_size");
  if (const auto list = values.word("msgsize")) settings.sizes.listed = parse_lengths(*list);
  if (const auto file = values.word("msglen")) settings.sizes.listed = read_lengths(*file);
}

measure::OffCache off_cache(const std::string& word, const measure::OffCache& machine) {
  const OffCacheWords words = parse_off_cache(word);
  const auto mebibyte = static_cast<double>(mebi.count());
  return {.cache_byte = words.megabytes ? std::max<std::int64_t>(1, std::llround(*words.megabytes * mebibyte))
                                        : machine.cache_byte,
          .line_byte = words.line_byte.value_or(machine.line_byte)};
}

void set_buffers(const Values& values, const measure::OffCache& machine, imb::Settings& settings) {
  if (const auto word = values.word("off_cache")) settings.off_cache = off_cache(*word, machine);
  if (const auto word = values.word("mem"))
    settings.memory = Bytes{std::llround(parse_positive(*word) * gigabyte)};
  if (const auto word = values.word("data_type")) settings.data_type = data_type(*word);
  if (const auto word = values.word("red_data_type")) settings.reduction_type = data_type(*word);
  if (const auto word = values.word("contig_type")) settings.contiguous_type = contiguous_type(*word);
  if (const auto count = values.count("window_size")) settings.window = static_cast<int>(*count);
}

void set_repetitions(const Values& values, imb::Settings& settings) {
  if (values.said("iter")) settings.iterations = parse_iterations(values.need("iter"), settings.iterations);
  if (const auto word = values.word("iter_policy")) settings.policy = policy(*word);
  if (const auto word = values.word("time")) settings.time_limit = Seconds{parse_positive(*word)};
  settings.root_shift = switched(values, "root_shift").value_or(settings.root_shift);
  settings.sync = switched(values, "sync").value_or(settings.sync);
  settings.own_barrier = values.on("imb_barrier");
  settings.warm_up = values.on("warm_up");
  settings.message_pause = values.on("msg_pause");
  if (const auto count = values.count("n-warmup")) settings.first_warm_up = static_cast<int>(*count);
  if (const auto count = values.count("n-barr")) settings.barriers = static_cast<int>(*count);
}

// IMB-IO alone. Who names repetitions asks for IMB's own computation as well.
void set_files(const Values& values, imb::Settings& settings) {
  settings.file_name = values.word_or("file-name", settings.file_name);
  settings.warm_up = false;
  settings.drop_cache = values.on("dropcache");
  settings.balance_overlap = values.on("balance-overlap");
  if (const auto word = values.word("target-cpu-secs")) settings.computing = Seconds{parse_positive(*word)};
  settings.bounded_computation = !values.said("iter") && settings.policy != imb::IterationPolicy::off;
}

std::string divisors(int n) {
  std::string list;
  for (int p = 1; p <= n; ++p)
    if (n % p == 0) list += (list.empty() ? "" : ", ") + std::to_string(p) + "x" + std::to_string(n / p);
  return list;
}

}  // namespace

const imb::Part& imb_part(const Invocation& invocation) {
  return *imb::find_part(invocation.command->name);
}

imb::Settings imb_settings(const imb::Part& part, const Values& values, const measure::OffCache& cache) {
  imb::Settings settings =
      imb::defaults(part, values.word("imb-version") == "2021" ? imb::Version::v2021 : imb::Version::v31);
  settings.npmin = static_cast<int>(*values.count("npmin"));
  if (values.said("multi")) settings.multi = static_cast<int>(*values.count("multi"));
  if (const auto word = values.word("map")) settings.map = parse_map(*word);
  set_sizes(values, settings);
  set_buffers(values, cache, settings);
  set_repetitions(values, settings);
  if (part.files) set_files(values, settings);
  if (const auto count = values.count("progress-calls"))
    settings.progress_calls = static_cast<std::uint64_t>(*count);
  if (const auto word = values.word("aggregate_mode")) settings.mode = mode(*word);
  if (const auto most = values.count("outstanding")) settings.outstanding = static_cast<std::uint64_t>(*most);
  for (const std::string& hint : values.list("hint")) settings.hints.push_back(parse_label(hint));
  settings.check = values.on("check");
  settings.show_tail = values.on("show_tail");
  settings.dump = values.word("dumpfile").has_value();
  return settings;
}

void check_map_fits(const imb::Settings& settings, int processes, const std::string& option) {
  if (!settings.map || settings.map->first * settings.map->second == processes) return;
  throw UsageError(option + ": " + std::to_string(settings.map->first) + "x" +
                       std::to_string(settings.map->second) + " does not number " +
                       std::to_string(processes) + " processes",
                   "possible are " + divisors(processes));
}

}  // namespace steelyard::cli
