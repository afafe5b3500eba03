# SPDX-License-Identifier: Apache-2.0

from spack_repo.builtin.build_systems.cmake import CMakePackage, generator

from spack.package import *


class Steelyard(CMakePackage):
    """Weighs a parallel computer: message passing, one-sided communication, parallel I/O, memory and arithmetic on one
    measurement engine, with the benchmarks of IMB, b_eff, b_eff_io, FTIO and HPC Challenge."""

    homepage = "https://steelyard.example/"
    # A checkout is built in an environment by `spack develop --path DIR steelyard@=main`; a release gets a line here with the
    # checksum that packaging/release.sh writes.

    license("Apache-2.0", checked_by="steelyard")

    version("main", branch="main", git="https://steelyard.example/steelyard.git")

    variant("mpi", default=True, description="Build what measures; without it the readers of results alone")
    variant("hwloc", default=True, description="Tell the topology of nodes by hwloc")
    variant("blas", default=True, description="Link a BLAS with C interface, for DGEMM and HPL", when="+mpi")
    variant("fftw", default=True, description="Transform by FFTW instead of the program's own passes", when="+mpi")
    variant("charts", default=False, description="Charts in reports; needs the network to fetch packages of Node.js")
    variant("links", default="libdir", values=("libdir", "bin"), multi=False, when="+mpi",
            description="Where links with the names of the classic programs go")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("nlohmann-json@3.11:")
    depends_on("fmt@9:")
    depends_on("cli11@2:")
    depends_on("tomlplusplus@3:")
    depends_on("zlib-api")
    depends_on("simdjson")
    depends_on("hwloc@2:", when="+hwloc")
    depends_on("mpi@3.1:", when="+mpi")
    depends_on("openblas", when="+blas")
    depends_on("fftw@3 ~mpi", when="+fftw")
    depends_on("node-js@18:", when="+charts", type="build")
    depends_on("npm", when="+charts", type="build")
    depends_on("googletest +gmock", type="test")

    conflicts("%gcc@:10", msg="steelyard needs C++20: GCC 11 or later")

    generator("ninja")

    def cmake_args(self):
        spec = self.spec
        args = [
            self.define_from_variant("STEELYARD_MPI", "mpi"),
            self.define("STEELYARD_TESTS", self.run_tests),
            self.define("STEELYARD_WEB", "ON" if spec.satisfies("+charts") else "AUTO"),
            # What the system has is not taken instead.
            self.define("STEELYARD_WITHOUT", [name for name in ("hwloc", "blas", "fftw") if not spec.satisfies("+" + name)]),
        ]
        if spec.satisfies("+mpi"):
            args += [
                self.define("MPI_C_COMPILER", spec["mpi"].mpicc),
                self.define("STEELYARD_INSTALL_LINKS", spec.variants["links"].value),
            ]
        if spec.satisfies("+blas"):
            args += [
                self.define("CBLAS_LIBRARY", spec["openblas"].libs[0]),
                self.define("CBLAS_INCLUDE_DIR", spec["openblas"].prefix.include),
            ]
        return args

    def check(self):
        with working_dir(self.build_directory):
            ctest = which("ctest")
            ctest("-L", "unit", "--output-on-failure")

    def test_version(self):
        """The program starts and says how it was built."""
        steelyard = which(self.prefix.bin.steelyard)
        out = steelyard("--version", "--verbose", output=str.split, error=str.split)
        assert "steelyard" in out
