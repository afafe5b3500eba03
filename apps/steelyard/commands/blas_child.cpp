// SPDX-License-Identifier: Apache-2.0
#include "commands/commands.hpp"
#include "suites/hpcc/blas/child.hpp"
#include "words/resolve.hpp"

namespace steelyard::cli {
namespace {

int run_blas_child(const Invocation& invocation) {
  return hpcc::answer_as_child(invocation.values.list("words"));
}

constexpr int blas_child_codes[] = {0, 1, 2};

}  // namespace

constinit const Command blas_child_command{
    .name = "blas-child",
    .section = "This machine",
    .summary = "the child that tries a BLAS which nobody has seen work",
    .description = "Answers what is installed, or how fast a library multiplies, on standard output.",
    .positional = {"WORDS", Kind::text, Repeat::many, "what is asked"},
    .exit_codes = blas_child_codes,
    .visibility = Visibility::hidden,
    .run = run_blas_child};

}  // namespace steelyard::cli
