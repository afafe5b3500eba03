// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/definition.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numeric>

#include "suites/imb/ext/catalogue.hpp"
#include "suites/imb/io/catalogue.hpp"
#include "suites/imb/io/rules.hpp"
#include "suites/imb/mpi1/catalogue.hpp"
#include "suites/imb/mpi4/catalogue.hpp"
#include "suites/imb/mt/catalogue.hpp"
#include "suites/imb/nbc/catalogue.hpp"
#include "suites/imb/own/catalogue.hpp"
#include "suites/imb/p2p/catalogue.hpp"
#include "suites/imb/p2p/sequence.hpp"
#include "suites/imb/rma/catalogue.hpp"

namespace steelyard::imb {
namespace {

constexpr std::int64_t round_up(std::int64_t value, std::int64_t unit) {
  return (value + unit - 1) / unit * unit;
}

bool same_word(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

std::int64_t side_bytes(Side side, std::int64_t length, Bytes size, int processes, int window,
                        std::int64_t unit) {
  switch (side) {
    case Side::none: return 0;
    case Side::one: return length;
    case Side::two: return in_memory(2, length);
    case Side::four: return in_memory(4, length);
    case Side::six: return in_memory(6, length);
    case Side::sections: return in_memory(window, length);
    case Side::per_rank: return in_memory(processes, length);
    case Side::reduce_scatter_piece:
      return round_up((length + processes - 1) / processes, std::max<std::int64_t>(unit, 4));
    case Side::window:
      return in_memory(window, size.count()) <= separate_receives_limit.count() ? in_memory(window, length)
                                                                                : length;
    case Side::portion: return in_memory(1, portion(size, processes, 0).bytes);
  }
  return 0;
}

constexpr Part mpi1_part{
    .name = "imb-mpi1", .title = "MPI-1 part", .benchmarks = mpi1_benchmarks, .blanks_in_head = true};

constexpr Part ext_part{.name = "imb-ext", .title = "MPI-2 part", .benchmarks = ext_benchmarks};

constexpr Part rma_part{.name = "imb-rma",
                        .title = "MPI-RMA part",
                        .benchmarks = rma_benchmarks,
                        .blanks_in_head = true,
                        .blank_after_type = false};

constexpr Part io_part{.name = "imb-io",
                       .title = "MPI-IO part",
                       .benchmarks = io_benchmarks,
                       .size_name = "chunk_byte",
                       .size_words = "io portion",
                       .files = true,
                       .types_shown = false};

constexpr Part nbc_part{
    .name = "imb-nbc", .title = "MPI-NBC part", .benchmarks = nbc_benchmarks, .started = true};

constexpr Part mpi4_part{.name = "imb-mpi4",
                         .title = "MPI-4 part",
                         .benchmarks = mpi4_benchmarks,
                         .blanks_in_head = true,
                         .blank_after_type = false,
                         .started = true};

constexpr Part p2p_part{.name = "imb-p2p",
                        .title = "IMB-P2P part",
                        .benchmarks = p2p_benchmarks,
                        .types_shown = false,
                        .later_only = true};

constexpr Part mt_part{.name = "imb-mt",
                       .title = "MT part",
                       .benchmarks = mt_benchmarks,
                       .types_shown = false,
                       .later_only = true,
                       .rule_width = 78};

constexpr Part own_mpi4_part{.name = "mpi4",
                             .title = "MPI-4 part, steelyard's own",
                             .benchmarks = own_mpi4_benchmarks,
                             .started = true};

constexpr const Part* all_parts[] = {&mpi1_part, &ext_part, &io_part, &nbc_part,     &mpi4_part,
                                     &rma_part,  &p2p_part, &mt_part, &own_mpi4_part};

}  // namespace

std::string_view text(Version version) {
  return version == Version::v31 ? "3.1" : "2021";
}

std::string_view text(Mode mode) {
  switch (mode) {
    case Mode::none: return "";
    case Mode::aggregate: return "aggregate";
    case Mode::non_aggregate: return "non_aggregate";
  }
  return "";
}

const Part* find_part(std::string_view suite) {
  const auto all = parts();
  const auto found = std::ranges::find(all, suite, &Part::name);
  return found == all.end() ? nullptr : *found;
}

const Definition* find(const Part& part, std::string_view name) {
  const auto& all = part.benchmarks;
  const auto found = std::ranges::find_if(all, [&](const Definition& d) { return same_word(d.name, name); });
  return found == all.end() ? nullptr : &*found;
}

std::vector<std::string> default_set(const Part& part, Version version) {
  std::vector<std::string> names;
  for (const auto& definition : part.benchmarks)
    if (version == Version::v31 ? definition.in_seed : definition.in_2021)
      names.emplace_back(definition.name);
  return names;
}

double mbyte(Version version) {
  return version == Version::v31 ? 1048576.0 : 1e6;
}

Table table_of(Class kind, std::optional<int> multi) {
  switch (kind) {
    case Class::single_transfer:
    case Class::single_element: return multi == 0 ? Table::b : Table::a;
    case Class::multiple_passive: return Table::a;
    case Class::parallel_transfer: return Table::b;
    case Class::collective: return Table::c;
    case Class::sync: return Table::d;
    case Class::message_rate: return Table::g;
    case Class::pattern: return Table::patterns;
    case Class::threads: return Table::b;
  }
  return Table::c;
}

Table table_of(const Definition& definition, std::optional<int> multi) {
  return definition.table.value_or(table_of(definition.kind, multi));
}

std::vector<int> process_series(int world, int npmin) {
  std::vector<int> series;
  for (std::int64_t q = npmin; q < world; q *= 2) series.push_back(static_cast<int>(q));
  series.push_back(world);
  return series;
}

bool possible(const Definition& definition, int processes) {
  if (definition.kind != Class::pattern) return true;
  if (definition.dimensions > 0) return grid(definition.dimensions, processes).has_value();
  return processes >= 2 && (!definition.pairs || processes % 2 == 0);
}

std::vector<int> process_series(const Definition& definition, int world, int npmin) {
  switch (definition.kind) {
    case Class::single_transfer:
    case Class::single_element:
      return world < definition.team ? std::vector<int>{} : std::vector<int>{definition.team};
    case Class::message_rate:
      return world < 2 ? std::vector<int>{} : process_series(world - world % 2, npmin + npmin % 2);
    default: {
      auto series = process_series(world, npmin);
      std::erase_if(series, [&](int processes) { return processes < definition.fewest; });
      return series;
    }
  }
}

std::vector<int> rank_order(int p, int q) {
  std::vector<int> order(static_cast<std::size_t>(p) * static_cast<std::size_t>(q));
  for (int j = 0; j < q; ++j)
    for (int i = 0; i < p; ++i) order[static_cast<std::size_t>(i * q + j)] = i + j * p;
  return order;
}

std::vector<std::vector<int>> groups(int world, int processes, bool multi, std::span<const int> rank_order) {
  std::vector<int> order(rank_order.begin(), rank_order.end());
  if (order.empty()) {
    order.resize(static_cast<std::size_t>(world));
    std::iota(order.begin(), order.end(), 0);
  }
  std::vector<std::vector<int>> result(static_cast<std::size_t>(multi ? world / processes : 1));
  auto next = order.begin();
  for (auto& group : result) {
    group.assign(next, next + processes);
    next += processes;
  }
  return result;
}

std::vector<Bytes> sizes(const SizeRule& rule, std::int64_t unit) {
  std::vector<Bytes> result;
  if (rule.listed) {
    for (const auto size : *rule.listed) result.emplace_back(round_up(size.count(), unit));
    return result;
  }
  if (rule.zero) result.emplace_back(0);
  const auto low = std::int64_t{1} << rule.low_exponent;
  const auto high = std::max(std::int64_t{1} << rule.high_exponent, unit) / unit * unit;
  const auto first = std::min(round_up(std::max(unit, low), unit), high);
  for (auto size = first; size < high; size *= 2) result.emplace_back(size);
  result.emplace_back(high);
  return result;
}

std::vector<Bytes> sizes(const SizeSteps& steps, bool zero) {
  std::vector<Bytes> result;
  if (steps.zero && zero) result.emplace_back(0);
  for (int exponent = steps.low; exponent <= steps.high; exponent += steps.step)
    result.emplace_back(std::int64_t{1} << exponent);
  return result;
}

std::uint64_t repetitions(const IterationRule& rule, Bytes size) {
  if (size.count() == 0) return static_cast<std::uint64_t>(rule.per_sample);
  const Bytes volume = rule.nearest ? rule.volume + Bytes{size.count() / 2} : rule.volume;
  return static_cast<std::uint64_t>(std::max<std::int64_t>(1, std::min(rule.per_sample, volume / size)));
}

IterationRule bounded(const IterationRule& rule, const Definition& definition, Mode mode) {
  auto result = rule;
  if (mode == Mode::non_aggregate || definition.bound == Bound::non_aggregate)
    result.per_sample = rule.non_aggregate;
  return result;
}

std::uint64_t repetitions_multiple_np(std::int64_t per_sample, Bytes size, Bytes largest, int processes) {
  const auto length = static_cast<double>(std::max<std::int64_t>(size.count(), 4));
  const auto whole = static_cast<double>(largest.count());
  const auto wanted = static_cast<std::int64_t>(
      std::floor(static_cast<double>(per_sample) * whole / (processes * length + whole) + 0.5));
  return static_cast<std::uint64_t>(std::max<std::int64_t>(wanted - wanted % processes, processes));
}

BufferNeed buffer_need(const Definition& definition, Version version, Bytes size, int processes, int window,
                       std::int64_t unit) {
  const auto length = in_memory(1, std::max<std::int64_t>(size.count(), 4));
  if (definition.receive == Side::reduce_scatter_piece && version == Version::v2021)
    return {in_memory(processes, length), length};
  return {side_bytes(definition.send, length, size, processes, window, unit),
          side_bytes(definition.receive, length, size, processes, window, unit)};
}

std::int64_t counted_byte(const Definition& definition, Bytes size, int processes, int window) {
  if (definition.kind == Class::message_rate || definition.kind == Class::pattern)
    return countable(counted_messages(definition, processes, window), size.count());
  const std::int64_t targets = definition.kind == Class::multiple_passive ? processes - 1 : 1;
  return countable(definition.messages * targets, size.count());
}

std::int64_t counted_messages(const Definition& definition, int processes, int window) {
  if (definition.kind == Class::pattern)
    return definition.messages * processes / static_cast<std::int64_t>(definition.time_divisor);
  if (definition.kind != Class::message_rate) return 0;
  return std::int64_t{definition.messages} * (processes / 2) * window;
}

const Part& mpi1() {
  return mpi1_part;
}

const Part& ext() {
  return ext_part;
}

const Part& rma() {
  return rma_part;
}

const Part& io() {
  return io_part;
}

const Part& nbc() {
  return nbc_part;
}

const Part& mpi4() {
  return mpi4_part;
}

const Part& p2p() {
  return p2p_part;
}

const Part& mt() {
  return mt_part;
}

const Part& own_mpi4() {
  return own_mpi4_part;
}

std::span<const Part* const> parts() {
  return all_parts;
}

}  // namespace steelyard::imb
