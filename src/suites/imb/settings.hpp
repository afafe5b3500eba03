// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "measure/buffers.hpp"
#include "suites/imb/definition.hpp"

namespace steelyard::imb {

enum class IterationPolicy { volume, off, dynamic, multiple_np, automatic };
enum class DataType { byte, character, integer, single, real };  // byte char int float double
enum class ContiguousType { base, base_vector, resize, resize_vector };

[[nodiscard]] std::string_view mpi_name(DataType type, bool reduction = false);  // "MPI_BYTE"
[[nodiscard]] std::int64_t size_of(DataType type);
[[nodiscard]] std::string_view text(ContiguousType type);  // "base_vec"
/// Memory bytes per message byte: 2 where the extent of the type is doubled.
[[nodiscard]] constexpr std::int64_t stride(ContiguousType type) {
  return type == ContiguousType::resize || type == ContiguousType::resize_vector ? 2 : 1;
}

/// Barrier that brings all processes together before the clock and between two calls of a
/// collective of IMB-MT.
enum class GapBarrier { on, off, special };
/// Allocation of the buffers of threads: by the main thread, by the main thread in one block, or by each
/// thread for itself.
enum class Allocation { serial, continuous, parallel };

/// Order in which the parts of a message are handed over, and the call that does it.
enum class PartOrder { forward, backward, random };
enum class PartCall { one, list, range };
/// Noise by which pieces of a computation take longer than the shortest: one piece by all of it, each by a
/// part of it that is equally likely, or by one that is normally distributed with a third of it as deviation.
enum class NoiseModel { single, uniform, gauss };
inline constexpr std::string_view part_orders[] = {"forward", "backward", "random"};
inline constexpr std::string_view part_calls[] = {"one", "list", "range"};
inline constexpr std::string_view noise_models[] = {"single", "uniform", "gauss"};

/// Cartesian topology of neighbours: so many dimensions, or these sides.
struct Cart {
  int dimensions = 2;
  std::vector<int> sides = {};
};
[[nodiscard]] std::string text(const Cart& cart);  // "2", "3x2"

/// Choices of the user: the words of IMB's command line, or what `run` derives from its own options. Every
/// member's default is that of imb-mpi1 under version 3.1; defaults() gives the others.
struct Settings {
  Version version = Version::v31;
  int npmin = 2;
  std::optional<std::vector<int>> processes;  // `run --np` instead of npmin's series
  std::optional<int> multi;                   // -multi 0|1
  std::optional<std::pair<int, int>> map;     // -map PxQ
  SizeRule sizes;
  IterationRule iterations;
  IterationPolicy policy = IterationPolicy::volume;
  std::optional<Seconds> time_limit;  // -time
  std::optional<Bytes> memory;        // -mem, per process
  measure::OffCache off_cache;
  bool root_shift = true;
  bool sync = false;         // clock per call and barrier between
  bool own_barrier = false;  // -imb_barrier
  bool warm_up = true;
  int first_warm_up = 2;       // --n-warmup: operations before the first size of a table, under 3.1
  int barriers = 2;            // --n-barr: before the clock
  bool message_pause = false;  // -msg_pause
  int window = 256;
  Mode mode = Mode::none;                                  // -aggregate_mode; none: all that there are
  std::vector<std::pair<std::string, std::string>> hints;  // --hint, for windows and files
  std::optional<std::uint64_t> outstanding;  // --outstanding: transfers under way at most, of an aggregate
  DataType data_type = DataType::byte;
  DataType reduction_type = DataType::single;
  ContiguousType contiguous_type = ContiguousType::base;
  std::string file_name = "IMB_out";  // --file-name
  bool drop_cache = false;            // -dropcache
  bool balance_overlap = false;       // --balance-overlap: the computation takes as long as the transfer
  std::optional<Seconds> computing;   // --target-cpu-secs: beside a transfer
  bool bounded_computation = true;    // non-blocking rows are short, whatever the rule set asks for
  std::uint64_t progress_calls = 0;   // --progress-calls: MPI_Test in the computation of imb-nbc and imb-mpi4
  std::string persistent_form;        // of imb-mpi4 and mpi4: "MPI_", "MPIX_"
  /// Why benchmarks of a family cannot be measured; asked when one is planned, on all processes.
  std::map<Family, std::function<std::string()>> obstacles;
  std::vector<std::string> left_out;        // of the default set, and why: lines of the head
  std::vector<std::string> without_effect;  // words of the user that change nothing: lines of the head
  bool usual_sizes = false;                 // each benchmark has its own, where it has some
  std::vector<int> partitions{1, 4, 16};    // -partitions
  double noise = 0.04;                      // -noise, as a share
  NoiseModel noise_model = NoiseModel::uniform;
  PartOrder part_order = PartOrder::forward;  // -pready
  PartCall part_call = PartCall::one;         // -pready_call
  bool part_threads = false;                  // -thread_level multiple: a thread for each part
  Cart cart;                                  // -cart
  /// Sides of a grid of so many processes by the MPI library; empty without a library.
  std::function<std::vector<int>(int processes, int dimensions)> sides_of_grid;
  bool rate_first = false;  // the rate of the computation is told before the first row
  int threads = 1;          // --threads of each process, IMB-MT
  int stride = 0;           // -stride; 0 = half of all processes
  std::optional<std::uint64_t> warm_up_operations;  // -warmup
  GapBarrier gap = GapBarrier::on;                  // -barrier
  Allocation allocation = Allocation::parallel;     // -malloc_algo
  std::int64_t buffer_align = 64;                   // -malloc_align
  Seconds pause{0};                                 // -pause, before and after each row
  bool writes = true,
       reads = true;       // -msgwr, -msgrd: messages are written before they go, read when they come
  std::uint64_t seed = 0;  // --seed of random patterns
  bool check = false;      // --check
  bool show_tail = false;  // -show_tail
  bool dump = false;       // -dumpfile: single times are needed
};

/// Settings of a part with the defaults of a version.
[[nodiscard]] Settings defaults(const Part& part, Version version);

/// Reason why this benchmark cannot be measured; empty if it can, as far as is known.
[[nodiscard]] std::string obstacle(const Settings& settings, const Definition& definition);

/// Number of neighbours of each process in the topology.
[[nodiscard]] int neighbours(const Settings& settings);
/// Number that `Side::sections` stands for: neighbours, or the messages of a window.
[[nodiscard]] int sections(const Settings& settings, const Definition& definition);

/// Element type of a benchmark under these settings.
[[nodiscard]] inline DataType element_type(const Settings& settings, const Definition& definition) {
  if (definition.integers) return DataType::integer;
  return definition.reduction ? settings.reduction_type : settings.data_type;
}

}  // namespace steelyard::imb
