# SPDX-License-Identifier: Apache-2.0
# steelyard_build_info(target): compiles into the target how it was built (machine/build_info.hpp). The commit is asked
# for at every build, but its file changes only with it: then one small source is compiled again and nothing else.

function(steelyard_header_version variable directory header major minor patch)
  set(version "unknown")
  if(EXISTS ${directory}/${header})
    file(STRINGS ${directory}/${header} lines REGEX "^#define (${major}|${minor}|${patch}) +[0-9]+")
    set(numbers)
    foreach(name IN ITEMS ${major} ${minor} ${patch})
      foreach(line IN LISTS lines)
        if(line MATCHES "^#define ${name} +([0-9]+)")
          list(APPEND numbers ${CMAKE_MATCH_1})
        endif()
      endforeach()
    endforeach()
    list(JOIN numbers "." version)
  endif()
  set(${variable} ${version} PARENT_SCOPE)
endfunction()

function(steelyard_build_libraries variable)
  set(toml "unknown")
  foreach(header IN ITEMS toml.h impl/version.h impl/version.hpp)  # the last one since its release 3.4
    if(NOT toml MATCHES "[0-9]")
      steelyard_header_version(toml ${TOMLPLUSPLUS_INCLUDE_DIR}/toml++ ${header}
        TOML_LIB_MAJOR TOML_LIB_MINOR TOML_LIB_PATCH)
    endif()
  endforeach()
  set(rows "    {\"fmt\", \"${fmt_VERSION}\"},\n")
  string(APPEND rows "    {\"CLI11\", \"${CLI11_VERSION}\"},\n")
  string(APPEND rows "    {\"nlohmann_json\", \"${nlohmann_json_VERSION}\"},\n")
  string(APPEND rows "    {\"toml++\", \"${toml}\"},\n")
  if(HWLOC_FOUND)
    string(APPEND rows "    {\"hwloc\", \"${HWLOC_VERSION}\"},\n")
  endif()
  if(ZLIB_FOUND)
    string(APPEND rows "    {\"zlib\", \"${ZLIB_VERSION_STRING}\"},\n")
  endif()
  if(simdjson_FOUND)
    string(APPEND rows "    {\"simdjson\", \"${simdjson_VERSION}\"},\n")
  endif()
  if(STEELYARD_PERSISTENT_FORM)
    string(APPEND rows "    {\"persistent collectives\", \"${STEELYARD_PERSISTENT_FORM}\"},\n")
  endif()
  if(STEELYARD_HAVE_PARTITIONED)
    string(APPEND rows "    {\"partitioned communication\", \"MPI_\"},\n")
  endif()
  set(${variable} "${rows}" PARENT_SCOPE)
endfunction()

# steelyard_found(variable FOUND what): what was found, or no.
function(steelyard_found variable found what)
  set(${variable} no PARENT_SCOPE)
  if(${found})
    set(${variable} ${what} PARENT_SCOPE)
  endif()
endfunction()

# What was chosen or found when the program was built and stands in no other place.
function(steelyard_build_options variable)
  set(rows "    {\"MPI\", \"${STEELYARD_MPI}\"},\n")
  if(STEELYARD_MPI)
    steelyard_found(blas CBLAS_FOUND "${CBLAS_LIBRARY}")
    steelyard_found(fftw FFTW3_FOUND "${FFTW3_VERSION}")
    steelyard_found(openmp OpenMP_CXX_FOUND "${OpenMP_CXX_VERSION}")
    string(APPEND rows "    {\"MPI compiler\", \"${MPI_C_COMPILER}\"},\n    {\"launcher\", \"${MPIEXEC_EXECUTABLE}\"},\n"
      "    {\"BLAS\", \"${blas}\"},\n    {\"FFTW\", \"${fftw}\"},\n    {\"OpenMP\", \"${openmp}\"},\n")
  endif()
  steelyard_found(hwloc HWLOC_FOUND "${HWLOC_VERSION}")
  steelyard_found(zlib ZLIB_FOUND "${ZLIB_VERSION_STRING}")
  steelyard_found(simdjson simdjson_FOUND "${simdjson_VERSION}")
  string(APPEND rows "    {\"hwloc\", \"${hwloc}\"},\n    {\"zlib\", \"${zlib}\"},\n    {\"simdjson\", \"${simdjson}\"},\n")
  set(${variable} "${rows}" PARENT_SCOPE)
endfunction()

function(steelyard_build_info target)
  set(folder ${PROJECT_BINARY_DIR}/generated/machine)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  string(STRIP "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}" build_flags)
  # Where the sources lay tells nothing of the program, and would make two builds of it differ.
  string(REGEX REPLACE "-f[a-z]+-prefix-map=[^ ]+ *" "" build_flags "${build_flags}")
  steelyard_build_libraries(build_libraries)
  steelyard_build_options(build_options)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/build_info.cpp.in ${folder}/build_info.cpp @ONLY)
  find_package(Git QUIET)
  add_custom_target(${target}_commit
    BYPRODUCTS ${folder}/commit.hpp
    COMMAND ${CMAKE_COMMAND} -DGIT=${GIT_EXECUTABLE} -DSOURCE=${PROJECT_SOURCE_DIR} -DHEADER=${folder}/commit.hpp
      -P ${PROJECT_SOURCE_DIR}/cmake/Commit.cmake
    COMMENT "Asking for the commit" VERBATIM)
  add_dependencies(${target} ${target}_commit)
  target_sources(${target} PRIVATE ${folder}/build_info.cpp)
  set_source_files_properties(${folder}/build_info.cpp TARGET_DIRECTORY ${target} PROPERTIES
    INCLUDE_DIRECTORIES ${PROJECT_BINARY_DIR}/generated)
endfunction()
