// SPDX-License-Identifier: Apache-2.0
#include "suites/ftio/stop_news.hpp"

#include <algorithm>

namespace steelyard::ftio {

void StopNews::begin(Course course) {
  course_ = course;
  step_ = 0;
  next_step_ = distance_ = looks_.first_steps;
  looked_s_ = now_s();
  sent_ = false;
  if (course == Course::apart && !team_->is_root()) send({});  // what comes in is process 0's
}

bool StopNews::leave() {
  if (known_) return true;
  if (++step_ >= next_step_) course_ == Course::together ? look_together() : look_apart();
  return known_;
}

void StopNews::settle() {
  if (course_ == Course::apart && !sent_) send({});
  take();
}

void StopNews::look_together() {
  if (sent_) {
    take();
    distance_ = news_.steps;
  }
  next_step_ = step_ + distance_;
  if (!known_) send({wanted(), next_distance()});
}

/// Steps to the look after the next, at the pace of the last ones, and at most twice as many as before.
std::int64_t StopNews::next_distance() {
  const double took_s = now_s() - looked_s_;
  looked_s_ += took_s;
  const double more = took_s > 0 ? std::min(looks_.apart_s / took_s, 2.0) : 2.0;
  return std::max<std::int64_t>(static_cast<std::int64_t>(static_cast<double>(distance_) * more), 1);
}

void StopNews::look_apart() {
  if (now_s() - looked_s_ < looks_.apart_s) return;
  looked_s_ = now_s();
  if (team_->is_root()) {
    if (wanted()) send({1, 0});
    known_ = sent_;
    return;
  }
  int arrived = 0;
  mpi::check(MPI_Test(&request_, &arrived, MPI_STATUS_IGNORE), "MPI_Test");
  known_ = arrived != 0 && news_.stop != 0;
}

void StopNews::send(const News& news) {
  news_ = news;
  sent_ = true;
  mpi::check(MPI_Ibcast(&news_, sizeof news_, MPI_BYTE, 0, team_->get(), &request_), "MPI_Ibcast");
}

void StopNews::take() {
  mpi::check(MPI_Wait(&request_, MPI_STATUS_IGNORE), "MPI_Wait");
  known_ = known_ || news_.stop != 0;
}

}  // namespace steelyard::ftio
