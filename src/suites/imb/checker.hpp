// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "measure/workload.hpp"
#include "suites/imb/sides.hpp"

/// Results checking of all message passing benchmarks (IMB 3.1 User's Guide, 7.2, made exact). A benchmark
/// says as data what arrives; the rest is here.
namespace steelyard::imb {

// Parts that all checks of received data use.

/// Bytes on either side of an area that a check may write.
inline constexpr std::int64_t guard_byte = 64;

/// Bytes on either side of an area, which are restored when the check ends.
class Surroundings {
 public:
  explicit Surroundings(const Area& area);
  Surroundings(const Surroundings&) = delete;
  Surroundings& operator=(const Surroundings&) = delete;
  ~Surroundings();

 private:
  std::byte* before_;
  std::byte* after_;
  std::array<std::byte, 2 * guard_byte> kept_{};
};

struct Difference {
  std::string_view side;
  std::int64_t at = 0;
  std::byte found{}, expected{};
  double size = 1;
};

/// Counter of the differences of one repetition, which tells the first one.
class Findings {
 public:
  Findings(int rank, std::uint64_t repetition, measure::CheckResult& result)
      : rank_(rank), repetition_(repetition), result_(result) {}
  void add(const Difference& difference);

 private:
  int rank_;
  std::uint64_t repetition_;
  measure::CheckResult& result_;
};

/// Message bytes that arrive from one rank. Offsets count message bytes, without the gaps of doubled extents.
struct Segment {
  std::int64_t at = 0;  // in this rank's receive area
  std::int64_t bytes = 0;
  int source = 0;
  std::int64_t from = 0;  // in the source's send area
};

/// Message bytes that hold the sum over ranks of the elements at `from` in the ranks' send areas.
struct SumSegment {
  std::int64_t at = 0;
  std::int64_t bytes = 0;
  std::int64_t from = 0;
  int first_rank = 0;
  int ranks = 0;
  bool accumulates = false;  // the receive area holds the last rank's summand before
};

/// Data that one rank receives in one repetition; segments ascend by `at`.
struct Arrival {
  std::vector<Segment> segments = {};
  std::optional<SumSegment> sum = {};
  std::vector<Segment> aside = {};  // receives of the operation into a place that it uses twice
};

/// Operation that is checked.
class Subject {
 public:
  virtual int run(std::uint64_t i) = 0;
  [[nodiscard]] virtual Arrival arrival(std::uint64_t i) = 0;
  /// Memory bytes of a place of its own for receives that would be overwritten in the same repetition.
  [[nodiscard]] virtual std::int64_t aside_byte() const { return 0; }
  /// Directs those receives to `place`; nullptr: back.
  virtual void set_aside(std::byte* place) { static_cast<void>(place); }

 protected:
  ~Subject() = default;
};

/// Operation that is checked, by two functions of a repetition.
template <class Run, class Arrive>
class SubjectOf final : public Subject {
 public:
  SubjectOf(Run run, Arrive arrive) : run_(std::move(run)), arrive_(std::move(arrive)) {}
  int run(std::uint64_t i) override { return run_(i); }
  Arrival arrival(std::uint64_t i) override { return arrive_(i); }

 private:
  Run run_;
  Arrive arrive_;
};

struct CheckedSides {
  Area send, receive;
  DataType type = DataType::byte;
  bool reduction = false;
  std::int64_t stride = 1;                    // memory bytes per message byte
  std::optional<SideLayout> send_slots = {};  // of the initial contents, where they are not those of `send`
  std::int64_t send_period = 0;               // message bytes after which the sent data repeat; 0 = never
  std::uint64_t first_repetition = 0;         // by whose number the data begin
};

/// Check of one point on one rank. All ranks of the group check at the same time.
class Checker {
 public:
  Checker(CheckedSides sides, int rank, int processes) : sides_(sides), rank_(rank), processes_(processes) {}

  /// Runs and checks `repetitions` operations on areas of which 64 bytes on either side may be
  /// written. Afterwards the areas hold their initial contents, the bytes around them what they held.
  /// Throws mpi::Error.
  [[nodiscard]] measure::CheckResult check(std::uint64_t repetitions, Subject& subject) const;

  static constexpr std::int64_t guard = guard_byte;

 private:
  CheckedSides sides_;
  int rank_;
  int processes_;
};

}  // namespace steelyard::imb
