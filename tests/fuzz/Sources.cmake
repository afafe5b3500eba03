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
steelyard_append_sources(sources units amount.cpp)
steelyard_append_sources(apart units text.cpp)
steelyard_append_sources(sources record ahead.cpp appender.cpp element.cpp fields.cpp from_json.cpp json_fast_none.cpp masks.cpp members.cpp
  merge.cpp point_view.cpp points.cpp reader.cpp records.cpp unfinished.cpp value.cpp whereabouts.cpp
  written.cpp ${source_of_bytes})
steelyard_append_sources(apart record json.cpp to_text.cpp)
steelyard_append_sources(sources machine text.cpp)
steelyard_append_sources(sources stats order.cpp)
steelyard_append_sources(sources analysis/balance demands.cpp inputs.cpp system.cpp systems.cpp)
list(APPEND sources ${PROJECT_BINARY_DIR}/src/analysis/balance/systems_data.cpp)
steelyard_append_sources(apart analysis/balance system_document.cpp)
steelyard_append_sources(sources suites/imb definition.cpp computation.cpp io/rules.cpp matrix_vector.cpp
  mt/partners.cpp p2p/sequence.cpp)
steelyard_append_sources(sources measure buffers.cpp)
steelyard_append_sources(sources suites/imb configuration.cpp plan.cpp schedule.cpp settings.cpp sides.cpp)
get_target_property(readers_of_texts steelyard_foreign SOURCES)
steelyard_append_sources(sources foreign ${readers_of_texts})
steelyard_append_sources(sources suites/beffio patterns.cpp settings.cpp)
steelyard_append_sources(sources suites/hpcc sizes.cpp summary_keys.cpp input/file.cpp hpl/options.cpp)
set_source_files_properties(${PROJECT_BINARY_DIR}/src/analysis/balance/systems_data.cpp PROPERTIES
  COMPILE_OPTIONS -Wno-overlength-strings)
