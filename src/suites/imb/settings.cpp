// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/settings.hpp"

#include <limits>

namespace steelyard::imb {

std::string_view mpi_name(DataType type, bool reduction) {
  switch (type) {
    case DataType::byte: return "MPI_BYTE";
    // MPI defines sums for MPI_SIGNED_CHAR, not for the text type MPI_CHAR.
    case DataType::character: return reduction ? "MPI_SIGNED_CHAR" : "MPI_CHAR";
    case DataType::integer: return "MPI_INT";
    case DataType::single: return "MPI_FLOAT";
    case DataType::real: return "MPI_DOUBLE";
  }
  return "MPI_BYTE";
}

std::int64_t size_of(DataType type) {
  switch (type) {
    case DataType::byte:
    case DataType::character: return 1;
    case DataType::integer: return sizeof(int);
    case DataType::single: return sizeof(float);
    case DataType::real: return sizeof(double);
  }
  return 1;
}

std::string_view text(ContiguousType type) {
  switch (type) {
    case ContiguousType::base: return "base";
    case ContiguousType::base_vector: return "base_vec";
    case ContiguousType::resize: return "resize";
    case ContiguousType::resize_vector: return "resize_vec";
  }
  return "base";
}

std::string text(const Cart& cart) {
  if (cart.sides.empty()) return std::to_string(cart.dimensions);
  std::string word;
  for (const int side : cart.sides) word += (word.empty() ? "" : "x") + std::to_string(side);
  return word;
}

std::string obstacle(const Settings& settings, const Definition& definition) {
  const auto found = settings.obstacles.find(definition.family);
  return found == settings.obstacles.end() ? std::string() : found->second();
}

int neighbours(const Settings& settings) {
  return 2 * settings.cart.dimensions;
}

int sections(const Settings& settings, const Definition& definition) {
  return definition.neighbours ? neighbours(settings) : settings.window;
}

// Defaults of IMB-IO (IMB 3.1 User's Guide, 5.2.1, Table 19); later releases use the numbers
// of the other parts.
void set_io_defaults(Settings& settings) {
  settings.npmin = 1;
  settings.warm_up = false;
  if (settings.version != Version::v31) return;
  settings.sizes.high_exponent = 24;
  settings.iterations = {.per_sample = 50, .volume = 16 * mebi, .non_aggregate = 10};
}

// Defaults of IMB-P2P: all processes, always, and one rule set.
Settings p2p_defaults() {
  Settings settings;
  settings.version = Version::v2021;
  settings.npmin = std::numeric_limits<int>::max();
  settings.iterations = {.per_sample = 100000, .volume = 800 * mebi, .nearest = true};
  settings.barriers = 1;
  return settings;
}

Settings mt_defaults() {
  Settings settings;
  settings.version = Version::v2021;
  settings.npmin = std::numeric_limits<int>::max();
  settings.sizes.listed = {Bytes{4}, Bytes{8}, Bytes{16}, Bytes{32}};
  settings.policy = IterationPolicy::off;
  settings.barriers = 1;
  settings.warm_up_operations = 100;
  settings.root_shift = false;
  settings.window = 64;
  settings.data_type = settings.reduction_type = DataType::integer;
  return settings;
}

Settings defaults(const Part& part, Version version) {
  if (&part == &p2p()) return p2p_defaults();
  if (&part == &mt()) return mt_defaults();
  Settings settings;
  settings.version = version;
  if (&part == &io()) set_io_defaults(settings);
  settings.usual_sizes = &part == &own_mpi4();
  if (version == Version::v31) return settings;
  settings.policy = IterationPolicy::dynamic;
  settings.time_limit = Seconds{10};
  settings.root_shift = false;
  settings.sync = &part == &mpi1() || part.started;
  return settings;
}

}  // namespace steelyard::imb
