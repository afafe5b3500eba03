# SPDX-License-Identifier: Apache-2.0
"""steelyard for ReFrame 4: a base class, and the checks that most sites want.

A site names its partitions, environments and references in a class of its own:

    class Mine(SteelyardPingPong):
        valid_systems = ['cluster:cpu']
        valid_prog_environs = ['gnu']
        modules = ['steelyard']
        reference = {'cluster:cpu': {'imb_latency': (1.3e-6, None, 0.10, 's')}}

Verification decides whether a check is sane: a wrong byte, a failed point, a figure that was not measured or a result without an
end is none. Figures are in SI units, as in the records; what makes one doubtful stands in `doubts` of the check and in its result
file.
"""

import os
import sys

import reframe as rfm
import reframe.utility.sanity as sn
import reframe.utility.typecheck as typ

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'python'))

from steelyard_results import Results  # noqa: E402


class SteelyardBase(rfm.RunOnlyRegressionTest):
    """Runs `steelyard run` under the launcher of the partition and reads its records."""

    #: What `steelyard run` measures: suites, benchmarks, patterns.
    select = variable(typ.List[str], value=[])
    #: Further words of `steelyard run`, e.g. ['--sizes', '8,1Mi'].
    words = variable(typ.List[str], value=[])
    #: How long it measures; '' as long as it takes.
    budget = variable(str, value='60s')
    #: Names of figures in FIGURES of steelyard_results.py, which are those of the program, or of `more_figures`.
    figures = variable(typ.List[str], value=[])
    #: Figures of the site: name -> [pattern of a key, metric].
    more_figures = variable(typ.Dict[str, typ.List[str]], value={})

    executable = 'steelyard'
    valid_systems = ['*']
    valid_prog_environs = ['*']
    num_tasks = 2

    @run_before('run')
    def set_words(self):
        budget = ['--budget', self.budget] if self.budget else []
        self.executable_opts = ['run', *self.select, *budget, *self.words, '-o', 'results']
        self.keep_files = ['results']

    def results(self):
        return Results(os.path.join(self.stagedir, 'results'))

    def measured(self):
        """The figures that this check wants; None stands for one that was not measured."""
        results = self.results()
        more = self.more_figures
        return {name: results.figure(*more[name]) if name in more else results.named(name)
                for name in self.figures or more}

    @sanity_function
    def verified(self):
        try:
            found = self.results().faults()
            # ReFrame compares what has a value; a reference without one would be met.
            found += [f'not measured: {name}' for name, figure in self.measured().items() if figure is None]
        except (OSError, ValueError) as error:
            found = [str(error)]
        braces = str.maketrans({'{': '{{', '}': '}}'})
        return sn.assert_false(found, msg='; '.join(found).translate(braces))

    @run_before('performance')
    def read_figures(self):
        if self.is_dry_run():
            return  # there is no result
        self.doubts = {}
        for name, figure in self.measured().items():
            self.doubts[name] = figure.doubts
            self.perf_variables[name] = sn.make_performance_function(sn.defer(figure.value), figure.unit)


@rfm.simple_test
class SteelyardPingPong(SteelyardBase):
    """Latency and bandwidth between two nodes."""

    descr = 'messages between two nodes'
    select = ['imb-mpi1/PingPong']
    words = ['--sizes', '8,1Mi']
    budget = '20s'
    num_tasks_per_node = 1
    figures = ['imb_latency', 'imb_bandwidth']  # of the shortest message, and the best


@rfm.simple_test
class SteelyardNode(SteelyardBase):
    """Arithmetic and memory of one node."""

    descr = 'HPL and STREAM of a node'
    select = ['hpcc']
    budget = '2m'
    figures = ['hpl', 'stream_triad']


@rfm.simple_test
class SteelyardNetwork(SteelyardBase):
    """Effective bandwidth of all processes: one number for the network."""

    descr = 'effective bandwidth'
    select = ['b-eff']
    budget = '2m'
    figures = ['b_eff']
