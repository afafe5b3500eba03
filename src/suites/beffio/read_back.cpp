// SPDX-License-Identifier: Apache-2.0
#include "suites/beffio/read_back.hpp"

#include <algorithm>

namespace steelyard::beffio {

void read_back(const Written& written, ReadBack how, Mismatches& wrong) {
  const auto parts = parts_to_read(written.pattern, written.calls, how);
  if (parts.empty()) return;
  mpi::File file(mpi::Communicator::self(), written.path, MPI_MODE_RDONLY);
  std::vector<std::uint64_t> words;
  for (const Part& part : parts) {
    words.assign(static_cast<std::size_t>(part.count), 0);
    const auto at =
        written.layout->offset(written.pattern.number, {written.origin.rank, part.call, part.chunk}) +
        part.first * element_byte;
    // What a short file lacks stays 0, which no word is.
    static_cast<void>(file.read_at(at, words.data(), part.count * element_byte));
    compare({part.call, part.chunk, written.pattern.disk.count() / element_byte, part.first, words},
            written.origin, wrong);
  }
  file.close();
}

}  // namespace steelyard::beffio
