// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "measuring/prepared.hpp"
#include "record/document.hpp"

/// What a plan is made from besides words. The first session of a run finds it and keeps it in its run
/// record; later ones plan with the same, so that sizes, keys and points stay what they were.
namespace steelyard::cli {

/// Member plan.inputs of the run record.
[[nodiscard]] record::Document plan_inputs(const Values& values, const Place& place);

/// The place of the first session, with the processes of `here`; what the record does not hold is as here.
[[nodiscard]] Place place_planned_with(const record::Document& inputs, Place here);

/// Throws Refused if --sizes-of names a run that was planned with more memory than a process has here.
void refuse_sizes_beyond(const Place& here, const Place& planned, const Values& values);

/// Makes the budget that the first session was divided by that of this one, and its sizes' (first_budget,
/// without words if there was none): a later session's own was for that session.
void set_first_budget(const record::Document& inputs, Values& values);

}  // namespace steelyard::cli
