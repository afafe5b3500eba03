// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
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

/// What a user chose: the words of IMB's command line, or what `run` derives from its own options.
/// Every member's default is the default of version 3.1; with_version() gives those of another.
struct Settings {
  Version version = Version::v31;
  int npmin = 2;
  std::optional<std::vector<int>> processes;   // `run --np` instead of npmin's series
  std::optional<int> multi;                    // -multi 0|1
  std::optional<std::pair<int, int>> map;      // -map PxQ
  SizeRule sizes;
  IterationRule iterations;
  IterationPolicy policy = IterationPolicy::volume;
  std::optional<Seconds> time_limit;           // -time
  std::optional<Bytes> memory;                 // -mem, per process
  measure::OffCache off_cache;
  bool root_shift = true;
  bool sync = false;                           // clock per call and barrier between
  bool own_barrier = false;                    // -imb_barrier
  bool warm_up = true;
  bool message_pause = false;                  // -msg_pause
  int window = 256;
  DataType data_type = DataType::byte;
  DataType reduction_type = DataType::single;
  ContiguousType contiguous_type = ContiguousType::base;
  bool check = false;                          // --check
  bool show_tail = false;                      // -show_tail
  bool dump = false;                           // -dumpfile: single times are needed
};

/// Settings with the defaults of a version.
[[nodiscard]] Settings defaults(Version version);

}  // namespace steelyard::imb
