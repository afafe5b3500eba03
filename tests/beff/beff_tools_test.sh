#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# beff_tools_test.sh SAMPLES DIRECTORY: gnuplot, latex and dvips must take the files without an error or warning.
samples=$1
directory=$2

missing=""
command -v gnuplot > /dev/null || missing="$missing gnuplot-nox"
command -v latex > /dev/null || missing="$missing texlive-latex-base"
command -v dvips > /dev/null || missing="$missing texlive-base"
if [ -n "$missing" ]; then
  echo "skipped, these packages of Debian are not installed:$missing"
  exit 77
fi

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

# command PROGRAM ARGUMENT: exit status 0, output kept in PROGRAM.out
tool() {
  timeout 60 "$@" > tool.out 2>&1 < /dev/null || { cat tool.out; fail "$(pwd): $*"; }
}

report() {
  cd "$1" || fail "no directory $1"
  script=$(echo ./*.gps)
  name=$(basename "$script" .gps)
  tool gnuplot "$name.gps"
  [ -s tool.out ] && { cat tool.out; fail "$1: gnuplot is not silent"; }
  for i in 0 1 2 3 4 5 6 7 8 9; do
    grep -q '^%%BoundingBox' "epsfig$i.eps" || fail "$1: epsfig$i.eps is no figure"
  done
  tool latex -interaction=nonstopmode "$name.tex"
  grep -q '^!\|LaTeX Warning\|Missing character\|Overfull \\hbox ([0-9]\{2,\}' tool.out && { cat tool.out; fail "$1: latex"; }
  grep -q 'Output written on .*(6 pages' tool.out || { cat tool.out; fail "$1: not six pages"; }
  tool dvips -o report.ps "$name.dvi"
  grep -qi 'warning\|error' tool.out && { cat tool.out; fail "$1: dvips"; }
  [ -s report.ps ] || fail "$1: nothing printed"
}

rm -rf "$directory"
"$samples" "$directory" || fail "no samples"
for sample in "$directory"/*/; do
  (report "$sample") || exit 1
done
echo "all reports were made"
