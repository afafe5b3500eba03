# SPDX-License-Identifier: Apache-2.0
# The report's page: web/ bundled into one HTML file and compiled into the program.
# STEELYARD_WEB_SOURCES: sources that hold it, for the room that answers them.

set(STEELYARD_REPORT_TEMPLATE "" CACHE FILEPATH "A page built elsewhere, instead of building it here")
set(web_released ${PROJECT_SOURCE_DIR}/web/built/template.html)  # in a released archive alone: no Node.js is needed

set(web ${PROJECT_SOURCE_DIR}/web)
set(STEELYARD_WEB_BUILD ${PROJECT_BINARY_DIR}/web CACHE INTERNAL "where the page of the report is built")
set(web_page ${STEELYARD_WEB_BUILD}/template.html)
file(GLOB web_sources CONFIGURE_DEPENDS ${web}/src/*.ts ${web}/src/*.css)
list(APPEND web_sources ${web}/src/template.html ${web}/build.mjs ${web}/package.json ${web}/package-lock.json)

function(steelyard_find_node)
  find_program(STEELYARD_NODE NAMES node nodejs)
  find_program(STEELYARD_NPM NAMES npm)
  set(found OFF)
  if(STEELYARD_NODE AND STEELYARD_NPM)
    execute_process(COMMAND ${STEELYARD_NODE} --version OUTPUT_VARIABLE version ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(version MATCHES "^v([0-9]+)" AND CMAKE_MATCH_1 GREATER_EQUAL 18)
      set(found ON)
    endif()
  endif()
  set(STEELYARD_NODE_FOUND ${found} PARENT_SCOPE)
endfunction()

function(steelyard_embed symbol file output)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DSYMBOL=${symbol} -DINPUT=${file} -DOUTPUT=${output} -P ${PROJECT_SOURCE_DIR}/cmake/Embed.cmake
    DEPENDS ${file} ${PROJECT_SOURCE_DIR}/cmake/Embed.cmake
    COMMENT "Embedding ${symbol}" VERBATIM)
endfunction()

if(STEELYARD_REPORT_TEMPLATE)
  set(web_page ${STEELYARD_REPORT_TEMPLATE})
elseif(STEELYARD_WEB STREQUAL "AUTO" AND EXISTS ${web_released})
  set(web_page ${web_released})
else()
  steelyard_find_node()
  if(STEELYARD_WEB STREQUAL "ON" AND NOT STEELYARD_NODE_FOUND)
    message(FATAL_ERROR "STEELYARD_WEB=ON needs Node.js 18 or later and npm. On Debian or Ubuntu: apt-get install nodejs npm")
  endif()
  set(web_tools --omit=dev)
  find_program(STEELYARD_CHROMIUM NAMES chromium-headless-shell chromium chromium-browser google-chrome)
  if(STEELYARD_TESTS)  # what drives the browser, and the formatter
    set(web_tools "")
  endif()
  if(STEELYARD_WEB STREQUAL "OFF" OR NOT STEELYARD_NODE_FOUND)
    if(NOT STEELYARD_WEB STREQUAL "OFF")
      message(STATUS "Node.js 18 and npm not found (nodejs npm): reports will have tables and no charts")
    endif()
    file(WRITE ${web_page}.none "")
    set(web_page ${web_page}.none)
  else()
    add_custom_command(OUTPUT ${web_page}
      COMMAND ${CMAKE_COMMAND} -DNODE=${STEELYARD_NODE} -DNPM=${STEELYARD_NPM} -DWEB=${web} -DBUILD=${STEELYARD_WEB_BUILD}
        -DTOOLS=${web_tools} -DREQUIRED=${STEELYARD_WEB} -DOUTPUT=${web_page} -P ${PROJECT_SOURCE_DIR}/cmake/BuildPage.cmake
      DEPENDS ${web_sources} ${PROJECT_SOURCE_DIR}/cmake/BuildPage.cmake
      COMMENT "Bundling the report's page" VERBATIM)
  endif()
endif()

set(web_generated ${PROJECT_BINARY_DIR}/generated/report)
file(MAKE_DIRECTORY ${web_generated})
steelyard_embed(embedded_page ${web_page} ${web_generated}/embedded_page.cpp)
steelyard_embed(embedded_style ${web}/src/style.css ${web_generated}/embedded_style.cpp)
set(STEELYARD_WEB_SOURCES ${web_generated}/embedded_page.cpp ${web_generated}/embedded_style.cpp)
