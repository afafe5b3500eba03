#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What stands for ssh: [OPTION...] HOST COMMAND... runs the command on a host of cluster.py.
set -eu
while [ "${1#-}" != "$1" ]; do shift; done
host=$1
shift
home=$TEST_HOSTS/$host
export TMPDIR="$home/tmp"
exec nsenter -t "$(cat "$home/pid")" --net --uts --ipc --pid --mount --wd=. sh -c "$*"
