# SPDX-License-Identifier: Apache-2.0
# steelyard_fuzz: libFuzzer over the targets. The tests search briefly, always in the same way; the target
# fuzz-long searches on from what it found before.
set(STEELYARD_FUZZ_MINUTES 60 CACHE STRING "How long fuzz-long searches, all readers together")
set(readers sizes durations numbers options configuration result_line result_file hpcc_input hpcc_output
  imb_lengths
  imb_selection hints systems balance machine_texts metadata power
  foreign_imb foreign_osu foreign_hpl foreign_hpcc foreign_stream foreign_babelstream foreign_ior foreign_mdtest
  foreign_fio foreign_b_eff foreign_b_eff_io foreign_hpcg foreign_graph500 foreign_nccl foreign_any)

add_executable(steelyard_fuzz fuzz_main.cpp)
target_link_libraries(steelyard_fuzz PRIVATE steelyard_fuzz_targets)
target_link_options(steelyard_fuzz PRIVATE -fsanitize=fuzzer)

set(search ${CMAKE_CURRENT_SOURCE_DIR}/search.sh $<TARGET_FILE:steelyard_fuzz> ${corpus})
function(steelyard_search_test reader)
  add_test(NAME fuzz.${reader} COMMAND ${search} ${CMAKE_CURRENT_BINARY_DIR}/short ${reader} runs 2000)
  set_tests_properties(fuzz.${reader} PROPERTIES TIMEOUT 600 LABELS fuzz)
endfunction()
foreach(reader IN LISTS readers)
  steelyard_search_test(${reader})
endforeach()
# What was planted must be found; otherwise a search that finds nothing means nothing.
add_test(NAME fuzz.planted COMMAND ${search} ${CMAKE_CURRENT_BINARY_DIR}/short planted runs 200000)
set_tests_properties(fuzz.planted PROPERTIES TIMEOUT 600 LABELS fuzz
  PASS_REGULAR_EXPRESSION "the planted error" )

list(LENGTH readers count)
math(EXPR seconds "(${STEELYARD_FUZZ_MINUTES} * 60 + ${count} - 1) / ${count}")
set(commands)
foreach(reader IN LISTS readers)
  list(APPEND commands COMMAND ${search} ${CMAKE_CURRENT_BINARY_DIR}/found ${reader} seconds ${seconds})
endforeach()
add_custom_target(fuzz-long ${commands} USES_TERMINAL VERBATIM)
