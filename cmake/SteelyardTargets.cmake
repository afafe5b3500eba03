# SPDX-License-Identifier: Apache-2.0
# steelyard_library(room [LIGHT | READERS | CALLS | OPTIMISED] [PART] SOURCES ... [APART ...] USES ...): one static library
# per room, with the project's warnings. PART: sources that become part of the library which uses them. LIGHT: plans, words,
# options and texts, whose speed nobody waits for; of their time in the compiler a third was the second level of
# optimisation, a quarter of the rest what the first does beyond -Og. READERS: what reads and tells millions of points, at
# the first level. CALLS: what is timed are calls of libraries, around which small functions are to be inlined and nothing
# else matters. OPTIMISED: kernels, at the third level in every build that is not for debugging.
# One run of the compiler takes several sources, so no two of a room give one name to two things; what the compiler is
# told otherwise, for example to optimise more, it takes alone. APART: sources that must be alone for another reason.

# Code for any address serves programs and what a simulator loads: ccache then compiles it once for both.
steelyard_option(STEELYARD_POSITION_INDEPENDENT "Compile for any address (developer presets)" OFF)

# Rooms that do not see mpi.h are compiled with equal words in every variant. Tests are not shared, and a cache would read
# their precompiled headers once more for each.
set(STEELYARD_CACHE "" CACHE STRING "Program that keeps what rooms were compiled to, for other builds (ccache)")

# The headers of the standard library take most of the time of a small source. OFF shows a header that is not named.
steelyard_option(STEELYARD_TOGETHER "Compile several sources of a room at once" ON)
set(sources_at_once 24)

# What developers link a hundred times a day needs no small program: the fastest linker that is there.
steelyard_option(STEELYARD_FAST_LINKER "Link with mold, lld or gold, the first that is there (developer presets)" OFF)
if(STEELYARD_FAST_LINKER)
  include(CheckLinkerFlag)
  foreach(linker IN ITEMS mold lld gold)
    check_linker_flag(CXX -fuse-ld=${linker} STEELYARD_HAS_${linker})
    if(STEELYARD_HAS_${linker})
      add_link_options(-fuse-ld=${linker})
      break()
    endif()
  endforeach()
endif()

add_library(steelyard_options INTERFACE)
# Nothing of the build tree: equal sources compile with equal words in every variant, which lets ccache share them.
target_include_directories(steelyard_options INTERFACE ${PROJECT_SOURCE_DIR}/src)
target_compile_options(steelyard_options INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wnon-virtual-dtor
  -Woverloaded-virtual -Wcast-align)
# GCC 12 sees overlaps and uninitialised members in std::string and std::variant that are not there.
target_compile_options(steelyard_options INTERFACE
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict> $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
# GCC looks for what it can forget once it holds so many KiB, by itself at 128 MiB, which every large unit reaches.
target_compile_options(steelyard_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=524288>)
# A name of one source may be that of a local thing in the next.
if(STEELYARD_TOGETHER)
  target_compile_options(steelyard_options INTERFACE -Wno-shadow)
endif()
if(STEELYARD_WERROR)
  target_compile_options(steelyard_options INTERFACE -Werror)
endif()
if(STEELYARD_SANITIZE)
  target_compile_options(steelyard_options INTERFACE
    -fsanitize=${STEELYARD_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(steelyard_options INTERFACE -fsanitize=${STEELYARD_SANITIZE})
endif()

if(STEELYARD_SIMULATED)
  steelyard_simulated_options()
elseif(STEELYARD_MPI)
  add_library(steelyard_mpi_c INTERFACE)
  target_link_libraries(steelyard_mpi_c INTERFACE MPI::MPI_C)
  # Libraries of MPI 4 and later advise against functions for which MPI 3.1 has no other.
  target_compile_definitions(steelyard_mpi_c INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX OMPI_WANT_MPI_INTERFACE_WARNING=0)
endif()

function(steelyard_library room)
  cmake_parse_arguments(arg "LIGHT;READERS;CALLS;OPTIMISED;PART" "" "SOURCES;APART;USES" ${ARGN})
  set(kind STATIC)
  if(arg_PART)
    set(kind OBJECT)
  endif()
  add_library(steelyard_${room} ${kind} ${arg_SOURCES} ${arg_APART})
  set_target_properties(steelyard_${room} PROPERTIES
    UNITY_BUILD ${STEELYARD_TOGETHER} UNITY_BUILD_BATCH_SIZE ${sources_at_once})
  set_source_files_properties(${arg_APART} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  target_link_libraries(steelyard_${room} PUBLIC steelyard_options ${arg_USES})
  if(arg_LIGHT)
    target_compile_options(steelyard_${room} PRIVATE $<$<CONFIG:Release>:-Og>)
  endif()
  if(arg_READERS)
    target_compile_options(steelyard_${room} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  if(arg_CALLS)
    target_compile_options(steelyard_${room} PRIVATE
      "$<$<AND:$<CONFIG:Release>,$<CXX_COMPILER_ID:GNU>>:-O1;-finline-small-functions>")
  endif()
  if(arg_OPTIMISED)
    target_compile_options(steelyard_${room} PRIVATE $<$<NOT:$<CONFIG:Debug>>:-O3>)
  endif()
  if(STEELYARD_CACHE)
    set_target_properties(steelyard_${room} PROPERTIES CXX_COMPILER_LAUNCHER ${STEELYARD_CACHE})
  endif()
  if(STEELYARD_POSITION_INDEPENDENT)
    set_target_properties(steelyard_${room} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  endif()
endfunction()
