// SPDX-License-Identifier: Apache-2.0
#include "record/records.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "record/conversion.hpp"
#include "record/file.hpp"

namespace steelyard::record {
namespace {

constexpr bool lower = true;
constexpr bool higher = false;

// Points first, then values of summaries.
constexpr std::array metrics = std::to_array<MetricName>({
    {"time_s", "s", lower, "time of one operation as the benchmark defines it (PingPong: half a round trip)"},
    {"half_round_trip_s", "s", lower, "time_s of messages there and back, by its own name"},
    {"exchange_time_s", "s", lower, "time_s of messages both ways at the same time, by its own name"},
    {"time_per_message_s", "s", lower, "time_s of a process over the messages it sends, by its own name"},
    {"pairs_on_one_node_share", "", higher, "share of the pairs whose processes are on one node"},
    {"bandwidth_byte_s", "byte/s", higher, "bytes counted per operation over time_s"},
    {"bandwidth_process_byte_s", "byte/s", higher,
     "bytes counted for all threads of one process per operation over time_s"},
    {"bandwidth_total_byte_s", "byte/s", higher,
     "bytes counted for all pairs of threads of the run per operation over time_s"},
    {"message_rate_op_s", "op/s", higher, "messages counted per operation over time_s"},
    {"message_rate_total_op_s", "op/s", higher,
     "messages counted for all pairs of threads of the run per operation over time_s"},
    {"operation_rate_op_s", "op/s", higher, "operations over time_s"},
    {"flop_rate_flop_s", "flop/s", higher, "nominal floating-point operations over time_s"},
    {"update_rate_update_s", "update/s", higher, "table updates over time_s"},
    {"pure_time_s", "s", lower, "time of the communication alone, without computation beside it"},
    {"io_time_s", "s", lower, "time spent in input and output calls"},
    {"compute_time_s", "s", lower, "time of the computation that runs beside the communication"},
    {"compute_alone_time_s", "s", lower, "time of the same computation without communication"},
    {"communication_time_s", "s", lower, "time spent in communication calls"},
    {"request_init_time_s", "s", lower, "time to make a persistent request, mean over processes"},
    {"request_free_time_s", "s", lower, "time to free a persistent request, mean over processes"},
    {"plain_time_s", "s", lower, "time of the same operation without a request that was made before"},
    {"saving_percent", "percent", higher, "share of plain_time_s that requests made before save"},
    {"break_even", "", lower, "executions after which a persistent request has paid for itself"},
    {"halo_time_s", "s", lower, "time of the same blocks by messages to each neighbour"},
    {"ratio_to_p2p", "", lower, "time_s over halo_time_s"},
    {"part_time_s", "s", lower, "time of a message in parts with the computation of its parts"},
    {"message_time_s", "s", lower, "time of the same message in one, half a round trip"},
    {"part_overhead", "", lower, "time of a message in parts without computation over message_time_s"},
    {"perceived_bandwidth_byte_s", "byte/s", higher,
     "bytes of a message over the time that is left when its last part has been computed"},
    {"availability", "", higher, "1 - that time over message_time_s: 1 where nothing is left to wait for"},
    {"early_percent", "percent", higher,
     "share of the time in which parts travel that lies before the last one has been computed"},
    {"bus_bandwidth_byte_s", "byte/s", higher,
     "bandwidth of the slowest link that the operation would need at this time, by the formula of its program"},
    {"traversal_rate_edge_s", "edge/s", higher, "edges traversed over the time of a search"},
    {"open_time_s", "s", lower, "time to open a file, between barriers"},
    {"close_time_s", "s", lower, "time to close a file, between barriers"},
    {"overlap_percent", "percent", higher,
     "share of the communication that ran while the processor computed"},
    {"overlap_share_of_communication", "", higher,
     "time saved by computing beside the communication, over that of the communication alone"},
    {"io_fraction", "", lower, "share of the total time that input and output took"},
    {"communication_fraction", "", lower, "share of the total time that communication took"},
    {"scaled_residual", "", lower, "residual of the solution in units of the rounding error"},
    {"max_error", "", lower, "largest difference between result and expectation"},
    {"error_fraction", "", lower, "share of wrong elements"},
    {"energy_j", "j", lower, "energy used by the operation, from the power counters"},
    {"power_w", "w", lower, "mean power over the timed region"},
    {"x_uncorrected_median_s", "s", lower, "median of time_s before the cost of the clock was subtracted"},

    {"b_eff_byte_s", "byte/s", higher, "effective bandwidth of the system: mean over sizes and patterns"},
    {"b_eff_per_process_byte_s", "byte/s", higher, "b_eff_byte_s over the number of processes"},
    {"b_eff_at_lmax_byte_s", "byte/s", higher, "effective bandwidth at the largest message size"},
    {"b_eff_rings_at_lmax_byte_s", "byte/s", higher,
     "effective bandwidth at the largest message size, mean over the rings alone"},
    {"latency_s", "s", lower,
     "time between two shortest messages of a process, mean over rings and polygons"},
    {"ring_latency_s", "s", lower, "time between two shortest messages of a process, mean over the rings"},
    {"memory_communication_time_s", "s", lower, "time to communicate all memory of the partition once"},
    {"balance_factor", "", higher, "effective bandwidth over the rate of the linear solver, byte/flop"},
    {"b_eff_lmax_byte_s", "byte/s", higher, "b_eff_at_lmax_byte_s as an input of the balance analysis"},
    {"b_eff_io_byte_s", "byte/s", higher,
     "effective I/O bandwidth: writing, rewriting and reading, weighted"},
    {"b_eff_io_published_byte_s", "byte/s", higher,
     "effective I/O bandwidth by the weights 25, 25 and 50 percent of the definition"},
    {"b_eff_io_release2_byte_s", "byte/s", higher, "effective I/O bandwidth by the formula of release 2"},
    {"b_eff_io_write_byte_s", "byte/s", higher,
     "I/O bandwidth of the first writing, mean over pattern types"},
    {"b_eff_io_rewrite_byte_s", "byte/s", higher, "I/O bandwidth of rewriting, mean over pattern types"},
    {"b_eff_io_read_byte_s", "byte/s", higher, "I/O bandwidth of reading, mean over pattern types"},
    {"ftio_io_fraction", "", lower, "io_fraction of the out-of-core transform, mean over runs"},
    {"ftio_flop_s", "flop/s", higher, "nominal rate of the out-of-core transform, mean over runs"},
    {"ftio_total_s", "s", lower, "total time of the out-of-core transform, mean over runs"},
    {"pingpong_latency_s", "s", lower, "half the round trip of a one-byte message"},
    {"pingpong_bandwidth_byte_s", "byte/s", higher, "bandwidth of the ping-pong at the largest message size"},
    {"pingpong_max_latency_s", "s", lower, "largest latency over pairs of processes"},
    {"pingpong_min_byte_s", "byte/s", higher, "smallest bandwidth over pairs of processes"},
    {"natural_ring_byte_s", "byte/s", higher, "bandwidth per process in a ring in rank order"},
    {"natural_ring_latency_s", "s", lower, "latency in a ring in rank order"},
    {"random_ring_byte_s", "byte/s", higher, "bandwidth per process in randomly ordered rings"},
    {"random_ring_latency_s", "s", lower, "latency in randomly ordered rings"},
    {"hpl_flop_s", "flop/s", higher, "rate of the linear solver, whole system"},
    {"star_dgemm_flop_s", "flop/s", higher, "matrix product on all processes at once, mean per process"},
    {"star_stream_copy_byte_s", "byte/s", higher, "memory copy on all processes at once, per process"},
    {"star_stream_triad_byte_s", "byte/s", higher, "memory triad on all processes at once, per process"},
    {"mpi_random_access_update_s", "update/s", higher, "updates of a table over all processes"},
    {"mpi_fft_flop_s", "flop/s", higher, "Fourier transform over all processes"},
    {"dgemm_single_flop_s", "flop/s", higher, "matrix product on one process, the others idle"},
    {"dgemm_star_flop_s", "flop/s", higher, "matrix product on all processes at once, mean per process"},
    {"stream_single_copy_byte_s", "byte/s", higher, "memory copy on one process, the others idle"},
    {"stream_single_scale_byte_s", "byte/s", higher, "memory scale on one process, the others idle"},
    {"stream_single_add_byte_s", "byte/s", higher, "memory add on one process, the others idle"},
    {"stream_single_triad_byte_s", "byte/s", higher, "memory triad on one process, the others idle"},
    {"stream_star_copy_byte_s", "byte/s", higher, "memory copy on all processes at once, per process"},
    {"stream_star_scale_byte_s", "byte/s", higher, "memory scale on all processes at once, per process"},
    {"stream_star_add_byte_s", "byte/s", higher, "memory add on all processes at once, per process"},
    {"stream_star_triad_byte_s", "byte/s", higher, "memory triad on all processes at once, per process"},
    {"ptrans_byte_s", "byte/s", higher, "parallel matrix transposition, whole system"},
    {"fft_single_flop_s", "flop/s", higher, "transform on one process, the others idle"},
    {"fft_star_flop_s", "flop/s", higher, "transform on all processes at once, mean per process"},
    {"fft_global_flop_s", "flop/s", higher, "one transform over all processes"},
    {"random_access_single_update_s", "update/s", higher, "random updates on one process, the others idle"},
    {"random_access_star_update_s", "update/s", higher, "random updates of each process alone, per process"},
    {"random_access_global_update_s", "update/s", higher, "random updates over all processes"},
    {"memory_byte", "byte", higher, "memory of the nodes in use"},
    {"peak_measured_flop_s", "flop/s", higher, "rate of a loop in registers on all cores"},
    {"peak_nominal_flop_s", "flop/s", higher, "peak rate as the user states it"},
    {"peak_memory_byte_s", "byte/s", higher, "peak memory bandwidth as the user states it"},
    {"mean_power_w", "w", lower, "mean power of the system"},
});

struct Suffix {
  std::string_view end, unit;
};
// Longer ends first: "_byte_s" also ends with "_s".
constexpr std::array suffixes = std::to_array<Suffix>({{"_byte_s", "byte/s"},
                                                       {"_flop_s", "flop/s"},
                                                       {"_update_s", "update/s"},
                                                       {"_op_s", "op/s"},
                                                       {"_edge_s", "edge/s"},
                                                       {"_percent", "percent"},
                                                       {"_byte", "byte"},
                                                       {"_flop", "flop"},
                                                       {"_hz", "hz"},
                                                       {"_s", "s"},
                                                       {"_w", "w"},
                                                       {"_j", "j"}});

// ASCII order: is_event_code searches by halving.
constexpr auto codes = std::to_array<std::string_view>({
    "blas_environment",
    "budget",
    "busy_neighbours",
    "cached_read",
    "clock_backwards",
    "clock_drift",
    "clock_source",
    "clock_sync_poor",
    "clock_unusable",
    "container_quota",
    "crowded",
    "cut_short",
    "deadline",
    "debug_build",
    "debug_mpi",
    "file_system",
    "file_system_full",
    "frequency_scaling",
    "gave_up",
    "heterogeneous",
    "host_names",
    "import_date",
    "import_duplicate",
    "import_mixed",
    "import_row",
    "import_truncated",
    "import_unit",
    "import_warning",
    "internal_error",
    "launcher",
    "layout_left_out",
    "locked_memory",
    "migrated",
    "missing_library",
    "missing_value",
    "mixed_sessions",
    "mixed_states",
    "mpi_error",
    "mpi_mismatch",
    "network",
    "no_isolation",
    "no_locks",
    "no_power_counters",
    "noisy",
    "numa_balancing",
    "one_placement",
    "other_hosts",
    "outlier_confirmed",
    "oversubscribed",
    "page_faults",
    "plan_shrunk",
    "preempted",
    "remote_memory",
    "resumed_with_differences",
    "scratch_left",
    "shared_core",
    "shared_memory",
    "signal",
    "slow_link",
    "slow_node",
    "smt_on",
    "steal",
    "stop_file",
    "stop_requested",
    "swap_in_use",
    "transparent_hugepage",
    "turbo",
    "two_groups",
    "unpinned",
    "verification_failed",
    "virtual_machine",
    "volume_limit",
    "wrong_data_node",
});
static_assert(std::ranges::is_sorted(codes));

constexpr auto texts = std::to_array<FlagText>({
    {"autocorrelated", "batches resemble their neighbours: they tell less than as many independent ones"},
    {"below_resolution", "printed as 0: smaller than what its text could print"},
    {"blas_below_peak", "the BLAS reaches a small share of what the core can compute"},
    {"buffers_device", "its buffers were on an accelerator"},
    {"cache_warm", "buffers are used again and may lie in the cache; --off-cache keeps them out"},
    {"cached_read", "what was read lay in memory, not on a disk"},
    {"clock_corrected", "so short that the cost of reading the clock was subtracted"},
    {"computation_disturbed",
     "the computation took longer beside the communication than alone: something else used its processor"},
    {"far_beyond_budget", "the ping-pong took more than ten times the time that it plans with"},
    {"falls_with_size",
     "half of the table is updated more than a tenth faster: the rate is that of this size alone"},
    {"few_clock_steps", "a timed region took less than 100 steps of the clock"},
    {"few_visits", "looked at fewer than six times: the interval tells little about what changes slowly"},
    {"fewer_ticks_than_the_rules_ask",
     "a kernel of STREAM took less than 20 ticks of the clock, a tick being 1 us at least"},
    {"imported", "read from the text of another program: a number without an interval"},
    {"late", "processes began operations long after the time that they had agreed upon"},
    {"may_be_cached", "read by the nodes that wrote it, from memory perhaps"},
    {"mixed_states", "the machine was in several states, and none of them in 80 % of the visits"},
    {"neighbour_order_unspecified",
     "several neighbours are one process, and their blocks come in an order that older versions of MPI allow"},
    {"noisy", "many batches were disturbed, or states of the machine differ much"},
    {"not_representative", "too small to stand for this machine"},
    {"one_placement", "all visits used the same places in memory"},
    {"overlapping_receives", "receives share a buffer, because separate ones would be too large"},
    {"oversubscribed", "more processes and threads than cores"},
    {"page_faults", "memory was mapped while the clock ran"},
    {"preempted", "the system gave the processors to others while the clock ran"},
    {"rate_and_time_disagree", "its rate is not the work over its time: lines of several runs, or edited"},
    {"rate_over_ranks", "a mean over ranks of each rank's own rate, above that of all together"},
    {"reduction_in_pieces", "more elements than one call of MPI takes: reduced in pieces"},
    {"single_state_short", "the state of the machine that is shown was seen in fewer than six visits"},
    {"smaller_than_the_rules_ask", "the problem is smaller than the published rules ask"},
    {"warned_by_program", "the program that printed it warned of it"},
});

const Suffix* suffix_of(std::string_view name) {
  const auto found =
      std::ranges::find_if(suffixes, [name](const Suffix& suffix) { return name.ends_with(suffix.end); });
  return found == suffixes.end() ? nullptr : &*found;
}

// Room for the text around the cells: envelope, names of columns, brackets. Names and keys are far shorter than this.
constexpr std::size_t room_for_head = std::size_t{1} << 16;
constexpr std::size_t room_for_cells = max_line_byte - room_for_head;

std::size_t rows_of(const Json& columns) {
  if (!columns.is_object() || columns.empty()) throw std::domain_error("a table needs named columns");
  const std::size_t rows = columns.begin()->size();
  for (const auto& [name, column] : columns.items()) {
    if (!column.is_array() || column.size() != rows) {
      throw std::domain_error("column '" + name + "' of a table is not a list as long as the first one");
    }
  }
  return rows;
}

std::size_t length_of_row(const Json& columns, std::size_t row) {
  std::size_t length = 0;
  for (const Json& column : columns) {
    length += column[row].dump().size() + 1;
  }
  return length;
}

/// First rows of the parts, and the number of rows at the end.
std::vector<std::size_t> borders(const Json& columns) {
  std::vector<std::size_t> list{0};
  const std::size_t rows = rows_of(columns);
  std::size_t used = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t length = length_of_row(columns, row);
    if (length > room_for_cells) throw WriteError("a row of a table does not fit into a line");
    if (used + length > room_for_cells) list.push_back(row), used = 0;
    used += length;
  }
  list.push_back(rows);
  return list;
}

Json rows_between(const Json& columns, std::size_t first, std::size_t last) {
  Json part = Json::object();
  for (const auto& [name, column] : columns.items()) {
    Json& kept = part[name] = Json::array();
    for (std::size_t row = first; row < last; ++row) kept.push_back(column[row]);
  }
  return part;
}

bool is_table(const Json& columns) {
  if (!columns.is_object() || columns.empty()) return false;
  const std::size_t rows = columns.begin()->size();
  return std::ranges::all_of(columns.items(), [&](const auto& column) {
    return column.value.is_array() && column.value.size() == rows;
  });
}

}  // namespace

std::span<const MetricName> metric_names() {
  return metrics;
}

const MetricName* metric_name(std::string_view name) {
  const auto found = std::ranges::find(metrics, name, &MetricName::name);
  return found == metrics.end() ? nullptr : &*found;
}

std::string metric_words(std::string_view name) {
  const Suffix* suffix = suffix_of(name);
  std::string words{name.substr(0, name.size() - (suffix == nullptr ? 0 : suffix->end.size()))};
  std::ranges::replace(words, '_', ' ');
  return words;
}

std::string_view unit_of(std::string_view name) {
  const Suffix* suffix = suffix_of(name);
  return suffix == nullptr ? std::string_view{} : suffix->unit;
}

std::optional<double> statistic(const Statistics& held, std::string_view name) {
  const std::pair<std::string_view, const std::optional<double>&> known[] = {
      {"median", held.median}, {"min", held.min}, {"p05", held.p05}, {"p25", held.p25},  {"p75", held.p75},
      {"p95", held.p95},       {"p99", held.p99}, {"max", held.max}, {"mean", held.mean}};
  for (const auto& [word, value] : known)
    if (word == name) return value;
  return std::nullopt;
}

std::optional<double> value_of(const Statistics& held) {
  return held.headline.empty() ? held.median : statistic(held, held.headline);
}

std::optional<double> value_of(const Metric& metric) {
  if (const auto* plain = std::get_if<double>(&metric)) return *plain;
  const auto* held = std::get_if<Statistics>(&metric);
  return held == nullptr ? std::nullopt : value_of(*held);
}

void put(SummaryRecord& summary, std::string_view name, std::optional<double> value) {
  summary.values.emplace_back(name, value ? Metric(*value) : Metric(nullptr));
}

std::span<const std::string_view> event_codes() {
  return codes;
}

bool is_event_code(std::string_view code) {
  return std::ranges::binary_search(codes, code);
}

std::string_view text(Status status) {
  return detail::spelling(detail::status_words, status);
}
std::string_view text(ReasonCode code) {
  return detail::spelling(detail::reason_words, code);
}
std::string_view text(Severity severity) {
  return detail::spelling(detail::severity_words, severity);
}

std::span<const FlagText> flag_texts() {
  return texts;
}

std::string_view flag_text(std::string_view flag) {
  const auto found = std::ranges::find(texts, flag, &FlagText::flag);
  return found == texts.end() ? std::string_view() : found->text;
}

std::vector<TableRecord> split_table(const TableRecord& table) {
  const Json& columns = table.columns.json();
  const std::vector<std::size_t> border = borders(columns);
  if (border.size() == 2) return {table};
  std::vector<TableRecord> list;
  for (std::size_t i = 0; i + 1 < border.size(); ++i) {
    TableRecord part{table.name,
                     table.suite,
                     table.key,
                     static_cast<int>(i + 1),
                     static_cast<int>(border.size() - 1),
                     Document(rows_between(columns, border[i], border[i + 1]))};
    list.push_back(std::move(part));
  }
  return list;
}

bool append_rows(TableRecord& into, const TableRecord& more) {
  Json& columns = into.columns.json();
  const Json& added = more.columns.json();
  if (!is_table(columns) || !is_table(added) || added.size() != columns.size()) return false;
  for (const auto& [name, column] : added.items())
    if (!columns.contains(name)) return false;
  for (const auto& [name, column] : added.items())
    for (const Json& cell : column) columns[name].push_back(cell);
  into.part = into.parts = 1;
  return true;
}

}  // namespace steelyard::record
