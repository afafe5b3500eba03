// SPDX-License-Identifier: Apache-2.0
#include "record/ahead.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "record/conversion.hpp"

namespace steelyard::record::detail {
namespace {

constexpr std::size_t full_byte = std::size_t{64} << 10, full_lines = 4096;
constexpr std::size_t batches_of_small_files = 4;  // for fewer a thread is not worth its start
constexpr unsigned most_threads = 3;               // more than these wait for the one that takes

void understand_line(Elements& elements, std::string_view line, Understood& to) {
  to.broken.clear();
  to.wrong.clear();
  try {
    read_line(line, elements, to.record);
  } catch (const BrokenLine& error) {
    to.broken = error.what();
  } catch (const ReadError& error) {
    to.wrong = error.what();
  }
}

}  // namespace

void Batch::clear() {
  text_.clear();
  count_ = 0;
  failure_ = nullptr;
}

Batch::Line& Batch::next_line() {
  if (count_ == lines_.size()) lines_.emplace_back();
  return lines_[count_++];
}

void Batch::add(std::string_view line, std::int64_t number) {
  Line& next = next_line();
  next.begin = text_.size(), next.size = line.size(), next.number = number, next.passed_over = false;
  text_ += line;
}

void Batch::pass_over() {
  next_line().passed_over = true;
}

bool Batch::is_full() const {
  return text_.size() >= full_byte || count_ >= full_lines;
}

void Batch::understand(Elements& elements, const TextMaker& maker) {
  try {
    for (Line& line : std::span(lines_).first(count_)) {
      if (line.passed_over) continue;
      understand_line(elements, std::string_view(text_).substr(line.begin, line.size), line.said);
      line.text.clear();
      if (maker && line.said.is_record()) maker(*line.said.record, line.text);
    }
  } catch (...) {
    failure_ = std::current_exception();
  }
}

std::span<Batch::Line> Batch::lines() {
  if (failure_) std::rethrow_exception(failure_);
  return std::span(lines_).first(count_);
}

Ahead::~Ahead() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  given_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

std::unique_ptr<Batch> Ahead::empty_batch() {
  if (used_.empty()) return std::make_unique<Batch>();
  auto batch = std::move(used_.back());
  used_.pop_back();
  batch->clear();
  return batch;
}

void Ahead::give(std::unique_ptr<Batch> batch) {
  if (++given_until_now_ == batches_of_small_files) start_threads();
  {
    const std::lock_guard lock(mutex_);
    batches_.push_back({std::move(batch)});
  }
  given_.notify_one();
}

Batch& Ahead::take() {
  if (taken_) used_.push_back(std::move(taken_));
  std::unique_lock lock(mutex_);
  while (batches_.front().state != State::done) {
    if (Entry* const next = begin_next())
      finish(*next, own_, lock);
    else
      done_.wait(lock);
  }
  taken_ = std::move(batches_.front().batch);
  batches_.pop_front();
  return *taken_;
}

void Ahead::start_threads() {
  const unsigned processors = std::thread::hardware_concurrency();
  const unsigned wanted = std::min(most_threads, std::max(processors, 1U) - 1);
  try {
    while (threads_.size() < wanted) threads_.emplace_back([this] { work(); });
  } catch (const std::system_error&) {  // as many as the system gives
  }
}

void Ahead::work() {
  Elements elements;
  std::unique_lock lock(mutex_);
  while (!ends_) {
    if (Entry* const next = begin_next())
      finish(*next, elements, lock);
    else
      given_.wait(lock);
  }
}

Ahead::Entry* Ahead::begin_next() {
  const auto next = std::ranges::find(batches_, State::waiting, &Entry::state);
  if (next == batches_.end()) return nullptr;
  next->state = State::begun;
  return &*next;
}

void Ahead::finish(Entry& entry, Elements& elements, std::unique_lock<std::mutex>& lock) {
  lock.unlock();
  entry.batch->understand(elements, maker_);
  lock.lock();
  entry.state = State::done;
  done_.notify_one();
}

}  // namespace steelyard::record::detail
