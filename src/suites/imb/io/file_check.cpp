// SPDX-License-Identifier: Apache-2.0
#include "suites/imb/io/file_check.hpp"

#include <algorithm>
#include <cstring>
#include <set>
#include <string>

#include "measure/failure.hpp"
#include "suites/imb/sides.hpp"

namespace steelyard::imb {
namespace {

using measure::CheckResult;

constexpr std::int64_t most_byte = std::int64_t{64} << 20;  // in the checked file

std::string hexadecimal(std::byte value) {
  constexpr std::string_view digits = "0123456789abcdef";
  const auto bits = std::to_integer<unsigned>(value);
  return {'0', 'x', digits[bits >> 4], digits[bits & 15]};
}

// What is told of a block instead of its bytes, which may be more than one process has memory for.
struct BlockDigest {
  std::uint64_t head = 0;  // the first bytes themselves: most other blocks differ there
  std::uint64_t all = 0xcbf29ce484222325U;

  void add(std::span<const std::byte> bytes) {
    constexpr std::uint64_t prime = 0x100000001b3U;
    for (const std::byte byte : bytes) all = (all ^ std::to_integer<std::uint64_t>(byte)) * prime;
  }
  static std::uint64_t head_of(std::span<const std::byte> bytes) {
    std::uint64_t head = 0;
    std::memcpy(&head, bytes.data(), std::min(bytes.size(), sizeof head));
    return head;
  }
};

// The bytes of a file, of which one piece is in memory. What is read in one go is followed by more of the same block.
class PieceOfFile {
 public:
  explicit PieceOfFile(mpi::File& file, std::int64_t piece = piece_byte)
      : file_(&file), piece_(static_cast<std::size_t>(piece)) {}
  // `bytes` of them, at most a piece, from `at` on; untouched ones behind the end of the file.
  std::span<const std::byte> bytes(std::int64_t at, std::int64_t bytes) {
    const auto length = static_cast<std::int64_t>(piece_.size());
    if (first_ < 0 || at < first_ || at + bytes > first_ + length) {
      std::ranges::fill(piece_, untouched);
      static_cast<void>(file_->read_at(at, piece_.data(), length));
      first_ = at;
    }
    return std::span(piece_).subspan(static_cast<std::size_t>(at - first_), static_cast<std::size_t>(bytes));
  }

 private:
  mpi::File* file_;
  std::vector<std::byte> piece_;
  std::int64_t first_ = -1;
};

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
    repeat(run, *file, [&](std::uint64_t i) {
      if (i > 0) took(i - 1);
      std::ranges::fill(data(), untouched);
    });
    took(repetitions_ - 1);
    agree_on([&] { file->close(); });
    if (free_order()) compare_gathered();
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
    // Other handles see what was written once the file is closed: no check waits for the disk.
    const int last = file.look_at_last_transfer();
    agree_on([&] { mpi::check(code == MPI_SUCCESS ? last : code, "checked operation"); });
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
  void took(std::uint64_t repetition) {
    if (free_order()) {
      auto& digest = digests_.emplace_back();
      digest.head = BlockDigest::head_of(data());
      digest.add(data());
      return;
    }
    const auto start =
        static_cast<std::int64_t>(repetition) * step_ + (point_.action.own_file() ? 0 : own_.start);
    for_pieces(own_.bytes, [&](std::int64_t at, std::span<std::byte> wanted) {
      fill_elements(0, start + at, wanted);
      compare(data().subspan(static_cast<std::size_t>(at), wanted.size()), wanted, repetition, at);
      return true;
    });
  }

  void compare_written(const std::filesystem::path& path) {
    mpi::File file(mpi::Communicator::self(), path.string(), MPI_MODE_RDONLY, point_.hints);
    if (first_of_file()) compare_length(file);
    if (free_order()) {
      if (point_.rank() == 0) compare_stream(file);
    } else {
      // The writer is another process where there is one: what it wrote must be seen here.
      compare_blocks(file,
                     point_.action.own_file() ? point_.rank() : (point_.rank() + 1) % point_.processes());
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

  void compare_blocks(mpi::File& file, int writer) {
    const auto part = portion(point_.action, point_.size, point_.processes(), writer);
    PieceOfFile found(file, std::min(piece_byte, part.bytes));
    for (std::uint64_t i = 0; i < repetitions_; ++i) {
      const auto start = static_cast<std::int64_t>(i) * step_ + (point_.action.own_file() ? 0 : part.start);
      for_pieces(part.bytes, [&](std::int64_t at, std::span<std::byte> wanted) {
        fill_bytes(writer, i, at, wanted);
        compare(found.bytes(start + at, static_cast<std::int64_t>(wanted.size())), wanted, i, at);
        return true;
      });
    }
  }

  // Calls act(at, room) for the pieces of so many bytes, with room for one; ends where one answers false. The
  // first one is short: it tells most blocks from others.
  template <class Act>
  bool for_pieces(std::int64_t bytes, Act act) {
    constexpr std::int64_t short_byte = 64;
    room_.resize(static_cast<std::size_t>(std::min(bytes, piece_byte)));
    for (std::int64_t at = 0, some = short_byte; at < bytes; at += some, some = piece_byte) {
      some = std::min(some, bytes - at);
      if (!act(at, std::span(room_).first(static_cast<std::size_t>(some)))) return false;
    }
    return true;
  }

  [[nodiscard]] std::int64_t portion_of(std::size_t rank) const {
    return portion(point_.action, point_.size, point_.processes(), static_cast<int>(rank)).bytes;
  }

  void compare_stream(mpi::File& file) {
    PieceOfFile found(file);
    judge([&](std::int64_t position, std::size_t rank, std::size_t number) {
      const auto bytes = portion_of(rank);
      const bool there = for_pieces(bytes, [&](std::int64_t at, std::span<std::byte> wanted) {
        fill_bytes(static_cast<int>(rank), number, at, wanted);
        return std::ranges::equal(found.bytes(position + at, static_cast<std::int64_t>(wanted.size())),
                                  wanted);
      });
      return there ? bytes : 0;
    });
  }

  // Judges, on rank 0 of the group, the blocks that all ranks together have read: its file begins with them.
  void compare_gathered() {
    std::vector<BlockDigest> all;
    agree_on([&] {
      if (point_.rank() == 0) all.resize(digests_.size() * static_cast<std::size_t>(point_.processes()));
    });
    const int bytes = mpi::to_int(static_cast<std::int64_t>(digests_.size() * sizeof(BlockDigest)));
    mpi::check(MPI_Gather(digests_.data(), bytes, MPI_BYTE, all.data(), bytes, MPI_BYTE, 0,
                          point_.team->group.get()),
               "MPI_Gather");
    if (point_.rank() != 0) return;
    judge([&](std::int64_t position, std::size_t rank, std::size_t number) {
      const auto bytes = portion_of(rank);
      const auto& found = all[rank * digests_.size() + number];
      BlockDigest wanted;
      const bool alike = for_pieces(bytes, [&](std::int64_t at, std::span<std::byte> piece) {
        fill_elements(0, position + at, piece);
        wanted.add(piece);
        return at > 0 || BlockDigest::head_of(piece) == found.head;
      });
      return alike && wanted.all == found.all ? bytes : 0;
    });
  }

  // The file, or what was read of it, must be made of the blocks that all ranks have moved.
  void judge(const LengthAt& length) {
    const std::vector<std::size_t> counts(static_cast<std::size_t>(point_.processes()),
                                          static_cast<std::size_t>(repetitions_));
    const auto bytes = static_cast<std::int64_t>(repetitions_) * step_;
    const auto good = explained(bytes, counts, length);
    if (good < bytes)
      add(bytes - good,
          "byte " + std::to_string(good) + " of the file begins no block of any rank that is due");
  }

  FilePoint point_;
  Portion own_;
  std::int64_t step_;
  std::uint64_t repetitions_ = 1;
  std::vector<BlockDigest> digests_;  // of what was read in free order, by repetition
  std::vector<std::byte> room_;
  CheckResult result_;
};

}  // namespace

// Depth first: a block that could be of two ranks is tried as both.
std::int64_t explained(std::int64_t bytes, std::span<const std::size_t> counts, const LengthAt& length_at) {
  struct Choice {
    std::size_t rank;
    std::int64_t length;
  };
  std::vector<std::size_t> used(counts.size(), 0);
  std::vector<Choice> chosen;
  std::set<std::vector<std::size_t>> dead;
  std::int64_t position = 0, best = 0;
  std::size_t next = 0;
  const auto begins = [&](std::size_t rank) {
    if (used[rank] == counts[rank]) return std::int64_t{0};
    const auto length = length_at(position, rank, used[rank]);
    return length <= bytes - position ? length : std::int64_t{0};
  };
  while (position < bytes) {
    std::int64_t length = 0;
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
      chosen.push_back({next - 1, length});
      position += length;
      best = std::max(best, position);
      next = 0;
      continue;
    }
    dead.insert(used);
    if (chosen.empty()) return best;
    const auto last = chosen.back();
    chosen.pop_back();
    --used[last.rank];
    position -= last.length;
    next = last.rank + 1;
  }
  return bytes;
}

measure::CheckResult check_file(const FilePoint& point, std::uint64_t repetitions, const Repetition& run,
                                const std::function<std::int64_t()>& guards) {
  Check check(point, std::max<std::uint64_t>(repetitions, 1));
  auto result = point.action.writes() ? check.writing(run) : check.reading(run);
  check.note_guards(guards());
  return result;
}

}  // namespace steelyard::imb
