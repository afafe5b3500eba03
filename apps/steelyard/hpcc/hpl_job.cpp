// SPDX-License-Identifier: Apache-2.0
#include "hpcc/hpl_job.hpp"

#include <cerrno>
#include <chrono>
#include <iostream>
#include <system_error>

#include "measuring/compute_threads.hpp"
#include "errors.hpp"
#include "formats/hpcc/text.hpp"
#include "measuring/front_end.hpp"
#include "hpcc/job.hpp"
#include "hpcc/verdict.hpp"

namespace steelyard::cli {
namespace {

constexpr std::string_view input_file = "HPL.dat", derived_input = "HPL.auto.dat";

std::int64_t unix_now() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

[[noreturn]] void refuse(const std::string& file) {
  throw Refused("cannot write '" + file + "': " + std::generic_category().message(errno));
}

void write_input_file(const hpcc::Settings& settings) {
  const std::string file(derived_input);
  errno = 0;
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << hpcc::write_input(settings);
  if (!out.flush()) refuse(file);
}

}  // namespace

HplJob::HplJob(const Invocation& invocation)
    : invocation_(invocation), input_(invocation.values, input_file) {
  check_threads(invocation.values);
}

mpi::ThreadLevel HplJob::threads() const {
  return compute_threads(invocation_.values) > 1 ? mpi::ThreadLevel::funneled : mpi::ThreadLevel::single;
}

void HplJob::arrive(const mpi::Communicator& world) {
  rates_ = tried_blocks(invocation_.values, input_, world);
}

Prepared HplJob::prepare(const Place& place) {
  Prepared prepared = prepare_hpl(invocation_.values, input_, rates_, place);
  settings_ = prepared.suites.hpcc;
  return prepared;
}

campaign::RunOptions HplJob::options(const Prepared& prepared) {
  campaign::RunOptions options = front_end_run(invocation_.values);
  options.seed = prepared.options.seed;
  return options;
}

/// Empty: a stream of the process.
std::string HplJob::file() const {
  if (const auto said = invocation_.values.word("output")) return *said;
  const auto device = input_.device();
  const bool stream =
      device.number == hpcc::InputFile::standard_output || device.number == hpcc::InputFile::standard_error;
  return stream ? "" : device.file;
}

std::ostream& HplJob::opened() {
  const auto name = file();
  if (name.empty()) return input_.device().number == hpcc::InputFile::standard_error ? std::cerr : std::cout;
  errno = 0;
  out_.open(name, std::ios::binary | std::ios::trunc);
  if (!out_) refuse(name);
  return out_;
}

Destinations HplJob::destinations(const std::optional<campaign::ResumeState>&,
                                  campaign::RunOptions& options) {
  Destinations to = front_end_destinations(invocation_.values, options);
  auto& out = opened();
  if (input_.is_derived()) write_input_file(settings_);
  to.texts.push_back(formats::hpl_text(out, formats::HplVersion::v23, unix_now));
  auto verdict = std::make_unique<Verdict>();
  success_ = &verdict->success();
  to.texts.push_back(std::move(verdict));
  return to;
}

void HplJob::finished(const campaign::RunResult& result, const Destinations&) {
  if (out_.is_open() && !out_.flush()) refuse(file());
  const bool success = success_->value_or(false);
  const bool ran = result.exit_code == exit_code::done || result.exit_code == exit_code::refused;
  if (!success && ran) throw Ended(exit_code::point_failed);
}

}  // namespace steelyard::cli
