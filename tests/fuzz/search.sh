#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# usage: search.sh PROGRAM CORPUS FOUND READER runs|seconds N
# Searches for texts that one reader fails on. Texts that reach new code go to FOUND/READER, failures beside them.
# With a number of runs it begins with the corpus alone, so that every search is the same.
set -eu
program=$1 corpus=$2 found=$3 reader=$4 unit=$5 number=$6
here=$(cd "$(dirname "$0")" && pwd)
own=$found/$reader
limit=-max_total_time=$number
if [ "$unit" = runs ]; then
  rm -rf "$own"
  limit=-runs=$number
fi
mkdir -p "$own"
set -- "--reader=$reader" "$limit" -seed=1 -max_len=4096 -len_control=0 -timeout=60 -rss_limit_mb=3000 \
  -use_value_profile=1 -print_final_stats=1 -verbosity=0 "-artifact_prefix=$found/failed-$reader-"
words=$here/words/$reader
[ ! -e "$words" ] || set -- "$@" "-dict=$words"
exec "$program" "$@" "$own" "$corpus/$reader"
