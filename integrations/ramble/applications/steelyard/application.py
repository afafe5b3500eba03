# SPDX-License-Identifier: Apache-2.0
from ramble.appkit import *


class Steelyard(ExecutableApplication):
    """Weighs a parallel computer: message passing, one-sided communication, parallel I/O, memory and arithmetic."""

    name = "steelyard"

    tags("benchmark-app", "synthetic-benchmarks", "mpi", "network", "memory", "io")

    define_compiler("gcc", pkg_spec="gcc", package_manager="spack*")
    software_spec("openmpi", pkg_spec="openmpi", package_manager="spack*")
    software_spec("steelyard", pkg_spec="steelyard", compiler="gcc", package_manager="spack*")
    required_package("steelyard", package_manager="spack*")

    # Under the launcher of the experiment it measures with the processes that it is given. Ramble empties the files that it reads
    # before it executes an experiment again; a result that is empty is measured anew.
    executable(
        "measure",
        "steelyard run {select} --budget {budget} {additional_args} -o {experiment_run_dir}",
        use_mpi=True,
    )
    executable(
        "tabulate",
        "steelyard export {experiment_run_dir} --to csv --metrics primary",
        use_mpi=False,
        redirect="{experiment_run_dir}/points.csv",
    )

    workload("messages", executables=["measure", "tabulate"])
    workload("node", executables=["measure", "tabulate"])
    workload("network", executables=["measure", "tabulate"])
    workload("campaign", executables=["measure", "tabulate"])
    all_workloads = ["messages", "node", "network", "campaign"]

    workload_variable("select", default="imb-mpi1/PingPong imb-mpi1/Allreduce", description="what is measured", workloads=["messages"])
    workload_variable("select", default="hpcc", description="what is measured", workloads=["node"])
    workload_variable("select", default="b-eff", description="what is measured", workloads=["network"])
    workload_variable("select", default="", description="what is measured; nothing is everything", workloads=["campaign"])
    workload_variable("budget", default="2m", description="how long it measures", workloads=all_workloads)
    workload_variable("additional_args", default="", description="further words of steelyard run", workloads=all_workloads)

    # A row of the table is a point: ..., metric, unit, over_ranks, median, ten columns more, better, reason, flags, key, ...
    # Ramble fills in what stands in braces, in expressions too, so no count stands in them.
    point = r"^[^,]*,\d+,\d+,[^,]*,[^,]*,"
    row = (
        point + r"(?:ok|partial),.*,(?P<metric>[a-z_0-9]+),%s,[^,]*,(?P<median>[-+.0-9e]+),"
        + 10 * r"[^,]*,"
        + r"(?:lower|higher),[^,]*,(?P<flags>[^,]*),(?P<key>[^,]+),"
    )
    for unit in ("s", "byte/s", "flop/s", "update/s", "op/s"):
        figure_of_merit(
            "{key} {metric} in " + unit,  # a name is known once
            log_file="{experiment_run_dir}/points.csv",
            fom_regex=row % unit,
            group_name="median",
            units=unit,
        )

    # What stands for a whole run is a value of a summary, in the records.
    for whole in ("b_eff", "b_eff_io"):
        figure_of_merit(
            whole,
            log_file="{experiment_run_dir}/result.jsonl",
            fom_regex='.*"type":"summary".*"' + whole + '_byte_s":(?P<value>[-+.0-9e]+)',
            group_name="value",
            units="byte/s",
        )

    # A point was verified, none failed or has wrong data, and the run has an end.
    success_criteria("measured", mode="string", match=point + "(?:ok|partial),true,", file="{experiment_run_dir}/points.csv")
    success_criteria("sound", mode="string", anti_match=point + "(?:failed,|[a-z]+,false,)", file="{experiment_run_dir}/points.csv")
    success_criteria("ended", mode="string", match='.*"type":"end"', file="{experiment_run_dir}/result.jsonl")
