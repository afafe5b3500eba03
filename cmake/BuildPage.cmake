# SPDX-License-Identifier: Apache-2.0
# Fetches the packages of web/package-lock.json into the build tree and bundles the page. Where that fails and the page
# is not REQUIRED=ON, the output is empty, and reports have no charts.
file(MAKE_DIRECTORY ${BUILD})
file(COPY ${WEB}/package.json ${WEB}/package-lock.json DESTINATION ${BUILD})

function(step what)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${BUILD} TIMEOUT 240
    RESULT_VARIABLE code OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(code EQUAL 0)
    return()
  endif()
  if(REQUIRED STREQUAL "ON")
    message(FATAL_ERROR "${what} failed (${code}):\n${said}")
  endif()
  message("${what} failed: reports will have tables and no charts. To try again: remove ${OUTPUT} and build.\n${said}")
  file(WRITE ${OUTPUT} "")
  set(failed ON PARENT_SCOPE)
endfunction()

set(failed OFF)
step("Fetching the packages of the report's page"
  ${CMAKE_COMMAND} -E env npm_config_fetch_retries=1 npm_config_fetch_timeout=60000 npm_config_update_notifier=false
  ${NPM} ci ${TOOLS} --ignore-scripts --no-audit --no-fund --loglevel=error)
if(NOT failed)
  step("Bundling the report's page" ${NODE} ${WEB}/build.mjs ${BUILD}/node_modules ${OUTPUT})
endif()
