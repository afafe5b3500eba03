# SPDX-License-Identifier: Apache-2.0
"""What is refused or told when a build tree is configured: places, generators, words of options, named libraries."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))

from program import SOURCE, Case, environment, main  # noqa: E402

CMAKE = os.environ["STEELYARD_CMAKE"]
BUILD = pathlib.Path(os.environ["STEELYARD_BUILD"])
WORDS = ("STEELYARD_MPI", "STEELYARD_WEB", "STEELYARD_TESTS", "STEELYARD_WERROR")


def cmake(*words):
    """Exit code, and what CMake says in one line."""
    done = subprocess.run([CMAKE, *map(str, words)], env=environment(), stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=240, check=False)
    return done.returncode, re.sub(r"\s+", " ", done.stdout)


def cached(name):
    """An entry of the cache of this build; empty where there is none."""
    found = re.search(rf"^{name}:\w+=(.*)$", (BUILD / "CMakeCache.txt").read_text(), re.MULTILINE)
    return found[1] if found else ""


def library(name, function):
    """Lines of a project that make a library with one function in its build folder when it is configured."""
    place = f"${{CMAKE_BINARY_DIR}}/{name}"
    return (f'file(WRITE {place}.c "void {function}(void) {{}}\\n")',
            f"execute_process(COMMAND ${{CMAKE_C_COMPILER}} -shared -fPIC {place}.c -o {place}.so "
            "COMMAND_ERROR_IS_FATAL ANY)")


class Configure(Case):
    def project(self, *lines):
        """A project that includes modules of ours; skips where compilers need a tool file that is not known here."""
        if cached("CMAKE_TOOLCHAIN_FILE"):
            self.skipTest("a cross build")
        text = ["cmake_minimum_required(VERSION 3.25)", "project(of_a_test C CXX)",
                f"list(APPEND CMAKE_MODULE_PATH {SOURCE}/cmake)"]
        (self.directory / "source").mkdir()
        (self.directory / "source/CMakeLists.txt").write_text("\n".join([*text, *lines, ""]))

    def configure(self, *words):
        return cmake("-S", self.directory / "source", "-B", self.directory / "build", *words)

    def refused(self, answer, *sentences):
        self.assertNotEqual(answer[0], 0, answer[1])
        for sentence in sentences:
            self.assertIn(sentence, answer[1])

    def test_sources_below_a_folder_whose_name_is_a_pattern(self):
        for i, name in enumerate(("a[1]", "a[", "a]", "a*", "a?", "a;b")):
            tree = self.directory / name
            tree.mkdir()
            shutil.copy(SOURCE / "CMakeLists.txt", tree)
            answer = cmake("-S", tree, "-B", self.directory / f"build{i}")
            self.refused(answer, "cannot be built from a folder with one of")

    def test_generators_of_several_configurations(self):
        answer = cmake("-S", SOURCE, "-B", self.directory / "build", "-G", "Ninja Multi-Config")
        self.refused(answer, "one configuration per build folder", "not Ninja Multi-Config")

    def options(self, *words):
        script = self.directory / "options.cmake"
        told = "".join(f"message(STATUS \"{option} is ${{{option}}},\")\n" for option in WORDS)
        script.write_text("cmake_minimum_required(VERSION 3.25)\n"
                          f'include("{SOURCE}/cmake/SteelyardOptions.cmake")\n{told}')
        return cmake(*(f"-D{word}" for word in words), "-P", script)

    def test_words_of_options(self):
        code, said = self.options()
        self.assertEqual(code, 0, said)
        for option, default in zip(WORDS, ("ON", "AUTO", "ON", "OFF")):
            self.assertIn(f"{option} is {default},", said)
        for given, kept in (("STEELYARD_MPI=SMPI", "SMPI"), ("STEELYARD_MPI=no", "OFF"), ("STEELYARD_WEB=1", "ON"),
                            ("STEELYARD_WEB=off", "OFF"), ("STEELYARD_WERROR=True", "ON")):
            code, said = self.options(given)
            self.assertEqual(code, 0, said)
            self.assertIn(f"{given.split('=')[0]} is {kept},", said)
        self.refused(self.options("STEELYARD_MPI=maybe"), "STEELYARD_MPI is one of ON, OFF, SMPI; got 'maybe'")
        self.refused(self.options("STEELYARD_MPI=smpi"), "got 'smpi'")
        self.refused(self.options("STEELYARD_WEB=MAYBE"), "STEELYARD_WEB is one of ON, OFF, AUTO; got 'MAYBE'")
        self.refused(self.options("STEELYARD_TESTS=2"), "STEELYARD_TESTS is one of ON, OFF; got '2'")
        self.refused(self.options("STEELYARD_INSTALL_LINKS=lib"),
                     "STEELYARD_INSTALL_LINKS is one of libdir, bin; got 'lib'")

    def test_what_is_missing_is_told_in_one_line(self):
        script = self.directory / "missing.cmake"
        script.write_text(f'cmake_minimum_required(VERSION 3.25)\ninclude("{SOURCE}/cmake/SteelyardOptional.cmake")\n'
                          "steelyard_say_what_is_missing()\n")
        found = ["-DZLIB_FOUND=ON", "-Dsimdjson_FOUND=ON", "-DOpenMP_CXX_FOUND=ON"]
        self.assertIn("without: hwloc (pkg-config not found), FFTW (pkg-config not found), BLAS;",
                      cmake(*found, "-P", script)[1])
        found += ["-DPkgConfig_FOUND=ON", "-DHWLOC_FOUND=ON", "-DCBLAS_LIBRARY=/some.so"]
        self.assertIn("without: FFTW, BLAS (cblas.h not found);", cmake(*found, "-P", script)[1])
        more = ["-DCBLAS_INCLUDE_DIR=/some", "-DCBLAS_LIBRARY=/some.a;-lm"]
        self.assertIn("without: FFTW, BLAS (no cblas_dgemm in /some.a -lm);", cmake(*found, *more, "-P", script)[1])
        self.assertIn("without: FFTW;", cmake(*found, "-DSTEELYARD_WITHOUT=blas", "-P", script)[1])
        self.assertEqual(cmake(*found, "-DSTEELYARD_STATIC=ON", "-P", script), (0, ""))
        self.assertEqual(cmake(*found, "-DFFTW3_FOUND=ON", "-DCBLAS_FOUND=ON", "-P", script), (0, ""))

    def test_a_blas_that_was_named_is_used_or_refused(self):
        self.project(*library("libright", "cblas_dgemm"), *library("libwrong", "other"), "include(SteelyardBlas)",
                     'message(STATUS "BLAS is ${CBLAS_FOUND}")')
        build = self.directory / "build"
        include = f"-DCBLAS_INCLUDE_DIR={self.directory}"
        self.refused(self.configure(include, f"-DCBLAS_LIBRARY={build}/none.so"), f"there is no file {build}/none.so")
        self.refused(self.configure(f"-DCBLAS_LIBRARY={build}/libwrong.so"),
                     f"cblas_dgemm can be linked with {build}/libwrong.so")
        self.refused(self.configure(), f"cblas_dgemm can be linked with {build}/libwrong.so")  # still
        code, said = self.configure(f"-DCBLAS_LIBRARY={build}/libright.so")
        self.assertEqual(code, 0, said)
        self.assertIn("BLAS is ON", said)
        self.refused(self.configure(f"-DCBLAS_LIBRARY={build}/libwrong.so"), "cblas_dgemm")
        code, said = self.configure("-DSTEELYARD_WITHOUT=blas")
        self.assertEqual(code, 0, said)
        self.assertIn("BLAS is OFF", said)

    def test_a_blas_that_nobody_named_is_done_without(self):
        self.project(*library("libopenblas", "other"), "set(CMAKE_FIND_USE_CMAKE_SYSTEM_PATH OFF)",
                     "set(CMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH OFF)", "include(SteelyardBlas)",
                     'message(STATUS "BLAS is ${CBLAS_FOUND}, ${CBLAS_LIBRARY}.")')
        words = [f"-DCMAKE_LIBRARY_PATH={self.directory}/build", f"-DCBLAS_INCLUDE_DIR={self.directory}"]
        for _ in range(2):  # the second time it stands in the cache
            code, said = self.configure(*words)
            self.assertEqual(code, 0, said)
            self.assertIn(f"BLAS is OFF, {self.directory}/build/libopenblas.so.", said)

    def test_another_mpi_in_the_same_folder_is_refused(self):
        wrapper = cached("MPI_C_COMPILER")
        wrapper = shutil.which(wrapper) if wrapper else None
        if wrapper is None or cached("STEELYARD_MPI") != "ON":
            self.skipTest("no compiler wrapper of MPI")
        self.project("include(SteelyardMpi)")
        other = self.directory / "mpicc.other"
        other.write_text(f"#!/bin/sh\nexec '{wrapper}' \"$@\"\n")
        other.chmod(0o755)
        link = self.directory / "mpicc.link"
        link.symlink_to(wrapper)
        for words in ([f"-DMPI_C_COMPILER={wrapper}"], [], [f"-DMPI_C_COMPILER={link}"]):
            code, said = self.configure(*words)
            self.assertEqual(code, 0, said)
        sentences = (f"and MPI_C_COMPILER={other} is another one", "cmake --fresh")
        self.refused(self.configure(f"-DMPI_C_COMPILER={other}"), *sentences)
        self.refused(self.configure(), *sentences)
        self.refused(self.configure("-DMPI_C_COMPILER=mpicc.of-nobody"), "is another one (mpicc.of-nobody)")
        code, said = self.configure(f"-DMPI_C_COMPILER={wrapper}")
        self.assertEqual(code, 0, said)
        self.assertEqual(self.configure("--fresh", f"-DMPI_C_COMPILER={other}")[0], 0)


if __name__ == "__main__":
    main()
