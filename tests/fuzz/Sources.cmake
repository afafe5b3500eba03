# SPDX-License-Identifier: Apache-2.0
# What the readers need of the rooms, source by source: whole rooms would be compiled with clang for nothing.
function(steelyard_append_sources variable folder)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/src/${folder}/)
  set(${variable} ${${variable}} ${ARGN} PARENT_SCOPE)
endfunction()

set(source_of_bytes source_plain.cpp)
if(ZLIB_FOUND)
  set(source_of_bytes source_zlib.cpp)
endif()
steelyard_append_sources(sources units counts.cpp duration.cpp number.cpp print.cpp range.cpp scan.cpp
  word.cpp)
steelyard_append_sources(apart units size.cpp)
steelyard_append_sources(sources record appender.cpp document.cpp event_codes.cpp fields.cpp key.cpp line.cpp
  read_parts.cpp read_records.cpp
  reader.cpp runs.cpp unfinished.cpp value.cpp write_parts.cpp ${source_of_bytes})
steelyard_append_sources(apart record write_records.cpp)
steelyard_append_sources(sources analysis/balance demands.cpp hpcc_inputs.cpp inputs.cpp layout.cpp
  quantity.cpp read_csv.cpp systems.cpp)
list(APPEND sources ${PROJECT_BINARY_DIR}/src/analysis/balance/systems_data.cpp)
steelyard_append_sources(apart analysis/balance read_document.cpp)
steelyard_append_sources(sources suites/imb definition.cpp io/action.cpp parts.cpp)
steelyard_append_sources(sources suites/beffio hints.cpp patterns.cpp)
steelyard_append_sources(sources suites/hpcc sizes.cpp input/file.cpp input/lines.cpp input/writer.cpp
  hpl/options.cpp)
set_source_files_properties(${PROJECT_BINARY_DIR}/src/analysis/balance/systems_data.cpp PROPERTIES
  COMPILE_OPTIONS -Wno-overlength-strings)
