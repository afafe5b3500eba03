// SPDX-License-Identifier: Apache-2.0
#include "hpcc/job.hpp"

#include <algorithm>
#include <iostream>

#include "formats/hpcc/text.hpp"
#include "suites/hpcc/definition.hpp"

namespace steelyard::cli {
namespace {

constexpr std::string_view derived_hpcc_input = "hpccinf.auto.txt";

}  // namespace

HpccJob::HpccJob(const Invocation& invocation)
    : HpccFrontEndJob(invocation, HpccInput(invocation.values)),
      chosen_(hpcc_chosen(invocation.values)),
      output_(invocation.values.need("output")) {}

void HpccJob::arrive(const mpi::Communicator& world) {
  choose(world, "hpcc", std::ranges::any_of(chosen_, hpcc::computes_with_blas));
}

Prepared HpccJob::prepare(const Place& place) {
  Prepared prepared = prepare_hpcc(invocation_.values, input_, chosen_, rates_, with_blas(place));
  settings_ = prepared.settings<hpcc::Definition>(hpcc::suite_name);
  for (const auto& block : prepared.plan.blocks)
    points_[block.benchmark] += static_cast<int>(block.points.size());
  return prepared;
}

void HpccJob::add_texts(Destinations& to) {
  open(output_, invocation_.values.on("truncate") ? std::ios::trunc : std::ios::app);
  if (input_.is_derived()) write_input(std::filesystem::path(output_).parent_path() / derived_hpcc_input);
  for (const auto& note : input_.notes()) std::cerr << "steelyard: input: " << note << std::endl;
  add_text(formats::hpcc_text(out_, {points_, unix_now}), to);
}

void HpccJob::finished(const campaign::RunResult& result, const Destinations&) {
  if (!out_.flush()) refuse(output_);
  if (!invocation_.values.on("quiet"))
    std::cout << "results  " << output_ << "  (Success=" << (success() ? 1 : 0) << ")" << std::endl;
  end_by_success(result);
}

}  // namespace steelyard::cli
