#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes what a release consists of: the archive of the sources with the page of the report built, so that nobody needs
# Node.js; its checksum; the notes from CHANGELOG.md; and on request the readers as one static file.
set -eu
cd "$(dirname "$0")/.."
root=$PWD

usage() {
  cat <<'END'
usage: packaging/release.sh [options] [COMMIT]
Writes steelyard-VERSION.tar.gz, .sha256 and .notes.md of a commit (HEAD). The same commit and page give the same bytes.

  --output DIR    where to (packaging/out)
  --page FILE     the page of the report, built elsewhere; without it Node.js 18 and npm build it here
  --readers       also steelyard-readers-VERSION-linux-PROCESSOR.tar.gz: one static file that reads results, its manual
                  pages and completion; built from the archive
  --draft         also where CHANGELOG.md calls the version unreleased
  --jobs N        parallel compilations of --readers (2)
  --help          this text
END
}

refuse() {
  echo "release.sh: error: $1" >&2
  exit 2
}

output=packaging/out page='' readers=no draft=no jobs=2 commit=HEAD
while [ $# -gt 0 ]; do
  case $1 in
    --output | --page | --jobs) [ $# -gt 1 ] || refuse "$1 wants a value" ;;
  esac
  case $1 in
    --output) output=$2; shift ;;
    --page) page=$2; shift ;;
    --jobs) jobs=$2; shift ;;
    --readers) readers=yes ;;
    --draft) draft=yes ;;
    -h | --help) usage; exit 0 ;;
    -*) refuse "'$1' is not understood; try --help" ;;
    *) commit=$1 ;;
  esac
  shift
done

hash=$(git rev-parse --verify --quiet "$commit^{commit}") || refuse "'$commit' is no commit of this checkout"
version=$(git show "$hash:CMakeLists.txt" | sed -n 's/^project(steelyard VERSION \([0-9.]*\).*/\1/p')
[ -n "$version" ] || refuse "CMakeLists.txt of $commit names no version"
heading=$(git show "$hash:CHANGELOG.md" | sed -n 's/^## //p' | head -n 1)
case $heading in
  "$version" | "$version (20"*) ;;
  "$version (unreleased)") [ $draft = yes ] || refuse "CHANGELOG.md calls $version unreleased; --draft makes an archive nevertheless" ;;
  *) refuse "CHANGELOG.md begins with '$heading', CMakeLists.txt has version $version" ;;
esac
[ -z "$page" ] || [ -s "$page" ] || refuse "--page: '$page' is not there or empty"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$output"
output=$(cd "$output" && pwd)
name=steelyard-$version

git archive --format=tar --prefix="$name/" "$hash" | tar -xf - -C "$work"
if [ -z "$page" ]; then
  page=$work/page/template.html
  cmake -DNODE="$(command -v node || command -v nodejs || echo node)" -DNPM="$(command -v npm || echo npm)" -DTOOLS=--omit=dev \
    -DREQUIRED=ON -DWEB="$work/$name/web" -DBUILD="$work/page" -DOUTPUT="$page" -P "$work/$name/cmake/BuildPage.cmake"
fi
mkdir -p "$work/$name/web/built"
cp "$page" "$work/$name/web/built/template.html"

# pack NAME FOLDER: of equal files an equal archive, whoever makes it and when.
made=$(git show --no-patch --format=%ct "$hash")
pack() {
  (cd "$work" && tar --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --mtime="@$made" --format=ustar -cf - "$2") |
    gzip -n -9 >"$output/$1.tar.gz"
  (cd "$output" && sha256sum "$1.tar.gz" >"$1.tar.gz.sha256")
  echo "$output/$1.tar.gz  $(wc -c <"$output/$1.tar.gz") byte"
}
pack "$name" "$name"
awk '/^## / { sections++; next } sections == 1' "$work/$name/CHANGELOG.md" | sed '/./,$!d' >"$output/$name.notes.md"
echo "$output/$name.notes.md  $(grep -c '^- ' "$output/$name.notes.md") changes"
[ $readers = yes ] || exit 0

echo "building the readers; log: $output/readers.log"
if ! {
  cmake -S "$work/$name" -B "$work/build" -DCMAKE_BUILD_TYPE=Release "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG" -DSTEELYARD_MPI=OFF \
    -DSTEELYARD_STATIC=ON -DSTEELYARD_TESTS=OFF -DCMAKE_DISABLE_FIND_PACKAGE_Git=ON ${CMAKE_CXX_COMPILER_LAUNCHER:+-DCMAKE_CXX_COMPILER_LAUNCHER="$CMAKE_CXX_COMPILER_LAUNCHER"} &&
    cmake --build "$work/build" --parallel "$jobs" &&
    cmake --install "$work/build" --strip --component program --prefix "$work/install" &&
    cmake --install "$work/build" --component documents --prefix "$work/install"
} >"$output/readers.log" 2>&1; then
  tail -n 20 "$output/readers.log" >&2
  exit 1
fi
binary=steelyard-readers-$version-linux-$(uname -m)
mkdir "$work/$binary"
mv "$work/install/bin/steelyard" "$work/$binary/steelyard"
mv "$work/install/share" "$work/$binary/share"
cp "$root/LICENSE" "$work/$binary/LICENSE"
cat >"$work/$binary/README" <<END
steelyard $version: the readers. One file, which needs nothing of the system and can lie anywhere:

    ./steelyard report RESULTS         one HTML file with tables and charts
    ./steelyard balance RESULTS        which resource holds the machine back
    ./steelyard compare BASE NEW       what became faster or slower
    ./steelyard export RESULTS --to csv

share/ has manual pages, completion for bash, zsh and fish, and documentation. Licence: Apache-2.0 (LICENSE).
END
pack "$binary" "$binary"
