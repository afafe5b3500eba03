// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "survey/probe_clock.hpp"
#include "survey/survey.hpp"

/// The probes of a survey, a source each. All are collective over the world of the clock and leave out what
/// finds no time. They throw mpi::Error.
namespace steelyard::survey {

/// Products, triad, random updates and transforms, of all processes at once and of one alone; random updates
/// over all processes.
void probe_kernels(const ProbeClock& clock, const Wishes& wishes, Surveyed& surveyed);
/// Panels of the linear solver.
void probe_solver(const ProbeClock& clock, const Wishes& wishes, Surveyed& surveyed);
/// Short and long messages near and far, barriers.
void probe_messages(const ProbeClock& clock, Surveyed& surveyed);
void probe_one_sided(const ProbeClock& clock, Surveyed& surveyed);
/// Transforms of rows that lie on all processes.
void probe_rows(const ProbeClock& clock, Surveyed& surveyed);
/// Calls, transfers and synchronisation of a file of each process.
void probe_files(const ProbeClock& clock, const Wishes& wishes, Surveyed& surveyed);

}  // namespace steelyard::survey
