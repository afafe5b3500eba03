# SPDX-License-Identifier: Apache-2.0
"""Several hosts on one machine: namespaces of their own, a bridge between them, and nothing outside.

A script calls enter() first. It starts itself again in a network, mount and process namespace that nobody else sees:
addresses and devices exist there only, and whatever is left running ends with the script.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

NETWORK = "10.77.0"  # inside our own network namespace only
BRIDGE = "sybr0"
FRAME_BYTE = "65000"
BRIDGE_ADDRESS = "02:00:0a:4d:00:01"
HERE = pathlib.Path(__file__).resolve().parent
AGENT = HERE / "agent.sh"
INSIDE = "STEELYARD_TEST_INSIDE_NAMESPACES"
SKIPPED = 77
HOST_KINDS = ["--net", "--uts", "--ipc", "--pid", "--mount"]
NEEDED = {"unshare": "util-linux", "nsenter": "util-linux", "ip": "iproute2", "tc": "iproute2", "mount": "util-linux"}
TRIAL = (f"ip link set lo up && ip link add {BRIDGE} type bridge && ip link add syv type veth peer name far && "
         "mount -t tmpfs none /dev/shm")


def every_pair(hosts, *rule):
    """The rule for all pairs of so many hosts."""
    return [(one, other, *rule) for one in range(hosts) for other in range(one)]


def skip(why):
    print(f"skipped: {why}", flush=True)
    sys.exit(SKIPPED)


def unshare():
    """Words that put a command into namespaces where we may do everything."""
    user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    return ["unshare", *user, "--net", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child"]


def enter():
    """Goes on in namespaces of our own, or ends as skipped with the sentence that says what is missing."""
    if os.environ.get(INSIDE):
        subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
        subprocess.run(["mount", "-t", "tmpfs", "none", "/dev/shm"], check=True)
        return
    for name, package in NEEDED.items():
        if shutil.which(name) is None:
            skip(f"{name} is missing (package {package})")
    trial = subprocess.run([*unshare(), "sh", "-c", TRIAL], capture_output=True, text=True, timeout=20, check=False)
    if trial.returncode != 0:
        skip("no rights to make network namespaces, veth devices or a bridge here: " + trial.stderr.strip())
    os.environ[INSIDE] = "1"
    # bash, as the first process of the namespace, takes in what others leave behind: a host does not end before that
    os.execvp("unshare", [*unshare(), "bash", "-c", '"$@" & wait $!', "bash", sys.executable, "-B", *sys.argv])


def quietly(*words):
    subprocess.run(words, check=True, capture_output=True, timeout=20)


class Host:
    """Namespaces of a process that only waits; killing it kills all that runs there."""

    def __init__(self, place, number, cabled=True):
        self.name, self.number, self.home = f"host{number}", number, place / f"host{number}"
        self.cabled = cabled
        self.start()

    def start(self):
        shutil.rmtree(self.home, ignore_errors=True)
        (self.home / "tmp").mkdir(parents=True)
        # bash, unlike a plain sleep, takes in the children of daemons that have ended
        waits = (f"hostname {self.name}; mount -t tmpfs none /dev/shm; ip link set lo up; "
                 f"echo ready > '{self.home}/ready'; sleep infinity & wait")
        self.outer = subprocess.Popen(["unshare", *HOST_KINDS, "--fork", "--mount-proc", "--kill-child", "bash", "-c", waits],
                                      stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        self.wait_until_ready()
        children = pathlib.Path(f"/proc/{self.outer.pid}/task/{self.outer.pid}/children").read_text().split()
        self.pid = int(children[0])
        (self.home / "pid").write_text(children[0])
        if self.cabled:
            self.connect()

    def wait_until_ready(self):
        for _ in range(400):
            if (self.home / "ready").exists():
                return
            time.sleep(0.02)
        raise RuntimeError(f"{self.name} did not start")

    @property
    def cable(self):
        return f"syv{self.number}"

    @property
    def address(self):
        return f"{NETWORK}.{11 + self.number}"

    def inside(self, *words):
        return ["nsenter", "-t", str(self.pid), *HOST_KINDS, "--wd=.", *words]

    def connect(self):
        quietly("ip", "link", "add", self.cable, "type", "veth", "peer", "name", "eth0", "netns", str(self.pid))
        quietly("ip", "link", "set", self.cable, "master", BRIDGE, "up")
        self.take_address()

    def take_address(self):
        quietly(*self.inside("ip", "addr", "add", f"{self.address}/24", "dev", "eth0"))
        quietly(*self.inside("ip", "link", "set", "eth0", "up"))

    def kill(self):
        """The node died. A killed namespace frees its devices late, so the cable goes by hand."""
        os.kill(self.pid, 9)
        self.outer.wait(20)
        subprocess.run(["ip", "link", "del", self.cable], check=False, capture_output=True)

    def cut(self):
        quietly("ip", "link", "set", self.cable, "down")

    def heal(self):
        quietly("ip", "link", "set", self.cable, "up")

    def shape(self, rate, burst="3kb"):
        """Both directions of the cable carry no more than the rate. Small buckets: in a ping-pong each side's fills
        while the other sends."""
        bucket = ["root", "tbf", "rate", rate, "burst", burst, "latency", "50ms"]
        quietly("tc", "qdisc", "replace", "dev", self.cable, *bucket)
        quietly(*self.inside("tc", "qdisc", "replace", "dev", "eth0", *bucket))

    def shape_towards(self, rate, slow_rate, hosts):
        """What leaves this host has a rate, and another one on its way to some hosts."""
        device = ["dev", "eth0"]
        for words in (["qdisc", "replace", *device, "root", "handle", "1:", "htb", "default", "1"],
                      ["class", "replace", *device, "parent", "1:", "classid", "1:1", "htb", "rate", rate, "burst", "64kb"],
                      ["class", "replace", *device, "parent", "1:", "classid", "1:2", "htb", "rate", slow_rate, "burst", "16kb"],
                      *[["filter", "add", *device, "parent", "1:", "protocol", "ip", "prio", "1", "u32", "match", "ip", "dst",
                         f"{host.address}/32", "flowid", "1:2"] for host in hosts]):
            quietly(*self.inside("tc", *words))

    def unshape(self):
        quietly("tc", "qdisc", "del", "dev", self.cable, "root")
        quietly(*self.inside("tc", "qdisc", "del", "dev", "eth0", "root"))

    def sent_byte(self):
        told = subprocess.run(["ip", "-j", "-s", "link", "show", "dev", self.cable], check=True, capture_output=True, timeout=20)
        return json.loads(told.stdout)[0]["stats64"]["rx"]["bytes"]


class Cluster:
    """Hosts host0, host1, ... on one bridge; the script itself is a further machine on it."""

    def __init__(self, hosts):
        self.place = pathlib.Path(tempfile.mkdtemp(prefix="steelyard-hosts-"))
        os.environ["TEST_HOSTS"] = str(self.place)
        # without one of its own the bridge has the lowest address of its cables: a lost host would change it, and the
        # others would go on sending to the old one for a minute
        quietly("ip", "link", "add", BRIDGE, "address", BRIDGE_ADDRESS, "type", "bridge")
        quietly("ip", "addr", "add", f"{NETWORK}.1/24", "dev", BRIDGE)
        quietly("ip", "link", "set", BRIDGE, "up")
        self.hosts = [Host(self.place, number) for number in range(hosts)]

    def close(self):
        for host in self.hosts:
            if host.outer.poll() is None:
                host.kill()
        subprocess.run(["ip", "link", "del", BRIDGE], check=False, capture_output=True)
        shutil.rmtree(self.place, ignore_errors=True)


class WiredCluster(Cluster):
    """Hosts on a switch of our own (wire.c) whose ports and pairs of ports have rates and delays: the kernel's own queues
    for that are not in every kernel."""

    def __init__(self, hosts):
        self.place = pathlib.Path(tempfile.mkdtemp(prefix="steelyard-hosts-"))
        os.environ["TEST_HOSTS"] = str(self.place)
        self.switch = None
        self.hosts = [Host(self.place, number, cabled=False) for number in range(hosts)]

    def wire(self, ports=(), pairs=()):
        """ports: (host, byte/s) of what leaves it; pairs: (host, host, delay in us, byte/s), both ways. 0: no limit."""
        self.unwire()
        names = [str(host.pid) for host in self.hosts] + ["0"]
        both = [words for one, other, *rule in pairs for words in ((one, other, *rule), (other, one, *rule))]
        self.switch = subprocess.Popen([os.environ["STEELYARD_WIRE"], *names, ":", *[str(word) for port in ports for word in port],
                                        ":", *[str(word) for rule in both for word in rule]], stdout=subprocess.PIPE, text=True)
        if self.switch.stdout.readline() != "ready\n":
            skip("no rights to make devices (/dev/net/tun) here")
        quietly("ip", "addr", "add", f"{NETWORK}.1/24", "dev", BRIDGE)
        quietly("ip", "link", "set", BRIDGE, "mtu", FRAME_BYTE, "up")
        for host in self.hosts:
            quietly(*host.inside("ip", "link", "set", "eth0", "mtu", FRAME_BYTE))
            host.take_address()

    def unwire(self):
        if self.switch is not None:
            self.switch.kill()
            self.switch.communicate()
        self.switch = None

    def close(self):
        self.unwire()
        super().close()


def open_mpi(launcher, hosts, each, options):
    """Daemons cannot start further daemons here, and Debian switches one-sided communication over TCP off."""
    names = ",".join(f"host{number}:{each}" for number in hosts)
    settings = {"plm": "rsh", "plm_rsh_agent": AGENT, "plm_rsh_no_tree_spawn": 1, "pml": "ob1", "btl": "tcp,vader,self",
                "btl_tcp_if_include": f"{NETWORK}.0/24", "oob_tcp_if_include": f"{NETWORK}.0/24", "osc": "pt2pt,sm",
                "mpi_yield_when_idle": 1, **options}
    return f"{launcher} -q -n {{n}} -H {names} " + " ".join(f"--mca {name} {value}" for name, value in settings.items())


def mpich(launcher, place, hosts, each):
    file = place / "hostfile"
    file.write_text("".join(f"host{number}:{each}\n" for number in hosts))
    preload = os.environ["STEELYARD_MPICH_OVER_TCP"]
    return (f"{launcher} -f {file} -n {{n}} -ppn {each} -launcher ssh -launcher-exec {AGENT} -iface {BRIDGE} "
            f"-genv UCX_TLS tcp,sm,self -genv LD_PRELOAD {preload}")


def launcher_words(cluster, launcher, hosts, each=2, **options):
    """Words for --launcher that start processes, `each` on every host."""
    if "mpich" in launcher:
        return mpich(launcher, cluster.place, hosts, each)
    return open_mpi(launcher, hosts, each, options)
