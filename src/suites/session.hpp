// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "measure/buffers.hpp"
#include "measure/engine.hpp"
#include "measure/failure.hpp"
#include "mpi/file.hpp"
#include "record/records.hpp"
#include "suites/suite.hpp"

/// The measuring half of a suite.
namespace steelyard::suites {

/// Schedule of one operation, which is all that a pass, or a run, consists of. `rule`: its name in records.
class OneOperation final : public measure::Schedule {
 public:
  explicit OneOperation(std::string_view rule) : rule_(rule) {}
  [[nodiscard]] measure::Decision next(const measure::History& history) const override {
    if (history.stop_requested) return measure::Stop{measure::StopReason::interrupted};
    if (history.visits > 0) return measure::Stop{measure::StopReason::count};
    return measure::Visit{.warmup = 0, .ops_per_batch = 1, .batches = 1};
  }
  [[nodiscard]] std::string_view rule() const override { return rule_; }

 private:
  std::string_view rule_;
};

/// A block while it is measured: owns the buffers of all its points.
class Session {
 public:
  virtual ~Session() = default;
  /// One task per point of the block that is not skipped, in order. Valid as long as the session.
  [[nodiscard]] virtual std::vector<measure::Task> tasks() = 0;
  /// Turns what was measured into metrics, classic values, check and flags of the record, or records
  /// (one per group under -multi 1). `point` indexes the block's plan. On rank 0 only.
  /// suite, benchmark, key, processes, groups, params are filled in by the caller from the plan.
  [[nodiscard]] virtual std::vector<record::PointRecord> records(std::size_t point,
                                                                 const measure::Outcome& outcome,
                                                                 record::PointRecord base) = 0;
  /// Advice against this failure of a point, put behind its reason; empty for most suites. On rank 0.
  [[nodiscard]] virtual std::string advice(const record::Reason&) const { return {}; }
  /// Tables of the block that were not written at once; most suites have none. On rank 0, when the block
  /// has been measured.
  [[nodiscard]] virtual std::vector<record::TableRecord> tables() const { return {}; }
  /// Warnings of the run, with codes of record::event_codes(). On rank 0, when the block has been measured.
  [[nodiscard]] virtual std::vector<measure::EngineNotice> notices() const { return {}; }
  /// Progress of the block while the engine measures it; nullopt if its points end one after
  /// the other. On rank 0.
  [[nodiscard]] virtual std::optional<BlockProgress> stage() const { return std::nullopt; }
};

/// Extent of the verification: the suite's own few operations of each point, one, or as many as the
/// suite's own rule runs.
enum class VerifyMode { suite, sample, all };
/// Number of repetitions to check: `planned` by the suite's rule, of which it usually checks `usual`.
[[nodiscard]] constexpr std::uint64_t repetitions_to_check(VerifyMode verify, std::uint64_t planned,
                                                           std::uint64_t usual) {
  if (verify == VerifyMode::sample) return 1;
  return verify == VerifyMode::all ? planned : usual;
}
enum class BufferKind { plain, mpi };

/// Choices of the user that hold for every campaign schedule, instead of the benchmark's own way.
struct HowToTime {
  std::optional<measure::Sync> sync;                           // --sync
  std::optional<measure::Timing> timing;                       // --timing
  std::int64_t buffer_align = 64;                              // --buffer-align
  measure::HugePages huge_pages = measure::HugePages::system;  // --huge-pages
  BufferKind buffer_kind = BufferKind::plain;                  // --buffer-kind; huge_pages is for plain ones
  VerifyMode verify = VerifyMode::suite;                       // --verify, where there is something to verify
};

/// Memory for the buffers of a session, by --buffer-kind and --huge-pages.
[[nodiscard]] inline measure::RawMemory buffer_memory(const HowToTime& how) {
  if (how.buffer_kind == BufferKind::mpi) return measure::mpi_memory();
  return measure::system_memory(how.huge_pages);
}

/// Applies the user's choices. A synchronisation stands between single operations: asking for one makes the
/// timing `each` unless said otherwise.
inline void apply(const HowToTime& how, measure::Traits& traits) {
  if (how.sync) {
    traits.sync = *how.sync;
    if (*how.sync != measure::Sync::none) traits.timing = measure::Timing::each;
  }
  if (how.timing) traits.timing = *how.timing;
}

/// Place for the files of benchmarks.
struct FilePlace {
  /// A scratch directory of this run that every process sees, the same on all ranks; empty if no block of
  /// the plan makes files.
  std::filesystem::path directory;
  mpi::Hints hints;  // of the user, for every file
  /// Claims a name before a file of that name is made (or one whose name begins so): what is not claimed is
  /// not removed at the end. Called on rank 0 of the world. May throw.
  std::function<void(const std::string& name)> claim;
};

/// Decisions of the campaign for all suites.
struct SessionContext {
  const measure::Team* team = nullptr;
  std::int64_t memory_byte = 0;  // per process, for all placements together
  measure::ClockFigures clock;
  const measure::Schedule* schedule = nullptr;  // nullptr: the suite's own rule
  HowToTime how = {};
  bool verify = true;
  measure::KeptMemory* kept = nullptr;  // of the blocks before, if any
  const FilePlace* files = nullptr;     // of a block that makes files
  std::function<bool()> stop = {};  // on rank 0: whether to end an operation that takes long before its end
  bool classic_only = false;        // a classic front-end: only what the original program does
  std::span<const record::PointRecord> earlier =
      {};  // on rank 0: points of earlier sessions of a resumed run
  /// Writes rows of a table at once, so that they outlive the processes. Called on rank 0 while the block is
  /// measured, outside of what is timed. May be empty.
  std::function<void(const record::TableRecord&)> table = {};
};

/// The same for a session that makes one arena: with the pages of the block before, if the
/// campaign keeps them.
[[nodiscard]] inline measure::RawMemory kept_memory(const SessionContext& context) {
  const bool keeps = context.kept != nullptr && context.how.buffer_kind == BufferKind::plain;
  return keeps ? context.kept->before(buffer_memory(context.how)) : buffer_memory(context.how);
}

/// Arena of a session, in as many placements as fit into a quarter of `budget_byte`. Where one process lacks
/// the memory none has an arena: the others would wait for it in the collective calls that follow. Collective
/// over the block's team. Throws measure::SharedFailure, std::invalid_argument.
[[nodiscard]] inline std::unique_ptr<measure::Arena> shared_arena(const SessionContext& context,
                                                                  measure::Arena::Need need,
                                                                  std::int64_t budget_byte,
                                                                  const measure::RawMemory& memory) {
  std::unique_ptr<measure::Arena> arena;
  measure::all_or_none(context.team->active, [&] {
    arena = std::make_unique<measure::Arena>(need, budget_byte, context.how.buffer_align, memory);
  });
  return arena;
}

/// Suite whose blocks are measured by sessions of one class. `Definition`: plans, and gives back its
/// settings; `BlockSession`: made from the settings, a block and the context.
template <class Definition, class BlockSession>
class Measurable final : public Definition {
 public:
  using Definition::Definition;
  [[nodiscard]] std::unique_ptr<Session> open(const BlockPlan& block,
                                              const SessionContext& context) const override {
    return std::make_unique<BlockSession>(this->settings(), block, context);
  }
};

}  // namespace steelyard::suites
