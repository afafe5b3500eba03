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

    # Under the launcher of the experiment it measures with the processes that it is given.
    executable(
        "measure",
        "steelyard run {select} --budget {budget} {additional_args} -o {experiment_run_dir}/results",
        use_mpi=True,
    )
    executable(
        "tabulate",
        "steelyard export {experiment_run_dir}/results --to csv --metrics primary",
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
    row = (
        r"^[^,]*,\d+,\d+,[^,]*,[^,]*,(?:ok|partial),.*,(?P<metric>[a-z_0-9]+),{unit},[^,]*,(?P<median>[-+.0-9e]+),"
        r"(?:[^,]*,){{10}}(?:lower|higher),[^,]*,(?P<flags>[^,]*),(?P<key>[^,]+),"
    )
    for unit in ("s", "byte/s", "flop/s", "update/s", "op/s"):
        figure_of_merit(
            "{key} {metric} in " + unit,  # a name is known once
            log_file="{experiment_run_dir}/points.csv",
            fom_regex=row.format(unit=unit),
            group_name="median",
            units=unit,
        )

    success_criteria("measured", mode="string", match=r"^[^,]*,\d+,\d+,[^,]*,[^,]*,ok,true,.*", file="{experiment_run_dir}/points.csv")
