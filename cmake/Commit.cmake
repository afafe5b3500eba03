# SPDX-License-Identifier: Apache-2.0
# Writes HEADER with the commit of the checkout SOURCE, and whether files differ from it; touches the header only when
# that changed. An archive that git made says in cmake/commit.txt which commit it is of, and nothing of changes. Else both are unknown.
set(commit "std::nullopt")
set(modified "std::nullopt")
if(GIT AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${GIT} rev-parse --short=12 HEAD WORKING_DIRECTORY ${SOURCE}
    OUTPUT_VARIABLE hash OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed)
    set(commit "\"${hash}\"")
    execute_process(COMMAND ${GIT} --no-optional-locks status --porcelain --untracked-files=no WORKING_DIRECTORY ${SOURCE}
      OUTPUT_VARIABLE changes ERROR_QUIET RESULT_VARIABLE failed)
    if(NOT failed)
      set(modified "true")
      if(changes STREQUAL "")
        set(modified "false")
      endif()
    endif()
  endif()
endif()
if(commit STREQUAL "std::nullopt")
  file(STRINGS ${SOURCE}/cmake/commit.txt archived LIMIT_COUNT 1)
  if(archived MATCHES "^[0-9a-f]+$")
    string(SUBSTRING "${archived}" 0 12 archived)
    set(commit "\"${archived}\"")
  endif()
endif()
set(text "#pragma once\n#include <optional>\n#include <string>\n\
inline const std::optional<std::string> steelyard_commit = ${commit};\n\
inline constexpr std::optional<bool> steelyard_modified = ${modified};\n")
set(old "")
if(EXISTS ${HEADER})
  file(READ ${HEADER} old)
endif()
if(NOT old STREQUAL text)
  file(WRITE ${HEADER} "${text}")
endif()
