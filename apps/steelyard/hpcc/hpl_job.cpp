// SPDX-License-Identifier: Apache-2.0
#include "hpcc/hpl_job.hpp"

#include <iostream>

#include "formats/hpcc/text.hpp"
#include "hpcc/job.hpp"
#include "suites/hpcc/definition.hpp"

namespace steelyard::cli {
namespace {

constexpr std::string_view hpl_input = "HPL.dat", derived_hpl_input = "HPL.auto.dat";

}  // namespace

HplJob::HplJob(const Invocation& invocation)
    : HpccFrontEndJob(invocation, HpccInput(invocation.values, hpl_input)) {}

void HplJob::arrive(const mpi::Communicator& world) {
  choose(world, "hpl", true);
}

Prepared HplJob::prepare(const Place& place) {
  Prepared prepared = prepare_hpl(invocation_.values, input_, rates_, with_blas(place));
  settings_ = prepared.settings<hpcc::Definition>(hpcc::suite_name);
  return prepared;
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
  open(name, std::ios::trunc);
  return out_;
}

void HplJob::add_texts(Destinations& to) {
  auto& out = opened();
  if (input_.is_derived()) write_input(derived_hpl_input);
  add_text(formats::hpl_text(out, formats::HplVersion::v23, unix_now), to);
}

void HplJob::finished(const campaign::RunResult& result, const Destinations&) {
  if (out_.is_open() && !out_.flush()) refuse(file());
  end_by_success(result);
}

}  // namespace steelyard::cli
