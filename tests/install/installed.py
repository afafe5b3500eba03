# SPDX-License-Identifier: Apache-2.0
"""Installing this build and removing it, without a trace in the build: its own list of what is installed comes back."""

import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))

from program import SOURCE, Case as ProgramCase, environment, main  # noqa: E402

BUILD = pathlib.Path(os.environ["STEELYARD_BUILD"])
CMAKE = os.environ["STEELYARD_CMAKE"]
_last = []  # texts of the manifests of the last installation


def install(prefix, *words, **variables):
    """Installs and keeps the list of what was; the build's own list is put back."""
    lists = {path: path.read_bytes() for path in BUILD.glob("install_manifest*.txt")}
    for path in lists:
        path.unlink()
    try:
        done = subprocess.run([CMAKE, "--install", str(BUILD), "--prefix", str(prefix), *words], env=environment(**variables),
                              capture_output=True, text=True, timeout=120, check=False)
        if done.returncode != 0:
            raise AssertionError(done.stdout[-500:] + done.stderr)
        written = list(BUILD.glob("install_manifest*.txt"))
        _last[:] = [path.read_text() for path in written]
        for path in written:
            path.unlink()
    finally:
        for path, content in lists.items():
            path.write_bytes(content)


def uninstall(directory, **variables):
    """Removes the last installation by the script of the target `uninstall`."""
    build = directory / "build"
    if directory.exists():
        build.mkdir()
        for i, text in enumerate(_last):
            (build / f"install_manifest_{i}.txt").write_text(text)
    done = subprocess.run([CMAKE, f"-DBUILD={build}", "-P", str(SOURCE / "cmake/Uninstall.cmake")], env=environment(**variables),
                          capture_output=True, text=True, timeout=60, check=False)
    shutil.rmtree(build, ignore_errors=True)
    return done


def files_of(directory):
    """All files and links below a directory, by their paths there."""
    return {str(path.relative_to(directory)) for path in pathlib.Path(directory).rglob("*") if path.is_symlink() or path.is_file()}


class Case(ProgramCase):
    """Skips where the build did not make what is installed: a single target, or a cross build."""

    def setUp(self):
        super().setUp()
        if not (BUILD / "apps/steelyard/written/stamp").exists():
            self.skipTest("manual pages are not written: build the target steelyard_written, or all")


__all__ = ["BUILD", "CMAKE", "Case", "environment", "files_of", "install", "main", "uninstall"]
