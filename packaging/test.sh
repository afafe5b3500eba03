#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds packages and tries what came of them, each in a root of its own. No part of ./check: it takes minutes, needs
# root and the network, and fetches whole systems.
set -eu
cd "$(dirname "$0")/.."

usage() {
  cat <<'END'
usage: packaging/test.sh [options] PART...
  roots       fresh roots of Debian 12, one of them with what the package is built with
  deb         the Debian packages: dpkg-buildpackage in a root, lintian
  try-deb     installs them in a root that has nothing else, runs them, removes them, and looks for what is left
  readers     the readers in one file: built, started on Debian 11 and 12, their output compared
  rpm         rpmlint, rpmspec, rpmbuild; where this is no system of RPM, with its libraries and without its packages
  recipes     Spack, EasyBuild, ReFrame, Ramble: loaded by the programs that are on the path; says which are not
  containers  the steps of the Dockerfile and of the Apptainer definition, in a root; needs `roots`
  all         all of it

  --work DIR       where roots and packages lie (packaging/out/test)
  --archive FILE   what packaging/release.sh made; without it it is made with --draft
  --jobs N         parallel compilations (2)
  --ccache DIR     a cache of compilations that the roots share
  --mirror URL     where Debian is fetched from (http://deb.debian.org/debian)
END
}

refuse() {
  echo "test.sh: error: $1" >&2
  exit 2
}
say() { printf '%s\n' "== $*"; }

work=packaging/out/test archive='' jobs=2 cache='' mirror=http://deb.debian.org/debian parts=''
while [ $# -gt 0 ]; do
  case $1 in
    --work | --archive | --jobs | --ccache | --mirror) [ $# -gt 1 ] || refuse "$1 wants a value" ;;
  esac
  case $1 in
    --work) work=$2; shift ;;
    --archive) archive=$2; shift ;;
    --jobs) jobs=$2; shift ;;
    --ccache) cache=$2; shift ;;
    --mirror) mirror=$2; shift ;;
    -h | --help) usage; exit 0 ;;
    all) parts='roots deb try-deb readers rpm recipes containers' ;;
    roots | deb | try-deb | readers | rpm | recipes | containers) parts="$parts $1" ;;
    *) refuse "'$1' is not understood; try --help" ;;
  esac
  shift
done
[ -n "$parts" ] || refuse 'which part? try --help'
mkdir -p "$work"
work=$(cd "$work" && pwd)
source=$PWD
version=$(sed -n 's/^project(steelyard VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
program_of() { command -v "$1" >/dev/null || { say "skipped: $1 is not installed"; return 1; }; }

archived() {
  [ -n "$archive" ] || {
    archive=$work/steelyard-$version.tar.gz
    [ -s "$archive" ] || packaging/release.sh --draft --output "$work"
  }
  [ -s "$archive" ] || refuse "there is no $archive"
}

# Roots. What is mounted in them is taken away again, whatever ends the script.
mounted=
unmount_all() {
  for mount in $mounted; do umount "$mount" 2>/dev/null || :; done
  mounted=
}
trap unmount_all EXIT
inside() { # ROOT COMMAND...: runs it in the root, with /proc, /dev/shm and the cache of compilations
  root=$1
  shift
  for mount in proc dev/shm; do
    mountpoint -q "$root/$mount" && continue
    mkdir -p "$root/$mount"
    case $mount in
      proc) mount -t proc proc "$root/proc" ;;
      *) mount -t tmpfs tmpfs "$root/$mount" ;;
    esac
    mounted="$root/$mount $mounted"
  done
  if [ -n "$cache" ] && ! mountpoint -q "$root/ccache"; then
    mkdir -p "$root/ccache" && mount --bind "$cache" "$root/ccache" && mounted="$root/ccache $mounted"
  fi
  chroot "$root" /usr/bin/env -i HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive CCACHE_DIR=/ccache \
    CCACHE_BASEDIR=/ CCACHE_NOHASHDIR=1 \
    PATH=/usr/lib/ccache:/usr/sbin:/usr/bin:/sbin:/bin "$@"
}
fresh_root() { # NAME [RELEASE]: a copy of the smallest system of the release
  release=${2:-bookworm}
  if [ ! -d "$work/base-$release" ]; then
    program_of debootstrap || exit 1
    debootstrap --variant=minbase --include=ca-certificates "$release" "$work/base-$release" "$mirror" >"$work/debootstrap.log" 2>&1 ||
      { tail -n 5 "$work/debootstrap.log"; rm -rf "$work/base-$release"; exit 1; }
  fi
  rm -rf "${work:?}/$1"
  cp -a "$work/base-$release" "$work/$1"
  cp /etc/resolv.conf "$work/$1/etc/resolv.conf"
}

part_roots() {
  fresh_root build
  inside "$work/build" apt-get update -qq
  mkdir -p "$work/build/tmp/recipe"
  cp -r packaging/debian "$work/build/tmp/recipe/debian"
  inside "$work/build" apt-get install -qq --no-install-recommends dpkg-dev ccache >"$work/roots.log" 2>&1
  inside "$work/build" apt-get build-dep -qq --no-install-recommends -P nocheck /tmp/recipe >>"$work/roots.log" 2>&1 || { tail -n 5 "$work/roots.log"; exit 1; }
  unmount_all
  say "roots: $(du -sh "$work/build" | cut -f1) with everything that the package is built with"
}

part_deb() {
  archived
  place=$work/build/tmp/package
  rm -rf "$place"
  mkdir -p "$place"
  cp "$archive" "$place/steelyard_$version.orig.tar.gz"
  tar -xzf "$archive" -C "$place"
  cp -r packaging/debian "$place/steelyard-$version/debian"
  inside "$work/build" sh -c "cd /tmp/package/steelyard-$version && DEB_BUILD_OPTIONS='nocheck parallel=$jobs' DEB_BUILD_PROFILES=nocheck dpkg-buildpackage -us -uc" \
    >"$work/deb.log" 2>&1 || { tail -n 30 "$work/deb.log"; exit 1; }
  unmount_all
  mkdir -p "$work/deb"
  cp "$place"/*.deb "$place"/*.dsc "$place"/*.changes "$place"/*.buildinfo "$place"/*.tar.* "$work/deb/"
  ls -l "$work"/deb/*.deb
  if program_of lintian; then
    lintian --allow-root --info --fail-on error "$work"/deb/*.changes >"$work/lintian.txt" 2>&1 || { cat "$work/lintian.txt"; exit 1; }
    say "lintian: no errors, $(grep -c '^W:' "$work/lintian.txt" || :) warnings"
  fi
}

part_try_deb() {
  fresh_root use
  root=$work/use
  cp "$work"/deb/*.deb "$root/tmp/"
  inside "$root" apt-get update -qq
  inside "$root" sh -c "rm -f /tmp/*dbgsym*.deb; apt-get install -qq --no-install-recommends libopenblas0-pthread python3-minimal /tmp/steelyard*.deb" \
    >"$work/try.log" 2>&1 || { tail -n 10 "$work/try.log"; exit 1; }
  cp packaging/debian/tests/installed "$root/tmp/installed"
  inside "$root" /tmp/installed >>"$work/try.log" 2>&1 || { tail -n 20 "$work/try.log"; exit 1; }
  tail -n 1 "$work/try.log"
  inside "$root" sh -c 'apt-get purge -qq "steelyard*" && ! ls /usr/bin/steelyard* 2>/dev/null' >>"$work/try.log" 2>&1
  left=$(find "$root/usr" "$root/etc" "$root/var/lib" -path "$root/var/lib/apt" -prune -o -name '*steelyard*' -print)
  unmount_all
  [ -z "$left" ] || { say "left behind: $left"; exit 1; }
  say 'installed, run, removed; nothing of it is left'
}

part_readers() {
  archived
  [ -s "$work/steelyard-readers-$version-linux-$(uname -m).tar.gz" ] || packaging/release.sh --draft --readers --jobs "$jobs" --output "$work"
  cp tests/record/data/examples.jsonl "$work/examples.jsonl"
  for release in bullseye bookworm; do
    fresh_root "read-$release" "$release"
    root=$work/read-$release
    tar -xzf "$work/steelyard-readers-$version-linux-$(uname -m).tar.gz" -C "$root/opt"
    cp "$work/examples.jsonl" "$root/tmp/examples.jsonl"
    program=/opt/steelyard-readers-$version-linux-$(uname -m)/steelyard
    inside "$root" "$program" --version
    inside "$root" "$program" export /tmp/examples.jsonl --to csv -o /tmp/points.csv
    inside "$root" "$program" balance /tmp/examples.jsonl >"$work/balance-$release.txt"
    inside "$root" "$program" compare /tmp/examples.jsonl /tmp/examples.jsonl >/dev/null
    inside "$root" "$program" report /tmp/examples.jsonl -o /tmp/report.html
    cp "$root/tmp/points.csv" "$work/points-$release.csv"
    unmount_all
    say "readers: $release, report of $(wc -c <"$root/tmp/report.html") byte"
  done
  cmp "$work/points-bullseye.csv" "$work/points-bookworm.csv"
  cmp "$work/balance-bullseye.txt" "$work/balance-bookworm.txt"
}

part_rpm() {
  if program_of rpmlint; then rpmlint packaging/rpm/steelyard.spec; fi
  if program_of rpmspec; then rpmspec -q packaging/rpm/steelyard.spec; fi
  program_of rpmbuild || return 0
  archived
  set -- -ba packaging/rpm/steelyard.spec --define "_topdir $work/rpm" --define "_sourcedir $(cd "$(dirname "$archive")" && pwd)"
  if [ ! -e /etc/redhat-release ] && [ ! -e /etc/SUSE-brand ]; then
    say 'no system of RPM: its rules for folders, libraries of this system, nothing is asked of installed packages'
    set -- "$@" --nodeps --define "_libdir %{_prefix}/lib64"
    for library in openmpi mpich; do
      place=$work/mpi-$library
      mkdir -p "$place"
      for command in mpicc mpiexec; do ln -sfn "$(command -v "$command.$library")" "$place/$command"; done
      set -- "$@" --define "_${library}_load export MPI_BIN=$place MPI_SUFFIX=_$library"
    done
  fi
  rpmbuild "$@" >"$work/rpmbuild.log" 2>&1 || { tail -n 20 "$work/rpmbuild.log"; exit 1; }
  rm -rf "${work:?}/rpm-root"
  for package in "$work"/rpm/RPMS/*/*.rpm; do
    say "$(basename "$package"): $(wc -c <"$package") byte, $(rpm -qlp "$package" | wc -l) files"
    root=$work/rpm-root
    mkdir -p "$root" && (cd "$root" && rpm2cpio "$package" | cpio -idm --quiet)
  done
  for program in usr/bin/steelyard usr/lib64/openmpi/bin/steelyard_openmpi usr/lib64/mpich/bin/steelyard_mpich; do
    "$work/rpm-root/$program" --version
  done
  if program_of rpmlint; then rpmlint --ignore-unused-rpmlintrc "$work"/rpm/RPMS/*/*.rpm >"$work/rpmlint.txt" 2>&1 || :; tail -n 1 "$work/rpmlint.txt"; fi
}

# Settings of the user stay as they are: repositories are named for these calls alone.
part_recipes() {
  if program_of spack; then
    mkdir -p "$work/spack"
    printf 'repos:\n- %s\n' "$source/packaging/spack/spack_repo/steelyard" >"$work/spack/repos.yaml"
    spack --color never -C "$work/spack" info steelyard
    spack --color never -C "$work/spack" audit packages steelyard
  fi
  if program_of eb; then
    eb --check-contrib packaging/easybuild/*.eb
    eb --dry-run --robot packaging/easybuild/*.eb
  fi
  if program_of reframe; then
    reframe -c integrations/reframe/steelyard_check.py --prefix "$work/reframe" --dry-run
  fi
  if program_of ramble; then
    mkdir -p "$work/ramble"
    HOME=$work/ramble ramble repo add integrations/ramble
    HOME=$work/ramble ramble info steelyard
  fi
}

# What stands behind RUN, and in the last and the first %post, with the files where COPY and %files put them.
part_containers() {
  archived
  for kind in docker apptainer; do
    fresh_root "$kind"
    root=$work/$kind
    cp "$archive" "$root/tmp/steelyard.tar.gz"
    "steps_of_$kind" | sed "s/cmake --build \([^ ]*\)/cmake --build \1 --parallel $jobs/" >"$root/tmp/steps"
    [ -z "$cache" ] || inside "$root" sh -c 'apt-get update -qq && apt-get install -qq --no-install-recommends ccache' >"$work/$kind.log" 2>&1
    inside "$root" sh -e /tmp/steps >>"$work/$kind.log" 2>&1 || { tail -n 20 "$work/$kind.log"; exit 1; }
    inside "$root" /opt/steelyard/bin/steelyard --version
    inside "$root" /opt/steelyard/bin/steelyard run -n 2 --allow-root imb-mpi1/PingPong --sizes 8 --schedule fixed:20 -q -o /tmp/result
    unmount_all
    say "$kind: its steps make a program that measures"
  done
}
steps_of_docker() {
  sed -e ':join' -e '/\\$/{' -e 'N' -e 's/\\\n//' -e 'b join' -e '}' packaging/docker/Dockerfile | sed -n 's/^RUN //p'
}
steps_of_apptainer() {
  awk '/^%/ { within = $1 == "%post"; next } /^(Bootstrap|From|Stage):/ { within = 0 } within' packaging/apptainer/steelyard.def
}

for part in $parts; do
  say "$part"
  "part_$(echo "$part" | tr - _)"
done
cd "$source"
