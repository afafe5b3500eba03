# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where, in three components that packages take apart:
#   program    the executable, links with the classic programs' names
#   documents  manual pages, completion, docs, data, examples, integrations: the same for every MPI library
#   module     a file for environment modules
# What a list of installed files cannot hold is refused first; the place is noted last, when all is there.
set(installed_list "${PROJECT_SOURCE_DIR}/cmake/InstalledList.cmake")
install(CODE "
  include(\"${installed_list}\")
  steelyard_refuse_prefix(\"\${CMAKE_INSTALL_PREFIX}\")" ALL_COMPONENTS)

set(STEELYARD_PROGRAM_SUFFIX "" CACHE STRING
    "Put behind the installed program's name, e.g. .mpich or -0.1, where several builds share a prefix")
set(program_name steelyard${STEELYARD_PROGRAM_SUFFIX})
if(NOT STEELYARD_PROGRAM_SUFFIX MATCHES "^([._-][A-Za-z0-9._-]+)?$")
  message(FATAL_ERROR "STEELYARD_PROGRAM_SUFFIX must begin with one of . _ - and go on with letters, digits and these, "
    "got '${STEELYARD_PROGRAM_SUFFIX}'")
endif()

if(STEELYARD_PROGRAM_SUFFIX STREQUAL "")
  install(TARGETS steelyard RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
else()
  # The target keeps its name, so that tests and tools find it in every build tree.
  install(PROGRAMS $<TARGET_FILE:steelyard> DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME ${program_name} COMPONENT program)
endif()
# Libraries from a home directory, from Spack or conda are found after installing where they were when the program was
# linked. Linked so from the beginning, the program is the same whichever way it was installed above.
if(NOT DEFINED CMAKE_INSTALL_RPATH_USE_LINK_PATH)
  set_target_properties(steelyard PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
endif()
set_target_properties(steelyard PROPERTIES BUILD_WITH_INSTALL_RPATH ON)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documents
  FILES_MATCHING PATTERN "*.md")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR}
  COMPONENT documents)
install(FILES ${PROJECT_SOURCE_DIR}/data/systems.json ${PROJECT_SOURCE_DIR}/src/record/result.schema.json
  DESTINATION ${CMAKE_INSTALL_DATADIR}/steelyard COMPONENT documents)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples ${PROJECT_SOURCE_DIR}/integrations
  DESTINATION ${CMAKE_INSTALL_DATADIR}/steelyard COMPONENT documents
  PATTERN __pycache__ EXCLUDE PATTERN CMakeLists.txt EXCLUDE)
install(CODE "
  set(steelyard_tree \"${PROJECT_SOURCE_DIR}\")
  set(steelyard_documents \"${CMAKE_INSTALL_DOCDIR}\")
  set(steelyard_data \"${CMAKE_INSTALL_DATADIR}/steelyard\")" COMPONENT documents)
install(SCRIPT installed_links.cmake COMPONENT documents)

# steelyard_relative(variable from to): the path between two places under any prefix.
function(steelyard_relative variable from to)
  cmake_path(ABSOLUTE_PATH from BASE_DIRECTORY "/prefix")
  cmake_path(ABSOLUTE_PATH to BASE_DIRECTORY "/prefix")
  cmake_path(RELATIVE_PATH to BASE_DIRECTORY ${from})
  set(${variable} ${to} PARENT_SCOPE)
endfunction()

# Links hide nobody's real programs unless that is asked for.
function(steelyard_install_link name)
  if(STEELYARD_INSTALL_LINKS STREQUAL "bin")
    set(place ${CMAKE_INSTALL_BINDIR})
  else()
    set(place ${CMAKE_INSTALL_LIBDIR}/${program_name}/bin)
  endif()
  steelyard_relative(target ${place} ${CMAKE_INSTALL_BINDIR}/${program_name})
  install(CODE "
    set(place \"${place}\")
    cmake_path(ABSOLUTE_PATH place BASE_DIRECTORY \"\${CMAKE_INSTALL_PREFIX}\")
    file(MAKE_DIRECTORY \"\$ENV{DESTDIR}\${place}\")
    file(CREATE_LINK \"${target}\" \"\$ENV{DESTDIR}\${place}/${name}\" SYMBOLIC)
    list(APPEND CMAKE_INSTALL_MANIFEST_FILES \"\${place}/${name}\")
    message(STATUS \"Installing: \$ENV{DESTDIR}\${place}/${name}\")" COMPONENT program)
endfunction()
if(STEELYARD_MPI)
  foreach(name IN ITEMS IMB-MPI1 IMB-EXT IMB-IO IMB-NBC IMB-RMA IMB-MPI4 IMB-P2P IMB-MT
      b_eff b_eff_io ftio hpcc hpl)
    steelyard_install_link(${name})
  endforeach()
endif()

# Manual pages and completion are written by the program itself; a cross-compiled one cannot run here.
if(NOT CMAKE_CROSSCOMPILING)
  set(written ${CMAKE_CURRENT_BINARY_DIR}/written)
  add_custom_command(OUTPUT ${written}/stamp
    COMMAND ${CMAKE_COMMAND} -E make_directory ${written}
    COMMAND steelyard docs man ${written}/man1
    COMMAND steelyard docs markdown ${written}/reference
    COMMAND steelyard docs completion bash > ${written}/steelyard.bash
    COMMAND steelyard docs completion zsh > ${written}/_steelyard
    COMMAND steelyard docs completion fish > ${written}/steelyard.fish
    COMMAND ${CMAKE_COMMAND} -E touch ${written}/stamp
    DEPENDS steelyard
    COMMENT "Writing manual pages and completion" VERBATIM)
  add_custom_target(steelyard_written ALL DEPENDS ${written}/stamp)
  install(DIRECTORY ${written}/man1/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT documents)
  install(DIRECTORY ${written}/reference DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT documents)
  install(FILES ${written}/steelyard.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
    RENAME steelyard COMPONENT documents)
  install(FILES ${written}/_steelyard DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions COMPONENT documents)
  install(FILES ${written}/steelyard.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d
    COMPONENT documents)
endif()

# The module finds the program from its own place, so that an installed tree can be moved.
set(module_place ${CMAKE_INSTALL_DATADIR}/steelyard/modulefiles/steelyard)
set(module_version ${PROJECT_VERSION}${STEELYARD_PROGRAM_SUFFIX})
steelyard_relative(module_to_bin ${module_place} ${CMAKE_INSTALL_BINDIR})
steelyard_relative(module_to_man ${module_place} ${CMAKE_INSTALL_MANDIR})
configure_file(modulefile.in ${CMAKE_CURRENT_BINARY_DIR}/modulefile @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/modulefile DESTINATION ${module_place} RENAME ${module_version} COMPONENT module)

install(CODE "
  include(\"${installed_list}\")
  steelyard_note_installed(\"${PROJECT_BINARY_DIR}\" \"\${CMAKE_INSTALL_COMPONENT}\" \"\$ENV{DESTDIR}\" \"\${CMAKE_INSTALL_PREFIX}\")"
  ALL_COMPONENTS)

# Takes away what the last `cmake --install` of this build tree put there.
add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR}
  -P ${PROJECT_SOURCE_DIR}/cmake/Uninstall.cmake VERBATIM)
