// SPDX-License-Identifier: Apache-2.0
#include "hpcc/front_end_job.hpp"

#include <cerrno>
#include <chrono>
#include <system_error>
#include <utility>

#include "errors.hpp"
#include "hpcc/verdict.hpp"
#include "hpcc/words.hpp"
#include "measuring/chosen_blas.hpp"
#include "measuring/compute_threads.hpp"
#include "suites/hpcc/input/file.hpp"

namespace steelyard::cli {

HpccFrontEndJob::HpccFrontEndJob(const Invocation& invocation, HpccInput input)
    : FrontEndJob(invocation), input_(std::move(input)) {
  check_threads(invocation.values);
}

mpi::ThreadLevel HpccFrontEndJob::threads() const {
  return compute_threads(invocation_.values) > 1 ? mpi::ThreadLevel::funneled : mpi::ThreadLevel::single;
}

void HpccFrontEndJob::choose(const mpi::Communicator& world, const std::string& program,
                             bool computes_with_blas) {
  const Values& values = invocation_.values;
  if (computes_with_blas) {
    const auto wish = blas_wish(values, hpcc::BlasWish::Kind::as_linked);
    blas_ = chosen_blas(world, program, compute_threads(values), wish);
    tell_blas(world, values, *blas_);
  }
  rates_ = tried_blocks(values, input_, world, blas_);
}

Place HpccFrontEndJob::with_blas(const Place& place) const {
  Place here = place;
  here.blas = blas_;
  return here;
}

void HpccFrontEndJob::write_input(const std::filesystem::path& file) const {
  errno = 0;
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << hpcc::write_input(settings_);
  if (!out.flush()) refuse(file);
}

void HpccFrontEndJob::open(const std::filesystem::path& file, std::ios::openmode mode) {
  errno = 0;
  out_.open(file, std::ios::binary | std::ios::out | mode);
  if (!out_) refuse(file);
}

void HpccFrontEndJob::add_text(std::unique_ptr<formats::Writer> text, Destinations& to) {
  to.texts.push_back(std::move(text));
  auto verdict = std::make_unique<Verdict>();
  success_ = &verdict->success();
  to.texts.push_back(std::move(verdict));
}

void HpccFrontEndJob::end_by_success(const campaign::RunResult& result) const {
  const bool ran = result.exit_code == exit_code::done || result.exit_code == exit_code::refused;
  if (!success() && ran) throw Ended(exit_code::point_failed);
}

std::int64_t HpccFrontEndJob::unix_now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

void HpccFrontEndJob::refuse(const std::filesystem::path& file) {
  throw Refused("cannot write '" + file.string() + "': " + std::generic_category().message(errno));
}

}  // namespace steelyard::cli
