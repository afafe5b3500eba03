// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/io/file_check.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <set>
#include <string>
#include <system_error>

#include "measure/failure.hpp"
#include "suites/imb/check_data.hpp"

namespace steelyard::imb {
namespace {

using measure::CheckResult;

constexpr std::int64_t most_byte = std::int64_t{64} << 20;  // in the checked file

std::string hexadecimal(std::byte value) {
  constexpr std::string_view digits = "0123456789abcdef";
  const auto bits = std::to_integer<unsigned>(value);
  return {'0', 'x', digits[bits >> 4], digits[bits & 15]};
}

class Check {
 public:
  Check(const FilePoint& point, std::uint64_t repetitions)
      : point_(point), own_(point.own()), step_(point.step()) {
    const auto fitting = static_cast<std::uint64_t>(
        std::max<std::int64_t>(1, most_byte / std::max<std::int64_t>(point.size.count(), 1)));
    point_.interleaved = false;
    point_.slots = repetitions_ = std::min({repetitions, point.slots, fitting});
  }

  CheckResult writing(const Repetition& run) {
    const auto path = std::filesystem::path(point_.path.string() + "_check");
    remove(path);
    {
      const auto file = PointFile::open(point_, path);
      repeat(run, *file, [this](std::uint64_t i) { fill_bytes(point_.rank(), i, 0, data()); });
      agree_on([&] { file->close(); });
    }
    agree_on([&] { compare_written(path); });
    remove(path);
    return result_;
  }

  CheckResult reading(const Repetition& run) {
    const auto file = PointFile::open(point_, point_.path);
    std::vector<std::byte> received;
    repeat(run, *file, [&](std::uint64_t i) {
      if (i > 0) took(i - 1, received);
      std::ranges::fill(data(), untouched);
    });
    took(repetitions_ - 1, received);
    agree_on([&] { file->close(); });
    if (free_order()) compare_gathered(received);
    return result_;
  }

  void note_guards(std::int64_t changed) {
    if (changed > 0) add(changed, "bytes around the buffer were changed");
  }

 private:
  [[nodiscard]] std::span<std::byte> data() const {
    return {point_.data, static_cast<std::size_t>(own_.bytes)};
  }
  [[nodiscard]] bool free_order() const {
    return point_.action.pointer == Pointer::shared && !point_.action.together();
  }
  [[nodiscard]] bool first_of_file() const { return point_.action.own_file() || point_.rank() == 0; }

  void agree_on(const std::function<void()>& act) const { measure::all_or_none(point_.team->active, act); }

  // Behind the barrier inside the agreement nobody has the file open.
  void remove(const std::filesystem::path& path) const {
    agree_on([&] {
      if (first_of_file()) std::filesystem::remove(path);
    });
  }

  template <class Before>
  void repeat(const Repetition& run, PointFile& file, Before before) {
    int code = MPI_SUCCESS;
    for (std::uint64_t i = 0; i < repetitions_; ++i) {
      before(i);
      const int ran = run(file, i);
      code = code == MPI_SUCCESS ? ran : code;
    }
    const int completed = file.complete();
    agree_on([&] { mpi::check(code == MPI_SUCCESS ? completed : code, "checked operation"); });
  }

  void add(std::int64_t errors, const std::string& words) {
    if (result_.errors == 0) result_.first = "rank " + std::to_string(point_.rank()) + ", " + words;
    result_.errors += errors;
    result_.worst = 1;
  }

  void compare(std::span<const std::byte> found, std::span<const std::byte> wanted, std::uint64_t repetition,
               std::int64_t first) {
    if (std::ranges::equal(found, wanted)) return;
    std::int64_t errors = 0;
    std::size_t where = found.size();
    for (std::size_t i = 0; i < found.size(); ++i)
      if (found[i] != wanted[i]) {
        ++errors;
        where = std::min(where, i);
      }
    add(errors, "repetition " + std::to_string(repetition) + ", byte " +
                    std::to_string(first + static_cast<std::int64_t>(where)) + ": found " +
                    hexadecimal(found[where]) + ", expected " + hexadecimal(wanted[where]));
  }

  // Compares what this rank has read in one repetition with what the file holds where it had to read.
  void took(std::uint64_t repetition, std::vector<std::byte>& received) {
    if (free_order()) {
      received.insert(received.end(), data().begin(), data().end());
      return;
    }
    std::vector<std::byte> wanted(data().size());
    const auto start =
        static_cast<std::int64_t>(repetition) * step_ + (point_.action.own_file() ? 0 : own_.start);
    fill_elements(0, start, wanted);
    compare(data(), wanted, repetition, 0);
  }

  void compare_written(const std::filesystem::path& path) {
    mpi::File file(mpi::Communicator::self(), path.string(), MPI_MODE_RDONLY, point_.hints);
    if (first_of_file()) compare_length(file);
    if (free_order()) {
      if (point_.rank() == 0) compare_stream(file);
    } else {
      // The writer is another process where there is one: what it wrote must be seen here.
      const int writer = point_.action.own_file() ? point_.rank() : (point_.rank() + 1) % point_.processes();
      for (std::uint64_t i = 0; i < repetitions_; ++i) compare_block(file, writer, i);
    }
    file.close();
  }

  void compare_length(const mpi::File& file) {
    const auto wanted = static_cast<std::int64_t>(repetitions_) * step_;
    const auto found = static_cast<std::int64_t>(file.size());
    if (found != wanted)
      add(std::abs(found - wanted),
          "the file has " + std::to_string(found) + " byte, expected " + std::to_string(wanted));
  }

  void compare_block(mpi::File& file, int writer, std::uint64_t repetition) {
    const auto part = portion(point_.action, point_.size, point_.processes(), writer);
    const auto start =
        static_cast<std::int64_t>(repetition) * step_ + (point_.action.own_file() ? 0 : part.start);
    std::vector<std::byte> found(static_cast<std::size_t>(std::min(part.bytes, piece_byte)));
    std::vector<std::byte> wanted(found.size());
    for (std::int64_t at = 0; at < part.bytes; at += piece_byte) {
      const auto length = static_cast<std::size_t>(std::min(piece_byte, part.bytes - at));
      std::ranges::fill(found, untouched);
      static_cast<void>(file.read_at(start + at, found.data(), static_cast<std::int64_t>(length)));
      fill_bytes(writer, repetition, at, std::span(wanted).first(length));
      compare(std::span(found).first(length), std::span(wanted).first(length), repetition, at);
    }
  }

  [[nodiscard]] std::size_t portion_of(std::size_t rank) const {
    return static_cast<std::size_t>(
        portion(point_.action, point_.size, point_.processes(), static_cast<int>(rank)).bytes);
  }

  [[nodiscard]] std::vector<std::size_t> counts() const {
    return std::vector<std::size_t>(static_cast<std::size_t>(point_.processes()),
                                    static_cast<std::size_t>(repetitions_));
  }

  void compare_stream(mpi::File& file) {
    std::vector<std::byte> stream(static_cast<std::size_t>(static_cast<std::int64_t>(repetitions_) * step_),
                                  untouched);
    static_cast<void>(file.read_at(0, stream.data(), static_cast<std::int64_t>(stream.size())));
    std::vector<std::byte> wanted;
    judge(stream, [&](std::size_t rank, std::size_t number) -> std::span<const std::byte> {
      wanted.resize(portion_of(rank));
      fill_bytes(static_cast<int>(rank), number, 0, wanted);
      return wanted;
    });
  }

  void judge(std::span<const std::byte> stream, const BlockOf& block) {
    const auto good = explained(stream, counts(), block);
    if (good < stream.size())
      add(static_cast<std::int64_t>(stream.size() - good),
          "byte " + std::to_string(good) + " of the file begins no block of any rank that is due");
  }

  // Judges, on rank 0 of the group, the blocks that all ranks together have read: its file begins with them.
  void compare_gathered(const std::vector<std::byte>& own) {
    std::vector<int> lengths, starts;
    std::vector<std::byte> all;
    agree_on([&] {
      std::int64_t start = 0;
      for (int rank = 0; rank < point_.processes(); ++rank) {
        const auto bytes =
            static_cast<std::int64_t>(portion_of(static_cast<std::size_t>(rank)) * repetitions_);
        lengths.push_back(mpi::to_int(bytes));
        starts.push_back(mpi::to_int(start));
        start += bytes;
      }
      if (point_.rank() == 0) all.resize(static_cast<std::size_t>(start));
    });
    mpi::check(MPI_Gatherv(own.data(), lengths[static_cast<std::size_t>(point_.rank())], MPI_BYTE, all.data(),
                           lengths.data(), starts.data(), MPI_BYTE, 0, point_.team->group.get()),
               "MPI_Gatherv");
    if (point_.rank() != 0) return;
    std::vector<std::byte> stream(all.size());
    fill_elements(0, 0, stream);
    judge(stream, [&](std::size_t rank, std::size_t number) {
      const auto bytes = portion_of(rank);
      return std::span<const std::byte>(all).subspan(static_cast<std::size_t>(starts[rank]) + number * bytes,
                                                     bytes);
    });
  }

  FilePoint point_;
  Portion own_;
  std::int64_t step_;
  std::uint64_t repetitions_ = 1;
  CheckResult result_;
};

}  // namespace

void fill_elements(int rank, std::int64_t first, std::span<std::byte> out) {
  constexpr std::uint64_t period = 10'000'000;
  const std::uint64_t base = period * (1 + static_cast<std::uint64_t>(rank));
  for (std::size_t done = 0; done < out.size();) {
    const auto at = static_cast<std::uint64_t>(first) + done;
    const auto element = static_cast<std::uint32_t>(base + at / 4 % period);
    const auto offset = at % 4;
    const auto length = std::min<std::size_t>(4 - offset, out.size() - done);
    std::memcpy(out.data() + done, reinterpret_cast<const char*>(&element) + offset, length);
    done += length;
  }
}

// Depth first: a block that could be of two ranks is tried as both.
std::size_t explained(std::span<const std::byte> stream, std::span<const std::size_t> counts,
                      const BlockOf& block) {
  std::vector<std::size_t> used(counts.size(), 0), chosen;
  std::set<std::vector<std::size_t>> dead;
  std::size_t position = 0, best = 0, next = 0;
  const auto begins = [&](std::size_t rank) {
    if (used[rank] == counts[rank]) return std::size_t{0};
    const auto bytes = block(rank, used[rank]);
    if (bytes.empty() || bytes.size() > stream.size() - position) return std::size_t{0};
    const bool equal = std::ranges::equal(bytes, stream.subspan(position, bytes.size()));
    return equal ? bytes.size() : std::size_t{0};
  };
  while (position < stream.size()) {
    std::size_t length = 0;
    for (; next < counts.size() && length == 0; ++next) {
      length = begins(next);
      if (length == 0) continue;
      ++used[next];
      if (dead.contains(used)) {
        --used[next];
        length = 0;
      }
    }
    if (length > 0) {
      chosen.push_back(next - 1);
      position += length;
      best = std::max(best, position);
      next = 0;
      continue;
    }
    dead.insert(used);
    if (chosen.empty()) return best;
    const auto last = chosen.back();
    chosen.pop_back();
    --used[last];
    position -= block(last, used[last]).size();
    next = last + 1;
  }
  return stream.size();
}

measure::CheckResult check_file(const FilePoint& point, std::uint64_t repetitions, const Repetition& run,
                                const std::function<std::int64_t()>& guards) {
  Check check(point, std::max<std::uint64_t>(repetitions, 1));
  auto result = point.action.writes() ? check.writing(run) : check.reading(run);
  check.note_guards(guards());
  return result;
}

}  // namespace steelyard::imb
