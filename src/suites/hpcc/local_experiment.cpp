// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/local_experiment.hpp"

#include <algorithm>

#include "suites/hpcc/representative.hpp"

namespace steelyard::hpcc {
namespace {

double huge_share(const HugeMemory& memory) {
  return memory.size() > 0 ? static_cast<double>(memory.in_huge_pages()) / static_cast<double>(memory.size())
                           : 0;
}

std::string joined_names(const std::vector<NamedBuffer>& buffers) {
  std::string names;
  for (const auto& buffer : buffers) names += (names.empty() ? "" : " ") + std::string(buffer.name);
  return names;
}

std::vector<std::string> split(const std::string& names) {
  std::vector<std::string> all;
  for (std::size_t at = 0; at < names.size();) {
    const auto end = std::min(names.find(' ', at), names.size());
    all.push_back(names.substr(at, end - at));
    at = end + 1;
  }
  return all;
}

void put_buffers(record::PointRecord& record, const std::vector<BufferUse>& use) {
  if (use.empty()) return;
  std::string names;
  std::vector<double> bytes, shares;
  double all = 0, huge = 0;
  for (const auto& buffer : use) {
    names += (names.empty() ? "" : " ") + buffer.name;
    bytes.push_back(buffer.byte);
    shares.push_back(buffer.huge_share);
    all += buffer.byte;
    huge += buffer.byte * buffer.huge_share;
  }
  record.classic.emplace_back("buffers", names);
  record.classic.emplace_back("buffer_byte", bytes);
  record.classic.emplace_back("buffer_huge_share", shares);
  record.classic.emplace_back("Sy_huge_page_share", all > 0 ? huge / all : 0);
}

}  // namespace

std::vector<BufferUse> buffer_use(const mpi::Communicator& world, const std::vector<NamedBuffer>& buffers) {
  const auto first = world.min(std::int64_t{buffers.empty() ? world.size() : world.rank()});
  std::vector<BufferUse> use;
  if (first == world.size()) return use;
  for (const auto& name : split(world.broadcast(joined_names(buffers), static_cast<int>(first)))) {
    const bool has = use.size() < buffers.size();
    const double byte = has ? static_cast<double>(buffers[use.size()].memory->size()) : 0;
    const double share = has ? huge_share(*buffers[use.size()].memory) : 1;
    use.push_back({name, world.max(byte), world.min(share)});
  }
  return use;
}

void put_memory_use(record::PointRecord& record, const PointSpec& spec, const Settings& settings,
                    const std::vector<BufferUse>& use) {
  put_buffers(record, use);
  if (const auto share = memory_share(spec, settings)) record.classic.emplace_back("memory_share", *share);
  if (smaller_than_the_rules_ask(spec, settings)) record.flags.emplace_back("smaller_than_the_rules_ask");
}

}  // namespace steelyard::hpcc
