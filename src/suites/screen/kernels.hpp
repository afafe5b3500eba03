// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>

#include "machine/pages.hpp"
#include "measure/workload.hpp"
#include "suites/screen/definition.hpp"

/// Work of one process for its node: the kernels of other suites behind one interface.
namespace steelyard::screen {

class NodeKernel {
 public:
  virtual ~NodeKernel() = default;
  /// Brings memory and clocks into the state that they will have. Not timed.
  virtual void warm() { run(); }
  virtual void run() = 0;
  /// Value of this process for a run of `seconds`, in the unit of the quantity.
  [[nodiscard]] virtual double value(double seconds) const = 0;
  /// Compares what all runs so far have left with what they must leave.
  [[nodiscard]] virtual measure::CheckResult verify() = 0;
};

/// Whether one process tells for its node, of a list or a disk; otherwise the rates of its
/// processes are summed.
[[nodiscard]] bool is_of_one_process(Test test);

/// Result of one run: its value, 0 for none, what its check has found, and what it threw.
struct Look {
  double value = 0;
  measure::CheckResult check;
  std::exception_ptr failure;
};
/// Times a run and checks what it has left. One that fails, or whose value is no number, has no value. Local.
[[nodiscard]] Look looked_at(NodeKernel& kernel) noexcept;

/// Makes the kernel of a test, but not of pairs. Throws std::bad_alloc, std::runtime_error without a BLAS,
/// std::filesystem::filesystem_error. Local.
[[nodiscard]] std::unique_ptr<NodeKernel> make_kernel(const TestSpec& spec, const Settings& settings);
using MakeKernel = std::function<std::unique_ptr<NodeKernel>(const TestSpec&, const Settings&)>;

/// List through memory in an order that no prefetcher guesses: element i is followed by a i + c modulo its
/// length, a permutation with a single cycle. The elements lie a line of a cache apart.
class ChasedList {
 public:
  /// `bytes`: a power of two. Throws std::bad_alloc.
  explicit ChasedList(std::int64_t bytes);
  /// Follows `links` links from where the last call ended.
  void follow(std::int64_t links) noexcept;
  /// Whether all calls together ended where that many links lead by arithmetic.
  [[nodiscard]] bool is_where_it_must_be() const noexcept;

 private:
  static constexpr std::uint64_t line_words = 8;
  [[nodiscard]] std::uint64_t next(std::uint64_t element) const noexcept;

  std::uint64_t elements_;
  machine::HugeArray<std::uint64_t> memory_;
  std::uint64_t at_ = 0, followed_ = 0;
};

}  // namespace steelyard::screen
