// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "machine/pages.hpp"
#include "measure/workload.hpp"
#include "mpi/communicator.hpp"
#include "suites/hpcc/form.hpp"
#include "suites/hpcc/foundation/named_buffer.hpp"
#include "suites/hpcc/foundation/node_memory.hpp"
#include "suites/hpcc/random_access/update_stream.hpp"

namespace steelyard::hpcc {

/// Part of one process in the updates: its words of the distributed table, and what it has to do.
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

/// Exchange in which all processes execute the updates together. Every process must call run() with a task of
/// the same table; it returns the first MPI error code. algorithm() is the code of the Summary's key
/// MPIRandomAccess_Algorithm.
class UpdateExchange {
 public:
  virtual ~UpdateExchange() = default;
  virtual int run(const UpdateTask& task) noexcept = 0;
  [[nodiscard]] virtual int algorithm() const = 0;
  [[nodiscard]] virtual LookAhead look_ahead() const = 0;
};

/// Algorithm 3: batches of at most batch_size values travel while the ones before are applied; strictly
/// within the rule. With more processes than `partners` + 1, every step serves that many of them in turn.
[[nodiscard]] std::unique_ptr<UpdateExchange> batched_exchange(const mpi::Communicator& comm,
                                                               Generator generator, int partners = 64);
/// The batched exchange through shared memory. Collective; nullptr on all ranks unless all processes share
/// one node and are 2 to most_direct_processes.
[[nodiscard]] std::unique_ptr<UpdateExchange> shared_exchange(const mpi::Communicator& comm,
                                                              Generator generator);
/// Algorithm 3 for many processes: values travel in as many rounds as the number of processes has bits, every
/// process exchanging one message with one other in each. From 2 processes on.
[[nodiscard]] std::unique_ptr<UpdateExchange> routed_exchange(const mpi::Communicator& comm,
                                                              Generator generator);
/// Algorithm 0, the reference's: buckets per destination, of which the fullest is sent when 1024 values wait.
[[nodiscard]] std::unique_ptr<UpdateExchange> bucket_exchange(const mpi::Communicator& comm,
                                                              Generator generator);

/// Path of a value to its owner in messages: at once, or in rounds from process to process.
enum class MessageRoute { direct, routed };

/// RandomAccess over all processes of a communicator: 4 2^bits updates of a table of 2^bits words in parts.
/// Every call is collective. What tries something before the first run leaves a used table: limit() makes it fresh once,
/// after all of them.
class DistributedUpdates {
 public:
  using Word = std::uint64_t;

  /// Sets T[i] = i. Throws measure::SharedFailure on all processes if one has not enough memory,
  /// std::invalid_argument for fewer words than processes.
  DistributedUpdates(const mpi::Communicator& comm, Generator generator, int bits, Form form);
  /// Chooses the way of the values: in messages, unless the optimized form finds shared memory faster or
  /// `way` says so; among many processes their route, too. Leaves a used table. Throws mpi::Error.
  void prepare(std::optional<Way> way = {});
  /// Of the optimized form: sends values in messages by the faster of both routes, which a part of the updates
  /// tells, or by the one that is wished. Leaves a used table. Throws mpi::Error.
  void choose_route(std::optional<MessageRoute> route = {});

  int run() noexcept;

  /// Limits the updates of every process from now on, as a time bound may ask. The table is made fresh.
  void limit(std::int64_t updates_per_process);
  /// Updates that fit into a bound, from a sample of 1 % of them; the same on all processes. Leaves a used table.
  [[nodiscard]] std::int64_t updates_within(double bound_s);

  /// Rate of updates of half of the table over that of all of it, by a part of the updates
  /// (size_trial.hpp); `now` tells seconds. Before the first run; the same on all processes. Leaves a used
  /// table. Throws mpi::Error.
  [[nodiscard]] double speed_of_half(const std::function<double()>& now);

  /// Delivers the updates of a run once more, by blocking collectives; this counts as
  /// no run. Throws mpi::Error.
  void undo();

  /// Compares the fingerprints of the table and of its updates, after one more run where their number is even; where they
  /// differ, undoes the updates and counts words that differ from their index: `errors` on this process, `worst`: their
  /// share of its part. More runs and checks may follow: a table that holds what it should is left as it is, another
  /// one is made fresh. Throws mpi::Error.
  [[nodiscard]] measure::CheckResult verify();

  /// Updates that all processes together execute in one run.
  [[nodiscard]] std::int64_t updates() const { return all_updates_; }
  [[nodiscard]] const TableParts& parts() const { return task_.parts; }
  [[nodiscard]] std::span<Word> table() const { return table_.span(); }
  [[nodiscard]] const UpdateExchange& exchange() const { return *exchange_; }
  [[nodiscard]] Way way() const { return exchange_ == shared_.get() ? Way::shared_memory : Way::messages; }
  /// "messages", "routed messages" or "shared memory".
  [[nodiscard]] std::string way_told() const;
  [[nodiscard]] MessageRoute route() const { return route_; }
  [[nodiscard]] std::vector<NamedBuffer> buffers() const { return {{"table", table_.memory()}}; }

 private:
  void reset();
  /// Sets the updates of every process; leaves the table as it is.
  void take(std::int64_t updates_per_process);
  void take_all() { take(4 * task_.parts.words()); }
  /// Whether the whole table holds what one run makes of a fresh one.
  [[nodiscard]] bool has_the_fingerprint_of_a_run() const;
  [[nodiscard]] measure::CheckResult count_wrong_words();
  /// Runs the task as it is; returns the seconds of the slowest process. Throws mpi::Error.
  [[nodiscard]] double timed_run(const std::function<double()>& now);
  /// A hundredth of this process's updates.
  [[nodiscard]] std::int64_t sample() const;
  /// Collective; throws measure::SharedFailure where one process lacks the memory of its exchange.
  void send_by(const std::function<std::unique_ptr<UpdateExchange>()>& make);
  void send_by(MessageRoute route);
  void use(Way way) { exchange_ = way == Way::messages ? messages_.get() : shared_.get(); }

  mpi::Communicator comm_;
  Generator generator_;
  Form form_;
  UpdateTask task_;
  machine::HugeArray<Word> table_;
  std::unique_ptr<UpdateExchange> messages_, shared_;
  MessageRoute route_ = MessageRoute::direct;  // of the messages
  UpdateExchange* exchange_;
  std::int64_t all_updates_ = 0;
  int runs_ = 0;
};

}  // namespace steelyard::hpcc
