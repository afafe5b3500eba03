// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "machine/huge_memory.hpp"
#include "measure/workload.hpp"
#include "mpi/communicator.hpp"
#include "suites/hpcc/form.hpp"
#include "suites/hpcc/foundation/named_buffer.hpp"
#include "suites/hpcc/foundation/node_memory.hpp"
#include "suites/hpcc/random_access/update_stream.hpp"

namespace steelyard::hpcc {

/// Where one process's part of the distributed table lies, and what it has to do.
struct UpdateTask {
  std::uint64_t* table = nullptr;  // this process's words
  TableParts parts{0, 1};
  int rank = 0;
  std::int64_t updates = 0;  // of this process, from number 4 start(rank) + 1 of the sequence on
};

/// Most values that a process held at once, for the rule of 1024.
struct LookAhead {
  std::int64_t generated = 0;  // neither applied nor sent
  std::int64_t received = 0;   // not applied
};

/// Executes the updates together with the other processes; every process must call it with tasks of the same
/// table. Answers the first MPI error code. The algorithm's code number is that of the Summary's key
/// MPIRandomAccess_Algorithm.
class UpdateExchange {
 public:
  virtual ~UpdateExchange() = default;
  virtual int run(const UpdateTask& task) noexcept = 0;
  [[nodiscard]] virtual int algorithm() const = 0;
  [[nodiscard]] virtual LookAhead look_ahead() const = 0;
};

/// Code 3: batches of at most 512 values travel while the ones before are applied; strictly within the rule.
/// With more processes than `partners` + 1, every step serves that many of them in turn.
[[nodiscard]] std::unique_ptr<UpdateExchange> batched_exchange(const mpi::Communicator& comm,
                                                               Generator generator, int partners = 64);
/// The same through shared memory. Collective; nullptr on all ranks unless 2 to most_direct_processes
/// processes share one node.
[[nodiscard]] std::unique_ptr<UpdateExchange> shared_exchange(const mpi::Communicator& comm,
                                                              Generator generator);
/// Code 3 for many processes: values travel in as many rounds as the number of processes has bits, every
/// process exchanging one message with one other in each. From 2 processes on.
[[nodiscard]] std::unique_ptr<UpdateExchange> routed_exchange(const mpi::Communicator& comm,
                                                              Generator generator);
/// The one of both for this number of processes.
[[nodiscard]] std::unique_ptr<UpdateExchange> optimized_exchange(const mpi::Communicator& comm,
                                                                 Generator generator);
/// Code 0, the reference's: buckets per destination, the fullest is sent when 1024 values wait.
[[nodiscard]] std::unique_ptr<UpdateExchange> bucket_exchange(const mpi::Communicator& comm,
                                                              Generator generator);

/// RandomAccess over all processes of a communicator: 4 2^bits updates of a table of 2^bits words in parts.
/// Every call is collective.
class DistributedUpdates {
 public:
  using Word = std::uint64_t;

  /// T[i] = i. Throws measure::SharedFailure on all processes where one has not enough memory,
  /// std::invalid_argument for fewer words than processes.
  DistributedUpdates(const mpi::Communicator& comm, Generator generator, int bits, Form form);
  /// Values travel in messages, unless the optimized form finds shared memory faster or is told this way.
  /// Leaves the table fresh. Throws mpi::Error.
  void prepare(std::optional<Way> way = {});

  int run() noexcept;

  /// From now on every process executes at most this many of its updates, as a time bound may ask. The table
  /// is made fresh.
  void limit(std::int64_t updates_per_process);
  /// Updates that fit into a bound, from a sample of 1 % of them on a fresh table; the same on all processes.
  [[nodiscard]] std::int64_t updates_within(double bound_s);

  /// How many times as fast half of the table is updated as all of it, by a part of the updates (size_trial.hpp); `now`
  /// tells seconds. Before the first run; the same on all processes. Leaves the table fresh. Throws mpi::Error.
  [[nodiscard]] double speed_of_half(const std::function<double()>& now);

  /// Delivers the updates of a run once more, by blocking collectives; counts as none. Throws mpi::Error.
  void undo();

  /// Undoes the runs, of which it adds one where their number is even, and counts words that differ from their
  /// index: `errors` on this process, `worst`: their share of its part. Leaves the table fresh. Throws
  /// mpi::Error.
  [[nodiscard]] measure::CheckResult verify();

  /// Executed by all processes in one run.
  [[nodiscard]] std::int64_t updates() const { return all_updates_; }
  [[nodiscard]] const TableParts& parts() const { return task_.parts; }
  [[nodiscard]] std::span<Word> table() const { return table_.span(); }
  [[nodiscard]] const UpdateExchange& exchange() const { return *exchange_; }
  [[nodiscard]] Way way() const { return exchange_ == shared_.get() ? Way::shared_memory : Way::messages; }
  [[nodiscard]] std::vector<NamedBuffer> buffers() const { return {{"table", table_.memory()}}; }

 private:
  void reset();
  /// Runs the task as it is; seconds by the slowest process. Throws mpi::Error.
  [[nodiscard]] double timed_run(const std::function<double()>& now);
  /// 1 % of this process's updates.
  [[nodiscard]] std::int64_t sample() const;
  void use(Way way) { exchange_ = way == Way::messages ? messages_.get() : shared_.get(); }

  mpi::Communicator comm_;
  Generator generator_;
  Form form_;
  UpdateTask task_;
  machine::HugeArray<Word> table_;
  std::unique_ptr<UpdateExchange> messages_, shared_;
  UpdateExchange* exchange_;
  std::int64_t all_updates_ = 0;
  int runs_ = 0;
};

}  // namespace steelyard::hpcc
