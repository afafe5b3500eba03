// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mpi/communicator.hpp"
#include "record/records.hpp"
#include "suites/hpcc/definition.hpp"
#include "suites/hpcc/foundation/huge_memory.hpp"

/// What the big buffers of a test take, and how much of them the system holds in huge pages.
namespace steelyard::hpcc {

/// Of one name: the largest buffer of a process, the least share of huge pages.
struct BufferUse {
  std::string name;
  double byte = 0, huge_share = 0;
};

/// Collective: the buffers in the order of the first process that has any; none of a process that does not
/// compute. All processes that have some name them alike. Reads the system's list of mappings on every
/// process.
[[nodiscard]] std::vector<BufferUse> buffer_use(const mpi::Communicator& world,
                                                const std::vector<NamedBuffer>& buffers);

/// Adds buffers, buffer_byte, buffer_huge_share and Sy_huge_page_share (of all bytes) to the classic values;
/// where the node's memory is known memory_share, and the flag smaller_than_the_rules_ask where it applies.
void put_memory_use(record::PointRecord& record, const PointSpec& spec, const Settings& settings,
                    const std::vector<BufferUse>& use);

}  // namespace steelyard::hpcc
