// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "suites/imb/io/rules.hpp"
#include "suites/imb/part_definition.hpp"
#include "suites/imb/schedule.hpp"
#include "units/text.hpp"

namespace steelyard::imb {
namespace {

std::string_view classification(const Definition& definition) {
  if (!definition.classification.empty()) return definition.classification;
  switch (definition.kind) {
    case Class::single_transfer: return "single transfer";
    case Class::parallel_transfer: return "parallel transfer";
    case Class::collective: return "collective";
    case Class::sync: return "synchronisation";
    case Class::message_rate: return "message rate";
    case Class::multiple_passive: return "multiple passive transfer";
    case Class::single_element: return "single element";
    case Class::pattern: return "pattern";
    case Class::threads: return "threads";
  }
  return "";
}

std::string_view size_text(const Definition& definition) {
  if (!has_sizes(definition)) return "none";
  if (definition.kind == Class::single_element) return "4 byte";
  if (definition.partitions) return "1024 .. 16777216 byte, fourfold";
  if (definition.neighbours) return "0, 1 .. 1048576 byte, doubling";
  if (definition.kind == Class::threads) return "1, 2, 4, 8 elements";
  return definition.reduction || definition.step == 4 ? "0, 4 .. 4194304 byte, doubling"
                                                      : "0, 1 .. 4194304 byte, doubling";
}

std::string_view metric_text(const Definition& definition) {
  if (definition.kind == Class::message_rate) return "message_rate_op_s, bandwidth_byte_s, time_s";
  switch (definition.comparison) {
    case Comparison::messages:
      if (definition.kind != Class::message_rate) return "time_s, bandwidth_byte_s, saving_percent";
      break;
    case Comparison::collective: return "time_s, request_init_time_s, plain_time_s, break_even";
    case Comparison::whole_message:
      return "part_time_s, part_overhead, perceived_bandwidth_byte_s, early_percent";
    case Comparison::halo: return "time_s, ratio_to_p2p";
    case Comparison::none: break;
  }
  if (definition.table == Table::bands) return "time_s, bandwidth_total_byte_s, message_rate_total_op_s";
  if (definition.kind == Class::threads)
    return definition.messages > 0 ? "time_s, bandwidth_process_byte_s" : "time_s";
  if (definition.kind == Class::pattern && !definition.pairs)
    return "time_s, time_per_message_s, bandwidth_byte_s, message_rate_op_s";
  if (definition.kind == Class::pattern)
    return definition.time_divisor > 1 ? "time_s, half_round_trip_s, bandwidth_byte_s, message_rate_op_s"
                                       : "time_s, exchange_time_s, bandwidth_byte_s, message_rate_op_s";
  return definition.messages > 0 ? "time_s, bandwidth_byte_s" : "time_s";
}

int fewest_processes(const Definition& definition) {
  if (definition.kind == Class::single_transfer || definition.kind == Class::single_element)
    return definition.team;
  if (definition.dimensions > 0) return 1 << definition.dimensions;
  if (definition.kind == Class::threads) return definition.pairs ? 2 : 1;
  if (definition.kind == Class::message_rate || definition.kind == Class::pattern) return 2;
  return definition.fewest;
}

suites::BenchmarkInfo info(const Definition& definition, Version version) {
  return {.name = definition.name,
          .classification = classification(definition),
          .min_processes = fewest_processes(definition),
          .in_default = version == Version::v31 ? definition.in_seed : definition.in_2021,
          .sizes = size_text(definition),
          .metrics = metric_text(definition),
          .source = definition.source};
}

std::string_view text(IterationPolicy policy) {
  switch (policy) {
    case IterationPolicy::volume: return "volume";
    case IterationPolicy::off: return "off";
    case IterationPolicy::dynamic: return "dynamic";
    case IterationPolicy::multiple_np: return "multiple_np";
    case IterationPolicy::automatic: return "auto";
  }
  return "volume";
}

std::string_view text(GapBarrier barrier) {
  constexpr std::string_view words[] = {"on", "off", "special"};
  return words[static_cast<std::size_t>(barrier)];
}

std::string_view text(Allocation allocation) {
  constexpr std::string_view words[] = {"serial", "continuous", "parallel"};
  return words[static_cast<std::size_t>(allocation)];
}

std::string on_off(bool value) {
  return value ? "on" : "off";
}

std::string seconds(const std::optional<Seconds>& limit) {
  return limit ? units::format_significant(limit->value(), 6) : std::string("none");
}

// Numbers of repetitions as the part's option takes them: IMB-MT counts alone, IMB-P2P has no modes.
std::string iterations(const Part& part, const IterationRule& rule) {
  const auto count = std::to_string(rule.per_sample);
  if (&part == &mt()) return count;
  const auto volume = count + "," + std::to_string(rule.volume / mebi);
  return &part == &p2p() ? volume : volume + "," + std::to_string(rule.non_aggregate);
}

std::string microseconds(const Seconds& time) {
  const auto text = units::format_fixed(time.value() * 1e6, 3);
  const auto end = text.find_last_not_of('0');
  return text.substr(0, text[end] == '.' ? end : end + 1);
}

std::string numbers(const std::vector<int>& list) {
  std::string words;
  for (const int number : list) words += (words.empty() ? "" : ",") + std::to_string(number);
  return words;
}

std::string hints(const Settings& settings) {
  std::string list;
  for (const auto& [key, value] : settings.hints) list += (list.empty() ? "" : " ") + key + "=" + value;
  return list.empty() ? "none" : list;
}

// Options that change a measuring rule, as the words of the command line, in the order of the user guide.
std::vector<std::pair<std::string, std::string>> rules(const Part& part, const Settings& s) {
  return {{&part == &mt() ? "-repeat" : "-iter", iterations(part, s.iterations)},
          {"-iter_policy", std::string(text(s.policy))},
          {"-time", seconds(s.time_limit)},
          {"-root_shift", on_off(s.root_shift)},
          {"-sync", on_off(s.sync)},
          {"-imb_barrier", on_off(s.own_barrier)},
          {"-warm_up", on_off(s.warm_up)},
          {"--n-warmup", std::to_string(s.first_warm_up)},
          {"--n-barr", std::to_string(s.barriers)},
          {"-window_size", std::to_string(s.window)},
          {"-contig_type", std::string(text(s.contiguous_type))},
          {"--progress-calls", std::to_string(s.progress_calls)},
          {"--hint", hints(s)},
          {"--outstanding", s.outstanding ? std::to_string(*s.outstanding) : "all"},
          {"-stride", std::to_string(s.stride)},
          {"-warmup", s.warm_up_operations ? std::to_string(*s.warm_up_operations) : std::string("none")},
          {"-barrier", std::string(text(s.gap))},
          {"-malloc_algo", std::string(text(s.allocation))},
          {"-malloc_align", std::to_string(s.buffer_align)},
          {"-partitions", numbers(s.partitions)},
          {"-pready", std::string(part_orders[static_cast<std::size_t>(s.part_order)])},
          {"-pready_call", std::string(part_calls[static_cast<std::size_t>(s.part_call)])},
          {"-thread_level", s.part_threads ? "multiple, a thread for each part of a message," : "single"},
          {"-noise", units::format_significant(100 * s.noise, 6)},
          {"-noise_model", std::string(noise_models[static_cast<std::size_t>(s.noise_model)])},
          {"-cart", text(s.cart)},
          {"-pause", microseconds(s.pause)},
          {"-msgwr", on_off(s.writes)},
          {"-msgrd", on_off(s.reads)},
          {"--seed", std::to_string(s.seed)}};
}

// How long a computation beside a transfer takes, and how many there are at most.
std::string computation_remark(const Settings& settings) {
  if (settings.balance_overlap) return "--balance-overlap: the computation takes as long as the transfer";
  std::string line =
      "Computation beside a transfer: " + units::format_significant(computation_target(settings).value(), 3) +
      " s";
  if (settings.computing) line += " (--target-cpu-secs)";
  if (!settings.bounded_computation) return line;
  line += ", at most " + std::to_string(most_overlapped(settings).value_or(0)) + " repetitions";
  return settings.computing ? line : line + "; -iter gives IMB's own";
}

// Remarks on what IMB-IO does otherwise than the rule set says, always or because it was asked.
std::string file_remarks(const Settings& settings) {
  std::string lines =
      "Files are in the page cache unless rows say otherwise: writes end with MPI_File_sync, reads carry "
      "flags";
  if (settings.drop_cache) lines += "\n-dropcache: the kernel is asked to forget files before they are read";
  return lines + "\n" + computation_remark(settings);
}

// What an option that was said changes nothing in or with; empty if it changes something.
std::string no_change(const Part& part, const Settings& settings, std::string_view option) {
  const auto in_part = " in " + std::string(part.name);
  if (&part == &rma() && (option == "-root_shift" || option == "-sync" || option == "-imb_barrier"))
    return in_part;
  using enum IterationPolicy;
  const bool counts = settings.policy == off || settings.policy == multiple_np;
  if (option == "-time" && &part != &mt() && counts)
    return " with -iter_policy " + std::string(text(settings.policy));
  if (option != "--n-warmup") return {};
  if (part.files) return in_part;
  if (!settings.warm_up) return " with -warm_up off";
  return settings.version == Version::v2021 ? " under the rules of 2021" : "";
}

std::string remarks(const Part& part, const Settings& settings) {
  const auto chosen = rules(part, settings);
  const auto usual = rules(part, defaults(part, settings.version));
  std::string lines;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (chosen[i] == usual[i]) continue;
    lines += (lines.empty() ? "" : "\n") + chosen[i].first + " " + chosen[i].second;
    const auto nowhere = no_change(part, settings, chosen[i].first);
    lines += nowhere.empty() ? " instead of " + usual[i].second : " changes nothing" + nowhere;
  }
  if (part.files) lines += (lines.empty() ? "" : "\n") + file_remarks(settings);
  for (const auto& words : settings.without_effect)
    lines += (lines.empty() ? "" : "\n") + words + " changes nothing in " + std::string(part.name);
  for (const auto& line : settings.left_out) lines += (lines.empty() ? "" : "\n") + line;
  return lines;
}

// Smallest and largest size of all benchmarks of the part, where each may have its own.
std::pair<std::int64_t, std::int64_t> size_limits(const Part& part, const Settings& settings) {
  auto all = sizes(settings.sizes, 1);
  for (const auto& definition : part.benchmarks)
    if (settings.usual_sizes && definition.usual_sizes)
      for (const auto size : sizes(settings, definition)) all.push_back(size);
  if (all.empty()) return {0, 0};
  const auto [low, high] = std::ranges::minmax(all);
  return {low.count(), high.count()};
}

// Length of the computation beside a transfer of files.
record::Value computation_s(const Part& part, const Settings& settings) {
  if (!part.files) return nullptr;
  return computation_target(settings).value();
}

record::Value map_value(const Settings& settings) {
  if (!settings.map) return nullptr;
  return std::to_string(settings.map->first) + "x" + std::to_string(settings.map->second);
}

}  // namespace

PartDefinition::PartDefinition(const Part& part, Settings settings)
    : part_(&part), settings_(std::move(settings)) {
  for (const auto& definition : part.benchmarks) catalogue_.push_back(info(definition, settings_.version));
}

record::Members PartDefinition::configuration() const {
  const auto& s = settings_;
  const auto [low, high] = size_limits(*part_, s);
  const auto listed = static_cast<std::int64_t>(s.sizes.listed ? s.sizes.listed->size() : 0);
  return {{"version", std::string(imb::text(s.version))},
          {"min_byte", low},
          {"max_byte", high},
          {"user_sizes", s.sizes.listed.has_value()},
          {"listed_sizes", listed},
          {"zero_size", s.sizes.zero},
          {"data_type", std::string(mpi_name(s.data_type))},
          {"reduction_type", std::string(mpi_name(s.reduction_type, true))},
          {"op", std::string("MPI_SUM")},
          {"contiguous_type", std::string(text(s.contiguous_type))},
          {"multi", s.multi ? record::Value{std::int64_t{*s.multi}} : record::Value{nullptr}},
          {"map", map_value(s)},
          {"off_cache_byte", s.off_cache.cache_byte},
          {"off_cache_line_byte", s.off_cache.line_byte},
          {"iteration_policy", std::string(text(s.policy))},
          {"iterations", s.iterations.per_sample},
          {"volume_byte", s.iterations.volume.count()},
          {"time_limit_s", s.time_limit ? record::Value{s.time_limit->value()} : record::Value{nullptr}},
          {"memory_byte", s.memory ? record::Value{s.memory->count()} : record::Value{nullptr}},
          {"root_shift", s.root_shift},
          {"sync", s.sync},
          {"own_barrier", s.own_barrier},
          {"warm_up", s.warm_up},
          {"window", std::int64_t{s.window}},
          {"threads", std::int64_t{s.threads}},
          {"aggregate_mode", s.mode == Mode::none ? std::string("multi") : std::string(imb::text(s.mode))},
          {"hints", hints(s)},
          {"computation_s", computation_s(*part_, s)},
          {"form", s.persistent_form.empty() ? record::Value{nullptr} : record::Value{s.persistent_form}},
          {"progress_calls", static_cast<std::int64_t>(s.progress_calls)},
          {"check", s.check},
          {"show_tail", s.show_tail},
          {"remarks", remarks(*part_, s)}};
}

}  // namespace steelyard::imb
