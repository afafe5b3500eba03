# SPDX-License-Identifier: Apache-2.0
# steelyard_test(name SOURCES ... USES ... [LABELS ...])          a GoogleTest program without MPI
# steelyard_test(name READERS_TOO SOURCES ...)                    the same, also in the variant without MPI
# steelyard_mpi_test(name SOURCES ... USES ... RANKS 1 2 3 4 5)   the same program under the launcher, once per rank count

set(test_timeout 240)
if(STEELYARD_SANITIZE)
  set(test_timeout 600)  # sanitized programs take several times as long
endif()
set(STEELYARD_TEST_TIMEOUT ${test_timeout} CACHE STRING "Seconds after which a hanging test is ended")

# What is compiled from the same sources with the same options needs no second look: ./check builds it in one variant.
steelyard_option(STEELYARD_PURE_TESTS "Build the tests that are the same with every MPI library and without" ON)

# Headers that most tests read, compiled once. Not for libraries: where GCC 12 optimises, it then warns of what is in
# the standard library. ccache needs CCACHE_SLOPPINESS=pch_defines,time_macros with it.
steelyard_option(STEELYARD_PRECOMPILE "Compile the headers of tests once per build (developer presets)" OFF)

# Calls of std::move and its like are functions too where nothing is optimised; GCC has known how to spare them since 12.
include(CheckCXXCompilerFlag)
check_cxx_compiler_flag(-ffold-simple-inlines STEELYARD_HAVE_FOLDED_INLINES)

# steelyard_unoptimised(name): most of the time of a check is compiling tests.
function(steelyard_unoptimised name)
  target_compile_options(${name} PRIVATE -O0)
  if(STEELYARD_HAVE_FOLDED_INLINES)
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-ffold-simple-inlines>)
  endif()
endfunction()

if(STEELYARD_PRECOMPILE)
  set(once ${PROJECT_SOURCE_DIR}/tests/headers_once.cpp)
  add_library(steelyard_test_headers OBJECT ${PROJECT_SOURCE_DIR}/tests/headers.cpp ${once})
  target_link_libraries(steelyard_test_headers PRIVATE steelyard_options GTest::gmock)
  steelyard_unoptimised(steelyard_test_headers)
  target_precompile_headers(steelyard_test_headers PRIVATE ${PROJECT_SOURCE_DIR}/tests/headers.hpp)
  # The linker takes its functions for rooms too, as they come first: optimised, the plans of the zoo take half the time.
  set_source_files_properties(${once} PROPERTIES SKIP_PRECOMPILE_HEADERS ON COMPILE_OPTIONS -Og)
endif()

# What starts programs of another processor, for tests that start some themselves or ask the kernel about themselves.
set(emulator_environment "")
if(CMAKE_CROSSCOMPILING_EMULATOR)
  list(JOIN CMAKE_CROSSCOMPILING_EMULATOR " " emulator_words)
  set(emulator_environment "STEELYARD_TEST_EMULATOR=${emulator_words}")
endif()

# steelyard_test_options(name [APART SOURCE ...]): how tests are compiled. APART: uses names of its own that another source
# of the test uses as well, so that the compiler does not take both at once.
function(steelyard_test_options name)
  cmake_parse_arguments(arg "" "" "APART" ${ARGN})
  steelyard_unoptimised(${name})
  get_target_property(sources ${name} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.c$")
  if(STEELYARD_TOGETHER)  # GCC misses the unnamed namespace of a source that another one includes
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON)
    set_source_files_properties(${sources} ${arg_APART} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    target_compile_options(${name} PRIVATE
      $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-subobject-linkage>)
  endif()
  if(TARGET steelyard_test_headers)
    set_source_files_properties(${sources} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
    target_precompile_headers(${name} REUSE_FROM steelyard_test_headers)
    target_link_libraries(${name} PRIVATE steelyard_test_headers)
  endif()
endfunction()

function(steelyard_test name)
  cmake_parse_arguments(arg "READERS_TOO" "" "SOURCES;APART;USES;LABELS" ${ARGN})
  if(NOT STEELYARD_PURE_TESTS AND (STEELYARD_MPI OR NOT arg_READERS_TOO))
    return()
  endif()
  add_executable(${name} ${arg_SOURCES} ${arg_APART})
  target_link_libraries(${name} PRIVATE ${arg_USES} GTest::gmock GTest::gtest_main)
  steelyard_test_options(${name} APART ${arg_APART})
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${STEELYARD_TEST_TIMEOUT} LABELS "unit;${arg_LABELS}"
    ENVIRONMENT "${emulator_environment}")
  if(STEELYARD_SANITIZE)  # all frames are ours: their pointers tell the stack of an allocation in a fifth of the time
    set_tests_properties(${name} PROPERTIES ENVIRONMENT_MODIFICATION
      ASAN_OPTIONS=string_append:,fast_unwind_on_malloc=1)
  endif()
endfunction()

# steelyard_skipped_test(name labels sentence): stands for a test that cannot run in this build, and says why.
function(steelyard_skipped_test name labels sentence)
  add_test(NAME ${name} COMMAND ${CMAKE_COMMAND} -E echo "skipped: ${sentence}")
  set_tests_properties(${name} PROPERTIES SKIP_REGULAR_EXPRESSION "^skipped: " LABELS "${labels}")
endfunction()

# Open MPI refuses more processes than cores unless told, each version in its way; as root it wants two variables. A network
# that it looks for and does not find delays every start by a fifth of a second.
set(STEELYARD_MPIEXEC_ENVIRONMENT
  OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
  PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
  OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_btl_vader_single_copy_mechanism=none
  OMPI_MCA_pml=ob1)
# Windows by another way than osc/rdma, which version 4 alone has. Version 5 is the first with the functions of MPI-4; it
# may say of sockets that they reach nobody, while version 4 needs them where shared memory is full.
if(STEELYARD_PERSISTENT_FORM STREQUAL "MPI_")
  list(APPEND STEELYARD_MPIEXEC_ENVIRONMENT OMPI_MCA_osc=rdma,sm OMPI_MCA_btl=^tcp)
else()
  list(APPEND STEELYARD_MPIEXEC_ENVIRONMENT OMPI_MCA_osc=^rdma)
endif()

# MPICH cannot be told to yield; Open MPI takes what no other process wants even then.
set(STEELYARD_CROWDED_ENVIRONMENT "")
if(STEELYARD_MPI AND MPI_C_LIBRARIES MATCHES "mpich")
  add_library(steelyard_idle_progress SHARED ${PROJECT_SOURCE_DIR}/tests/idle_progress.c)
  target_link_libraries(steelyard_idle_progress PRIVATE ${CMAKE_DL_LIBS})
  set(STEELYARD_CROWDED_ENVIRONMENT LD_PRELOAD=$<TARGET_FILE:steelyard_idle_progress>)
elseif(STEELYARD_MPI AND NOT STEELYARD_SIMULATED AND NOT STEELYARD_SANITIZE)
  add_library(steelyard_idle_waits SHARED ${PROJECT_SOURCE_DIR}/tests/idle_waits.c)
  list(APPEND STEELYARD_MPIEXEC_ENVIRONMENT LD_PRELOAD=$<TARGET_FILE:steelyard_idle_waits>)
endif()

# steelyard_slots(variable processes): of as many as tests run at once, what one with so many processes takes. A crowd
# has the machine for itself.
function(steelyard_slots variable processes)
  if(processes GREATER 2)
    set(processes 4)
  endif()
  set(${variable} ${processes} PARENT_SCOPE)
endfunction()

function(steelyard_mpi_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;APART;USES;LABELS;RANKS" ${ARGN})
  add_executable(${name} ${arg_SOURCES} ${arg_APART} ${PROJECT_SOURCE_DIR}/tests/mpi_main.cpp)
  target_link_libraries(${name} PRIVATE ${arg_USES} steelyard_mpi GTest::gmock)
  steelyard_test_options(${name} APART ${arg_APART})
  foreach(ranks IN LISTS arg_RANKS)
    add_test(NAME ${name}.np${ranks}
      COMMAND ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${ranks} $<TARGET_FILE:${name}>)
    set(label "mpi;np${ranks}")
    set(environment ${STEELYARD_MPIEXEC_ENVIRONMENT})
    if(ranks GREATER 2)
      list(APPEND label many)
      list(APPEND environment ${STEELYARD_CROWDED_ENVIRONMENT})
    endif()
    steelyard_slots(slots ${ranks})
    set_tests_properties(${name}.np${ranks} PROPERTIES TIMEOUT ${STEELYARD_TEST_TIMEOUT}
      PROCESSORS ${slots} LABELS "${label};${arg_LABELS}" ENVIRONMENT "${environment}")
  endforeach()
endfunction()
