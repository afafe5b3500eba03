# SPDX-License-Identifier: Apache-2.0
# What a build tree notes of its installations: each `cmake --install` leaves a list of files (of one component, or of all),
# and BUILD/install_places.txt has a line for each list that says where its files went, the last one at its end.
# Paths are held with what lists of CMake, or these lines, take for their own written as %XX.
cmake_policy(VERSION 3.25)  # scripts of an installation have none

# steelyard_protect(variable text): the text as one element of a list.
function(steelyard_protect variable text)
  string(REPLACE "%" "%25" text "${text}")
  string(REPLACE ";" "%3B" text "${text}")
  string(REPLACE "[" "%5B" text "${text}")
  string(REPLACE "]" "%5D" text "${text}")
  string(REPLACE "\\" "%5C" text "${text}")
  string(REPLACE "|" "%7C" text "${text}")
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

# steelyard_unprotect(variable text): what it was.
function(steelyard_unprotect variable text)
  string(REPLACE "%0A" "\n" text "${text}")
  string(REPLACE "%3B" ";" text "${text}")
  string(REPLACE "%5B" "[" text "${text}")
  string(REPLACE "%5D" "]" text "${text}")
  string(REPLACE "%5C" "\\" text "${text}")
  string(REPLACE "%7C" "|" text "${text}")
  string(REPLACE "%25" "%" text "${text}")
  set(${variable} "${text}" PARENT_SCOPE)
endfunction()

# steelyard_read_list(variable file): the lines of a list of files, protected; none where there is no such file.
function(steelyard_read_list variable file)
  set(lines "")
  if(EXISTS "${file}")
    file(READ "${file}" text)  # file(STRINGS) would part lines at letters that are not ASCII
    steelyard_protect(lines "${text}")
    string(REPLACE "\n" ";" lines "${lines}")
    list(FILTER lines EXCLUDE REGEX "^$")
  endif()
  set(${variable} "${lines}" PARENT_SCOPE)
endfunction()

# steelyard_read_places(variable build [without]): the lines of install_places.txt but that of one list.
function(steelyard_read_places variable build)
  set(kept "")
  if(EXISTS "${build}/install_places.txt")
    file(READ "${build}/install_places.txt" text)
    string(REPLACE "\n" ";" places "${text}")
    foreach(place IN LISTS places)
      if(place MATCHES "^([^|]+)[|][^|]*[|]" AND NOT CMAKE_MATCH_1 STREQUAL "${ARGN}")
        list(APPEND kept "${place}")
      endif()
    endforeach()
  endif()
  set(${variable} "${kept}" PARENT_SCOPE)
endfunction()

function(steelyard_write_places build places)
  list(JOIN places "\n" text)
  file(WRITE "${build}/install_places.txt" "${text}\n")
endfunction()

# steelyard_refuse_prefix(prefix): CMake writes lists of files in which such paths are torn, and nothing could be removed.
function(steelyard_refuse_prefix prefix)
  if(prefix MATCHES "[;\n]")
    message(FATAL_ERROR "steelyard installs below no folder with a semicolon or a line break in its name: ${prefix}")
  endif()
endfunction()

# steelyard_note_installed(build component destdir prefix)
function(steelyard_note_installed build component destdir prefix)
  set(manifest install_manifest.txt)
  if(NOT component STREQUAL "")
    set(manifest "install_manifest_${component}.txt")
  endif()
  steelyard_protect(destdir "${destdir}")
  steelyard_protect(prefix "${prefix}")
  string(REPLACE "\n" "%0A" destdir "${destdir}")
  steelyard_read_places(places "${build}" "${manifest}")
  list(APPEND places "${manifest}|${destdir}|${prefix}")
  steelyard_write_places("${build}" "${places}")
endfunction()
