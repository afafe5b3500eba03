// SPDX-License-Identifier: Apache-2.0
// The points of a benchmark: their sizes, names and needs, and what they count for.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "fourier/transforms.hpp"
#include "suites/hpcc/congruence.hpp"
#include "suites/hpcc/definition.hpp"
#include "suites/hpcc/hpl/shape.hpp"
#include "suites/hpcc/representative.hpp"

namespace steelyard::hpcc {
namespace {

using enum Test;
using enum Mode;

/// Memory of a process from which sizes follow.
std::int64_t memory_of(const Settings& settings) {
  return settings.memory_byte ? *settings.memory_byte : memory_per_process(settings.problem);
}

/// The specification at its least representative size instead, if that is asked for and larger.
template <class SetSize>
PointSpec at_least(const Settings& settings, int processes, PointSpec spec, std::int64_t size, SetSize set) {
  const bool long_vectors = settings.long_vectors && spec.benchmark.test == stream;
  if (!settings.representative && !long_vectors) return spec;
  const auto least = least_size(spec.benchmark, settings, processes);
  if (least > size) set(spec, least);
  return spec;
}
void set_length(PointSpec& spec, std::int64_t length) {
  spec.length = length;
}

std::vector<PointSpec> stream_specs(const Settings& settings, PointSpec spec) {
  spec.length = stream_length(memory_of(settings), settings.limit);
  spec = at_least(settings, 1, spec, spec.length, set_length);
  std::vector<PointSpec> all;
  for (const auto kernel : stream_kernels) {
    spec.kernel = kernel;
    all.push_back(spec);
  }
  return all;
}

/// The problem with an order that its memory holds on this grid, where a budget decides about the memory.
Problem of_memory(const Settings& settings, const Grid& grid) {
  if (!settings.memory_byte) return settings.problem;
  const auto bytes = static_cast<double>(*settings.memory_byte) * static_cast<double>(grid.processes());
  const auto order = static_cast<std::int64_t>(std::sqrt(bytes / 8));
  return {{rounded_order(order, settings.problem.blocks.front())}, settings.problem.blocks, {grid}};
}

/// As a multiple of the block, as PTRANS wants it.
void set_matrix(PointSpec& spec, std::int64_t order) {
  const auto block = std::max<std::int64_t>(spec.matrix.nb, 1);
  spec.matrix.n = spec.length = (order + block - 1) / block * block;
}

std::vector<PointSpec> ptrans_specs(const Settings& settings, PointSpec spec) {
  std::vector<PointSpec> all;
  for (const auto& grid : settings.problem.grids)
    for (const auto n : ptrans_orders(of_memory(settings, grid), settings.extra_orders))
      for (const auto nb : ptrans_blocks(settings.problem, settings.extra_blocks)) {
        spec.length = nb < 1 ? 0 : n;
        spec.matrix = {n, nb, grid};
        spec.processes = static_cast<int>(grid.processes());
        all.push_back(at_least(settings, spec.processes, spec, n, set_matrix));
      }
  return all;
}

std::vector<PointSpec> solver_specs(const Settings& settings, PointSpec spec) {
  std::vector<PointSpec> all;
  for (const auto& variant : hpl::variants(settings.problem, settings.solver)) {
    spec.solver = variant;
    spec.length = variant.n;
    spec.processes = static_cast<int>(variant.grid.processes());
    all.push_back(spec);
  }
  return all;
}

void identify(const hpl::Variant& variant, record::Params& params) {
  const auto code = [](auto option) { return std::int64_t{static_cast<int>(option)}; };
  params["order"] = variant.n;
  params["block"] = variant.nb;
  params["grid_rows"] = std::int64_t{variant.grid.rows};
  params["grid_columns"] = std::int64_t{variant.grid.columns};
  params["mapping"] = std::string(1, hpl::letter(variant.mapping));
  params["depth"] = std::int64_t{variant.depth};
  params["broadcast"] = code(variant.broadcast);
  params["recursive"] = std::string(1, hpl::letter(variant.recursive));
  params["panel"] = std::string(1, hpl::letter(variant.panel));
  params["stop"] = std::int64_t{variant.stop};
  params["parts"] = std::int64_t{variant.parts};
  params["swap"] = code(variant.swap);
  params["swap_threshold"] = variant.swap_threshold;
  params["l1"] = code(variant.l1);
  params["u"] = code(variant.u);
  params["equilibration"] = code(variant.equilibration);
  params["alignment"] = std::int64_t{variant.alignment};
}

std::vector<PointSpec> message_specs(const Settings& settings, PointSpec spec) {
  std::vector<PointSpec> all;
  for (const auto& rule : {settings.latency, settings.bandwidth}) {
    spec.length = rule.message_byte;
    all.push_back(spec);
  }
  return all;
}

PointSpec fft_spec(const Settings& settings, PointSpec spec, int world) {
  const auto memory = memory_of(settings);
  if (spec.benchmark.mode != global) {
    spec.length = fft_length(memory, settings.fft, settings.limit);
    return at_least(settings, 1, spec, spec.length, set_length);
  }
  const auto whole = global_fft(memory, world, settings.fft, settings.limit);
  spec.length = whole.length;
  spec.processes = whole.processes;
  return at_least(settings, spec.processes, spec, spec.length, set_length);
}

/// A part of the updates that the table's size asks for, in whole rounds of all sub-streams.
std::int64_t updates_of(const PointSpec& spec, const Settings& settings) {
  constexpr std::int64_t round = 128;
  const auto all = std::int64_t{4} << spec.bits;
  if (settings.effort.updates_share >= 1) return all;
  const double some = settings.effort.updates_share * static_cast<double>(all);
  return std::clamp(static_cast<std::int64_t>(some) / round * round, std::min(round, all), all);
}

PointSpec access_spec(const Settings& settings, PointSpec spec, int world) {
  const bool together = spec.benchmark.mode == global;
  const auto memory = memory_of(settings);
  spec.bits = together ? random_access_bits(memory, world) : random_access_bits(memory);
  spec = at_least(settings, world, spec, spec.bits,
                  [](PointSpec& one, std::int64_t bits) { one.bits = static_cast<int>(bits); });
  spec.updates = updates_of(spec, settings);
  return spec;
}

}  // namespace

int single_rank(const Settings& settings, int world) {
  if (settings.single_rank && (*settings.single_rank < 0 || *settings.single_rank >= world))
    throw std::invalid_argument("the rank of the Single tests is none of this run");
  if (settings.single_rank) return *settings.single_rank;
  return world == 1 ? 0 : 1 + Random(settings.seed).below(world - 1);
}

std::vector<PointSpec> point_specs(const Settings& settings, const Benchmark& benchmark, int world) {
  PointSpec spec{.benchmark = benchmark};
  if (benchmark.mode == global) spec.processes = world;
  switch (benchmark.test) {
    case stream:
      return stream_specs(settings, spec);
    case ptrans:
      return ptrans_specs(settings, spec);
    case latency_bandwidth:
      return message_specs(settings, spec);
    case solver:
      return solver_specs(settings, spec);
    case fft:
      return {fft_spec(settings, spec, world)};
    case dgemm:
      spec.length = dgemm_order(memory_of(settings));
      return {at_least(settings, 1, spec, spec.length, set_length)};
    case random_access:
      return {access_spec(settings, spec, world)};
  }
  return {};
}

int passes(Test test, const Settings& settings) {
  if (test == stream) return settings.effort.stream_trials;
  if (test == ptrans) return settings.effort.placements;
  if (test == solver) return settings.solver_repetitions;
  return test == latency_bandwidth ? 1 : settings.effort.repetitions;
}

record::Params identity(const PointSpec& spec, const Settings& settings, int world) {
  record::Params params;
  const Test test = spec.benchmark.test;
  params["form"] = std::string(text(settings.form));
  if (test == random_access) params["table_words"] = std::int64_t{1} << spec.bits;
  if (test == random_access && spec.updates < std::int64_t{4} << spec.bits) params["updates"] = spec.updates;
  if (test == dgemm) params["order"] = spec.length;
  if (test == stream || test == fft) params["elements"] = spec.length;
  if (test == stream) params["kernel"] = std::string(text(spec.kernel));
  if (test == fft && spec.processes != 1) params["used_processes"] = std::int64_t{spec.processes};
  if (test == latency_bandwidth) params["message_byte"] = spec.length;
  if (test == ptrans) {
    params["order"] = spec.matrix.n;
    params["block"] = spec.matrix.nb;
    params["grid_rows"] = std::int64_t{spec.matrix.grid.rows};
    params["grid_columns"] = std::int64_t{spec.matrix.grid.columns};
  }
  if (test == solver) identify(spec.solver, params);
  if (spec.benchmark.mode == single) params["rank"] = std::int64_t{single_rank(settings, world)};
  return params;
}

double counted_work(const PointSpec& spec) {
  const auto length = static_cast<double>(spec.length);
  switch (spec.benchmark.test) {
    case random_access:
      return static_cast<double>(spec.updates);
    case ptrans:
      return 8 * length * length;
    case dgemm:
      return 2 * length * length * length;
    case stream:
      return static_cast<double>(stream_byte(spec.kernel, spec.length));
    case fft:
      return 5 * length * std::log2(std::max(length, 1.0));
    case latency_bandwidth:
      return 0;
    case solver:
      return hpl::operations(spec.length);
  }
  return 0;
}

std::int64_t memory_byte(const PointSpec& spec, const Settings& settings) {
  const bool base = settings.form == Form::base;
  switch (spec.benchmark.test) {
    case random_access:
      return (std::int64_t{8} << spec.bits) / spec.processes;
    case ptrans:  // two matrices, one more for the check, and what travels
      return (base ? 5 : 3) * 8 * spec.matrix.n * spec.matrix.n / std::max(spec.processes, 1);
    case dgemm:
    case stream:
      return 3 * 8 * (spec.benchmark.test == dgemm ? spec.length * spec.length : spec.length);
    case fft:  // the buffers of the exchanges; or in, out, and what lies between or is for the check
      if (spec.benchmark.mode == global) return 6 * 16 * spec.length / spec.processes;
      return 16 * (3 * spec.length + (base ? fourier::plan_elements(spec.length) : 0)) / spec.processes;
    case latency_bandwidth:
      return 4 * spec.length;
    case solver:
      return hpl::memory_byte(spec.solver);
  }
  return 0;
}

}  // namespace steelyard::hpcc
