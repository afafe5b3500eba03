// SPDX-License-Identifier: Apache-2.0
#include "beff_sources.hpp"

#include "record/json.hpp"

namespace steelyard::formats {

BeffFiles files_of(const record::RunRecord& head, const std::vector<record::PointRecord>& points,
                   const BeffFilesOptions& options) {
  const analysis::BeffRun run(points);
  return beff_files(head, run, analysis::beff_frame(head), 100.0, options);
}

BeffFiles files_of(const analysis::BeffExperiment& experiment, const BeffFilesOptions& options) {
  return files_of(beff_run_record(experiment), beff_points(experiment), options);
}

record::RunRecord hostile(record::RunRecord head) {
  head.machine = record::Json{{"uname",
                               {{"sysname", "Li_nux#&%$"},
                                {"nodename", "{node}~^\\end{document}"},
                                {"release", "6.1\n\\input{x} -- ?`!` <<a|b>> \"q\" `''"},
                                {"version", "#1 SMP PREEMPT_DYNAMIC [*] \t\x01 caf\xc3\xa9 \xff"},
                                {"machine", "x86_64"}}}};
  head.mpi = record::Json{{"library", "Open MPI v4.1.4, package: Debian #_&%"}};
  head.layout = record::Json{{"hosts", {"n_1#", "n2"}}, {"ranks", {{0, 4}, {1, 4}}}};
  return head;
}

}  // namespace steelyard::formats
