// SPDX-License-Identifier: Apache-2.0
#include "hpcc/job.hpp"

#include <cerrno>
#include <chrono>
#include <iostream>
#include <system_error>

#include "measuring/compute_threads.hpp"
#include "errors.hpp"
#include "formats/hpcc/text.hpp"
#include "measuring/front_end.hpp"
#include "hpcc/verdict.hpp"
#include "suites/hpcc/input/file.hpp"

namespace steelyard::cli {
namespace {

constexpr std::string_view derived_input = "hpccinf.auto.txt";

std::int64_t unix_now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

[[noreturn]] void refuse(const std::filesystem::path& file) {
  throw Refused("cannot write '" + file.string() + "': " + std::generic_category().message(errno));
}

}  // namespace

HpccJob::HpccJob(const Invocation& invocation)
    : invocation_(invocation),
      input_(invocation.values),
      chosen_(hpcc_chosen(invocation.values)),
      output_(invocation.values.need("output")) {
  check_threads(invocation.values);
}

mpi::ThreadLevel HpccJob::threads() const {
  return compute_threads(invocation_.values) > 1 ? mpi::ThreadLevel::funneled : mpi::ThreadLevel::single;
}

void HpccJob::arrive(const mpi::Communicator& world) {
  rates_ = tried_blocks(invocation_.values, input_, world);
}

Prepared HpccJob::prepare(const Place& place) {
  Prepared prepared = prepare_hpcc(invocation_.values, input_, chosen_, rates_, place);
  settings_ = prepared.suites.hpcc;
  for (const auto& block : prepared.plan.blocks)
    points_[block.benchmark] += static_cast<int>(block.points.size());
  return prepared;
}

campaign::RunOptions HpccJob::options(const Prepared& prepared) {
  campaign::RunOptions options = front_end_run(invocation_.values);
  options.seed = prepared.options.seed;
  return options;
}

void HpccJob::open_output() {
  const auto mode = invocation_.values.on("truncate") ? std::ios::trunc : std::ios::app;
  errno = 0;
  out_.open(output_, std::ios::binary | std::ios::out | mode);
  if (!out_) refuse(output_);
}

void HpccJob::write_derived_input() const {
  const auto file = std::filesystem::path(output_).parent_path() / derived_input;
  errno = 0;
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << hpcc::write_input(settings_);
  if (!out.flush()) refuse(file);
}

Destinations HpccJob::destinations(const std::optional<campaign::ResumeState>&,
                                   campaign::RunOptions& options) {
  Destinations to = front_end_destinations(invocation_.values, options);
  open_output();
  if (input_.is_derived()) write_derived_input();
  for (const auto& note : input_.notes()) std::cerr << "steelyard: input: " << note << std::endl;
  to.texts.push_back(formats::hpcc_text(out_, {points_, unix_now}));
  auto verdict = std::make_unique<Verdict>();
  success_ = &verdict->success();
  to.texts.push_back(std::move(verdict));
  return to;
}

void HpccJob::finished(const campaign::RunResult& result, const Destinations&) {
  if (!out_.flush())
    throw Refused("cannot write '" + output_ + "': " + std::generic_category().message(errno));
  const bool success = success_->value_or(false);
  if (!invocation_.values.on("quiet"))
    std::cout << "results  " << output_ << "  (Success=" << (success ? 1 : 0) << ")" << std::endl;
  const bool ran = result.exit_code == exit_code::done || result.exit_code == exit_code::refused;
  if (!success && ran) throw Ended(exit_code::point_failed);
}

}  // namespace steelyard::cli
