// SPDX-License-Identifier: Apache-2.0
#include "suites/hpcc/hpl/shared_rows.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

#include "machine/pages.hpp"
#include "mpi/error.hpp"

namespace steelyard::hpcc::hpl {
namespace {

constexpr std::int64_t line = 8;  // doubles
constexpr std::int64_t value_byte = sizeof(double);

constexpr std::int64_t double_byte = sizeof(double), line_length = 8;  // doubles
constexpr int left_line = 0, finished_line = 1, product_line = 2, head_lines = 4;
constexpr int product_shift = 32;  // number of the product above the rows that are left
constexpr std::int64_t rows_mask = (std::int64_t{1} << product_shift) - 1;

/// A product as others find it: places instead of addresses, which differ from process to process.
struct Notice {
  std::int64_t panel, columns, depth, c, c_leading, l, l_leading, u, u_leading, of_u;
};
static_assert(sizeof(Notice) <= (head_lines - product_line) * line_length * double_byte);

std::int64_t matrix_length(const Shape& shape) {
  return shape.leading() * std::max<std::int64_t>(shape.local_rows(), 1) + shape.alignment;
}

bool lacks_huge_pages(const NodeMemory& memory) {
  constexpr std::int64_t some = 16 * machine::HugeMemory::huge_page;
  return memory.size() >= some && memory.in_huge_pages() < memory.size() / 2;
}

}  // namespace

// The part of every process: a line for its count of meetings, then two candidates. The first process has what is there
// once behind them.
ColumnMemory::ColumnMemory(const mpi::Communicator& column, const Shape& shape) : column_(&column) {
  if (column.size() == 1) return;
  const auto width = std::min(shape.nb, shape.n);
  candidate_length_ = panel_leading(line + 2 * width);
  rows_length_ = width * leading(shape.local_columns());
  const auto together = column.is_root() ? 3 * rows_length_ : 0;
  memory_ = NodeMemory(column, value_byte * (line + 2 * candidate_length_ + together));
  if (!memory_.whole()) memory_ = {};
  if (!available()) return;
  memory_.populate();
  std::fill_n(of(column.rank()), line + 2 * candidate_length_ + together, 0.0);
  memory_.publish();
}

std::uint64_t& ColumnMemory::count_of(int process_row) const {
  return *reinterpret_cast<std::uint64_t*>(memory_.of(process_row));
}

double* ColumnMemory::candidate(int process_row) const {
  return of(process_row) + line + candidates_ * candidate_length_;
}

double* ColumnMemory::rows_of_u() const {
  return of(0) + line + 2 * candidate_length_ + rows_ * rows_length_;
}

double* ColumnMemory::displaced_rows() const {
  return of(0) + line + 2 * candidate_length_ + 2 * rows_length_;
}

void ColumnMemory::meet(const std::function<void()>& between) {
  std::atomic_ref(count_of(column_->rank())).store(++meetings_, std::memory_order_release);
  for (int other = 0; other < column_->size(); ++other) {
    const std::atomic_ref count(count_of(other));
    look_until(
        *column_, [&] { return count.load(std::memory_order_acquire) >= meetings_; }, between);
  }
}

void look_until(const mpi::Communicator& comm, const std::function<bool()>& is_so,
                const std::function<void()>& between) {
  constexpr int looks_alone = 50;
  for (int looks = 0; !is_so(); ++looks) {
    if (looks < looks_alone) continue;
    // Somebody may be waiting for a message of this process, which moves only while it looks.
    int found = 0;
    mpi::check(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm.get(), &found, MPI_STATUS_IGNORE), "MPI_Iprobe");
    if (between) between();
    std::this_thread::yield();
  }
}

Product Product::part(std::int64_t first, std::int64_t count) const {
  auto some = *this;
  some.rows = count;
  some.c = c.at(first, 0);
  some.l = {l.data + first, l.leading};
  return some;
}

// The part of every process: a line each for the rows that are left and for those that are finished, two for the product;
// then the panels; then the matrix.
SharedRows::SharedRows(const mpi::Communicator& members, const Shape& shape, std::int64_t slots,
                       const double* common)
    : member_(members.rank()),
      members_(members.size()),
      panel_length_(panel_length(shape)),
      slots_(slots),
      common_(common) {
  if (members_ == 1) return;
  const auto before = head_lines * line_length + slots * panel_length_;
  memory_ = NodeMemory(members, double_byte * (before + matrix_length(shape)));
  if (!memory_.whole()) memory_ = {};
  if (!available()) return;
  memory_.populate();
  if (members.any(lacks_huge_pages(memory_))) memory_ = {};
  if (!available()) return;
  std::fill_n(of(member_), before, 0.0);
  const auto unit = static_cast<std::uintptr_t>(shape.alignment * double_byte);
  const auto address = reinterpret_cast<std::uintptr_t>(of(member_) + before);
  matrix_ = of(member_) + before + ((address + unit - 1) / unit * unit - address) / double_byte;
  memory_.publish();
}

std::int64_t& SharedRows::word(int member, int line) const {
  return *reinterpret_cast<std::int64_t*>(of(member) + line * line_length);
}

double* SharedRows::panel(std::int64_t k) const {
  return of(member_) + head_lines * line_length + k % slots_ * panel_length_;
}

void SharedRows::offer(const Product& product) {
  const double* const own = of(member_);
  const double* const base = common_ != nullptr ? common_ : own;
  reinterpret_cast<Notice&>(word(member_, product_line)) = {
      product.panel,     product.columns,
      product.depth,     product.c.data - own,
      product.c.leading, product.l.data - own,
      product.l.leading, product.u.data - base,
      product.u.leading, static_cast<std::int64_t>(product.of_u)};
  rows_ = product.rows;
  ++products_;
  std::atomic_ref(word(member_, finished_line)).store(0, std::memory_order_relaxed);
  std::atomic_ref(word(member_, left_line))
      .store((products_ << product_shift) + rows_, std::memory_order_release);
}

bool SharedRows::has_rows(int member) const {
  return (std::atomic_ref(word(member, left_line)).load(std::memory_order_relaxed) & rows_mask) > 0;
}

// Until rows that were taken are finished the product stays where it is.
std::optional<Product> SharedRows::take(int member, std::int64_t least, std::int64_t most) {
  const std::atomic_ref words(word(member, left_line));
  auto seen = words.load(std::memory_order_acquire);
  while (const auto left = seen & rows_mask) {
    const auto part = member == member_ ? left - left / 4 : left / 2;
    const auto count = std::min({std::max(part, least), most, left});
    if (!words.compare_exchange_weak(seen, seen - count, std::memory_order_acq_rel)) continue;
    const auto& notice = reinterpret_cast<const Notice&>(word(member, product_line));
    double* const theirs = of(member);
    const double* const base = common_ != nullptr ? common_ : theirs;
    const Product all{notice.panel,
                      left,
                      notice.columns,
                      notice.depth,
                      {theirs + notice.c, notice.c_leading},
                      {theirs + notice.l, notice.l_leading},
                      {base + notice.u, notice.u_leading},
                      static_cast<blas::Op>(notice.of_u)};
    return all.part(left - count, count);
  }
  return std::nullopt;
}

void SharedRows::finish(int member, std::int64_t rows) {
  std::atomic_ref(word(member, finished_line)).fetch_add(rows, std::memory_order_release);
}

bool SharedRows::finished() const {
  return std::atomic_ref(word(member_, finished_line)).load(std::memory_order_acquire) >= rows_;
}

}  // namespace steelyard::hpcc::hpl
