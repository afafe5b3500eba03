// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numeric>

#include "imb/grammar.hpp"
#include "imb/options.hpp"
#include "measuring/computing.hpp"
#include "measuring/measured_suite.hpp"
#include "options/checks.hpp"
#include "process/errors.hpp"
#include "suites/imb/own/compared.hpp"
#include "suites/imb/own/neighbours.hpp"
#include "suites/imb/part_definition.hpp"
#include "suites/imb/workloads.hpp"

namespace steelyard::cli {
namespace {

constexpr double gigabyte = 1 << 30;
constexpr double most_memory_byte = 0x1p62;  // whoever allows more allows everything

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
  std::string said;
  int lists = 0;
  for (const auto* option : {"-msglog", "-msgsize", "-msglen"})
    if (values.said(option + 1)) said += (lists++ == 0 ? "" : " and ") + std::string(option);
  if (lists > 1) throw UsageError(said + " exclude each other");
}

// -msgsz adds to what -msglog or -msglen say, and to nothing else.
void set_p2p_sizes(const Values& values, imb::Settings& settings) {
  auto& rule = settings.sizes;
  std::vector<Bytes> listed;
  if (values.said("msglog")) {
    const std::string word = values.need("msglog");
    std::tie(rule.low_exponent, rule.high_exponent) = parse_exponents(word, highest_p2p_exponent);
    rule.zero = word.find(':') == std::string::npos;
    listed = imb::sizes(rule, 1);
  }
  if (const auto file = values.word("msglen")) listed = read_lengths(*file);
  const auto more = values.list("msgsz");
  for (const std::string& word : more)
    for (const Bytes size : parse_lengths(word)) listed.push_back(size);
  if (!more.empty() || values.said("msglen")) rule.listed = listed;
}

void set_p2p(const Values& values, imb::Settings& settings) {
  set_p2p_sizes(values, settings);
  settings.warm_up = true;
  settings.writes = values.on("msgwr");
  settings.reads = values.on("msgrd");
  settings.pause = parse_pause(values.need("pause"));
  settings.seed = static_cast<std::uint64_t>(*values.count("seed"));
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

// Sets sizes by elements (-count), or in byte as in the other parts.
void set_mt_sizes(const Values& values, imb::Settings& settings) {
  settings.data_type = settings.reduction_type = data_type(values.need("datatype"));
  const bool lengths = values.said("msglog") || values.said("msgsize") || values.said("msglen");
  if (lengths && values.said("count"))
    throw UsageError("-count and -msglog, -msgsize or -msglen exclude each other");
  settings.sizes.listed.reset();
  if (lengths) return set_sizes(values, settings);
  settings.sizes.listed.emplace();
  for (const std::int64_t elements : parse_element_counts(values.need("count")))
    settings.sizes.listed->push_back(Bytes{elements * imb::size_of(settings.data_type)});
}

imb::GapBarrier gap_barrier(const std::string& word) {
  if (word == "off") return imb::GapBarrier::off;
  return word == "special" ? imb::GapBarrier::special : imb::GapBarrier::on;
}

imb::Allocation allocation(const std::string& word) {
  if (word == "serial") return imb::Allocation::serial;
  return word == "continuous" ? imb::Allocation::continuous : imb::Allocation::parallel;
}

void note_without_effect(const std::string& option, const Values& values, imb::Settings& settings) {
  const auto name = option.substr(option.find_first_not_of('-'));
  if (values.said(name)) settings.without_effect.push_back(option + " " + values.need(name));
}

// Notes words without effect that harnesses give to every part of IMB.
void note_words_of_harnesses(const Values& values, imb::Settings& settings) {
  for (const auto* option : {"-iter_policy", "-map"}) note_without_effect(option, values, settings);
  const bool sizes = values.said("msglog") || values.said("msglen");
  if (!sizes) note_without_effect("-zero_size", values, settings);
  for (const auto* option : {"-show_tail", "-dumpfile"}) note_without_effect(option, values, settings);
}

void set_mt(const Values& values, imb::Settings& settings) {
  settings.policy = imb::IterationPolicy::off;
  settings.map.reset();
  settings.show_tail = settings.dump = false;
  note_words_of_harnesses(values, settings);
  set_mt_sizes(values, settings);
  settings.threads = threads_of_mt(values);
  settings.stride = static_cast<int>(*values.count("stride"));
  settings.iterations.per_sample = *values.count("repeat");
  settings.warm_up = true;
  settings.warm_up_operations = static_cast<std::uint64_t>(*values.count("warmup"));
  settings.gap = gap_barrier(values.need("barrier"));
  settings.allocation = allocation(values.need("malloc_algo"));
  settings.buffer_align = parse_buffer_align(values.need("malloc_align"));
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
    settings.memory = Bytes{std::llround(std::min(parse_positive(*word) * gigabyte, most_memory_byte))};
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

imb::NoiseModel noise_model(const std::string& word) {
  if (word == "single") return imb::NoiseModel::single;
  return word == "gauss" ? imb::NoiseModel::gauss : imb::NoiseModel::uniform;
}

imb::PartOrder part_order(const std::string& word) {
  if (word == "backward") return imb::PartOrder::backward;
  return word == "random" ? imb::PartOrder::random : imb::PartOrder::forward;
}

imb::PartCall part_call(const std::string& word) {
  if (word == "list") return imb::PartCall::list;
  return word == "range" ? imb::PartCall::range : imb::PartCall::one;
}

// Refuses -pready and -pready_call: a thread hands its own part over when it is ready, without
// an order or a call for all.
void refuse_order_of_threads(const Values& values) {
  for (const auto* option : {"pready", "pready_call"})
    if (values.said(option))
      throw UsageError("-" + std::string(option) + " " + values.need(option) +
                       ": with -thread_level multiple each part is handed over by a thread of its own");
}

// Settings of mpi4. Sizes that are said hold for every benchmark.
void set_own_mpi4(const Values& values, imb::Settings& settings) {
  settings.part_threads = values.word("thread_level") == "multiple";
  if (settings.part_threads) refuse_order_of_threads(values);
  settings.usual_sizes = !values.said("msglog") && !values.said("msglen");
  settings.partitions = parse_part_numbers(values.need("partitions"));
  settings.noise = parse_noise(values.need("noise"));
  settings.noise_model = noise_model(values.need("noise_model"));
  settings.part_order = part_order(values.need("pready"));
  settings.part_call = part_call(values.need("pready_call"));
  settings.cart = parse_cart(values.need("cart"));
}

// Settings of IMB-IO. -iter asks for IMB's own computation as well.
void set_files(const Values& values, imb::Settings& settings) {
  settings.file_name = values.word_or("file-name", settings.file_name);
  settings.warm_up = false;
  settings.drop_cache = values.on("dropcache");
  settings.balance_overlap = values.on("balance-overlap");
  if (const auto word = values.word("target-cpu-secs")) settings.computing = Seconds{parse_positive(*word)};
  settings.bounded_computation = !values.said("iter") && settings.policy != imb::IterationPolicy::off;
  // A file has no buffers to be kept out of cache.
  settings.off_cache = {};
  note_without_effect("-off_cache", values, settings);
}

std::string divisors(int n) {
  std::string list;
  for (int p = 1; p <= n; ++p)
    if (n % p == 0) list += (list.empty() ? "" : ", ") + std::to_string(p) + "x" + std::to_string(n / p);
  return list;
}

// Refuses named benchmarks that the library lacks; those of the default set are left out, which the head tells.
std::vector<std::string> without_lacking(const imb::Part& part, const Values& values,
                                         std::vector<std::string> names, imb::Settings& settings) {
  std::map<std::string, std::string> lacking;  // by reason
  for (const auto& name : names) {
    const auto why = imb::obstacle(settings, *imb::find(part, name));
    if (!why.empty()) lacking[why] += (lacking[why].empty() ? "" : " ") + name;
  }
  const auto lacks = [&](const std::string& name) {
    return !imb::obstacle(settings, *imb::find(part, name)).empty();
  };
  const bool all = std::ranges::all_of(names, lacks);
  if (!lacking.empty() && (all || names_given(values)))
    throw UsageError(std::string(part.name) + ": " + lacking.begin()->first + " (" + lacking.begin()->second +
                     ")");
  std::erase_if(names, lacks);
  for (const auto& [why, list] : lacking)
    settings.left_out.push_back("Left out, because " + why + ": " + list);
  return names;
}

}  // namespace

imb::Version rule_set(const Values& values) {
  return values.word("imb-version") == "2021" ? imb::Version::v2021 : imb::Version::v31;
}

int threads_of_mt(const Values& values) {
  const auto level = values.word("thread_level");
  const bool one = level && *level != "multiple";
  if (const auto said = values.count("threads")) {
    if (one && *said > 1)
      throw UsageError("--threads " + std::to_string(*said) + " needs -thread_level multiple, not " + *level);
    return static_cast<int>(*said);
  }
  return one ? 1 : threads_of_environment();
}

const imb::Part& imb_part(const Invocation& invocation) {
  return *imb::find_part(invocation.command->name);
}

imb::Settings imb_settings(const imb::Part& part, const Values& values, const measure::OffCache& cache) {
  imb::Settings settings = imb::defaults(part, rule_set(values));
  if (const auto least = values.count("npmin")) settings.npmin = static_cast<int>(*least);
  if (values.said("multi")) settings.multi = static_cast<int>(*values.count("multi"));
  if (const auto word = values.word("map")) settings.map = parse_map(*word);
  if (!part.later_only) set_sizes(values, settings);
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
  if (part.later_only) note_without_effect("--imb-version", values, settings);
  if (&part == &imb::p2p()) set_p2p(values, settings);
  if (&part == &imb::mt()) set_mt(values, settings);
  if (&part == &imb::own_mpi4()) set_own_mpi4(values, settings);
  return settings;
}

void check_stride_fits(const imb::Settings& settings, int processes) {
  if (settings.stride == 0 || settings.stride < processes) return;
  throw UsageError("-stride " + std::to_string(settings.stride) + " is not below the number of processes, " +
                   std::to_string(processes));
}

void check_map_fits(const imb::Settings& settings, int processes, const std::string& option) {
  if (!settings.map || settings.map->first * settings.map->second == processes) return;
  throw UsageError(option + ": " + std::to_string(settings.map->first) + "x" +
                       std::to_string(settings.map->second) + " does not number " +
                       std::to_string(processes) + " processes",
                   "possible are " + divisors(processes));
}

void set_library(const imb::Part& part, imb::Settings& settings) {
  if (&part != &imb::mpi4() && &part != &imb::own_mpi4()) return;
  using enum imb::Family;
  settings.persistent_form = imb::persistent_form();
  settings.obstacles[persistent_collectives] = imb::persistent_obstacle;
  if (&part == &imb::mpi4()) return;
  settings.obstacles[persistent_neighbours] = imb::persistent_neighbours_obstacle;
  settings.obstacles[partitioned] = imb::partitioned_obstacle;
  settings.sides_of_grid = imb::sides_of_grid;
}

Prepared prepare_imb(const Invocation& invocation, const Place& place) {
  const imb::Part& part = imb_part(invocation);
  Prepared prepared;
  imb::Settings settings = imb_settings(part, invocation.values, place.cache);
  check_map_fits(settings, place.processes, "-map");
  check_stride_fits(settings, place.processes);
  set_library(part, settings);
  const auto names = without_lacking(part, invocation.values,
                                     imb_names(part, invocation.values, settings.version), settings);
  settings.rate_first =
      std::ranges::any_of(names, [&](const std::string& name) { return imb::find(part, name)->overlapped; });
  prepared.suites.push_back(imb::measurable(part, settings));
  std::vector<campaign::Selected> selected;
  for (const std::string& name : names) selected.push_back({prepared.suites.front().get(), name});
  prepared.options.processes = place.processes;
  prepared.options.threads = settings.threads;
  prepared.options.memory_byte = place.memory_byte;
  prepared.plan = campaign::make_plan(selected, prepared.options, "imb");
  return prepared;
}

// The parts of IMB in `run` and `selftest`.
namespace {

std::vector<int> every_number(int processes) {
  if (processes == 1) return {1};
  std::vector<int> numbers(static_cast<std::size_t>(processes - 1));
  std::iota(numbers.begin(), numbers.end(), 2);
  return numbers;
}

void set_processes(const Values& values, int processes, imb::Settings& settings) {
  const auto counts = values.counts("np");
  if (!counts || counts->kind == units::Counts::Kind::pow2) return;
  if (counts->kind == units::Counts::Kind::all) {
    settings.processes = every_number(processes);
    return;
  }
  const int most = *std::max_element(counts->values.begin(), counts->values.end());
  if (most > processes)
    throw UsageError(
        "--np: asks for " + std::to_string(most) + " processes, started with " + std::to_string(processes),
        "-n " + std::to_string(most) + ", or the launcher, starts as many");
  settings.processes = counts->values;
}

// Sets what --np, --sizes and their kin say to a part of IMB.
void set_imb(const Values& values, const Place& place, imb::Settings& settings) {
  set_processes(values, place.processes, settings);
  if (const auto sizes = values.sizes("sizes")) settings.sizes.listed = sizes;
  if (const auto map = values.word("map")) settings.map = parse_map(*map);
  check_map_fits(settings, place.processes, "--map");
  if (values.word("groups") == "all") settings.multi = 0;
}

using PartOf = const imb::Part& (*)();

template <PartOf part>
std::unique_ptr<suites::Suite> imb_of_run(const Values& values, const CampaignShare&, const Place& place) {
  imb::Settings settings = imb::defaults(part(), imb::Version::v31);
  set_imb(values, place, settings);
  if (&part() == &imb::p2p() && values.said("seed"))
    settings.seed = static_cast<std::uint64_t>(*values.count("seed"));
  if (!part().later_only && !part().files) settings.off_cache = off_cache(values, place.cache);
  settings.balance_overlap = part().files;
  set_library(part(), settings);
  if (&part() == &imb::mt()) settings.threads = messaging_threads(values);
  return imb::measurable(part(), settings);
}

// The suite at tiny sizes. Files take their time, and one size tells as much about the data.
template <PartOf part>
std::unique_ptr<suites::Suite> tiny_imb(int) {
  imb::Settings settings = imb::defaults(part(), imb::Version::v31);
  settings.sizes.listed = {Bytes{0}, Bytes{1}, Bytes{64}, Bytes{4096}, Bytes{std::int64_t{1} << 17}};
  if (part().files) settings.sizes.listed = {Bytes{4096}};
  settings.iterations = {.per_sample = 4, .volume = mebi, .non_aggregate = 2};
  settings.check = true;
  set_library(part(), settings);
  return imb::measurable(part(), settings);
}

template <const Command& command>
constexpr const Command* imb_front_end[] = {&command};

template <PartOf part, const Command& command>
constexpr MeasuredSuite imb_row(std::string_view name) {
  return {.name = name,
          .of_run = imb_of_run<part>,
          .range = [](const Values&, const CampaignShare&,
                      const Place&) { return std::optional<suites::TimeRange>(); },
          .tiny = tiny_imb<part>,
          .front_ends = imb_front_end<command>};
}

}  // namespace

constinit const MeasuredSuite measured_imb_mpi1 = imb_row<imb::mpi1, imb_mpi1_command>("imb-mpi1");
constinit const MeasuredSuite measured_imb_ext = imb_row<imb::ext, imb_ext_command>("imb-ext");
constinit const MeasuredSuite measured_imb_rma = imb_row<imb::rma, imb_rma_command>("imb-rma");
constinit const MeasuredSuite measured_imb_io = imb_row<imb::io, imb_io_command>("imb-io");
constinit const MeasuredSuite measured_imb_nbc = imb_row<imb::nbc, imb_nbc_command>("imb-nbc");
constinit const MeasuredSuite measured_imb_mpi4 = imb_row<imb::mpi4, imb_mpi4_command>("imb-mpi4");
constinit const MeasuredSuite measured_mpi4 = imb_row<imb::own_mpi4, mpi4_command>("mpi4");
constinit const MeasuredSuite measured_imb_p2p = imb_row<imb::p2p, imb_p2p_command>("imb-p2p");
constinit const MeasuredSuite measured_imb_mt = imb_row<imb::mt, imb_mt_command>("imb-mt");

}  // namespace steelyard::cli
