// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "suites/beffio/sampling.hpp"
#include "suites/beffio/type_file.hpp"

/// What lies in a file, looked at through another handle than the one that wrote it.
namespace steelyard::beffio {

/// What one process reads back of another's data in a pattern.
struct Written {
  Pattern pattern;
  Origin origin;
  std::uint64_t calls = 0;
  const Layout* layout = nullptr;
  std::string path;
};
/// Opens the file for this process alone, reads parts at the places that the layout gives, compares every
/// word. Only after a sync of all writers. Never timed. Throws mpi::Error.
void read_back(const Written& written, ReadBack how, Mismatches& wrong);

}  // namespace steelyard::beffio
