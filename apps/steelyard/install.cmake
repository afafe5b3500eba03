# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where: the program, links with the classic programs' names, manual pages,
# completion, docs.
install(TARGETS steelyard RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR}
  FILES_MATCHING PATTERN "*.md")
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${PROJECT_SOURCE_DIR}/data/systems.json ${PROJECT_SOURCE_DIR}/src/record/result.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/steelyard)

# Links hide nobody's real programs unless that is asked for.
function(steelyard_install_link name)
  if(STEELYARD_INSTALL_LINKS STREQUAL "bin")
    set(place ${CMAKE_INSTALL_BINDIR})
  elseif(STEELYARD_INSTALL_LINKS STREQUAL "libdir")
    set(place ${CMAKE_INSTALL_LIBDIR}/steelyard/bin)
  else()
    message(FATAL_ERROR "STEELYARD_INSTALL_LINKS must be libdir or bin, got '${STEELYARD_INSTALL_LINKS}'")
  endif()
  cmake_path(ABSOLUTE_PATH place BASE_DIRECTORY "/prefix" OUTPUT_VARIABLE from)
  set(program ${CMAKE_INSTALL_BINDIR}/steelyard)
  cmake_path(ABSOLUTE_PATH program BASE_DIRECTORY "/prefix" OUTPUT_VARIABLE to)
  cmake_path(RELATIVE_PATH to BASE_DIRECTORY ${from} OUTPUT_VARIABLE target)
  install(CODE "
    set(place \"${place}\")
    cmake_path(ABSOLUTE_PATH place BASE_DIRECTORY \"\${CMAKE_INSTALL_PREFIX}\")
    file(MAKE_DIRECTORY \"\$ENV{DESTDIR}\${place}\")
    file(CREATE_LINK \"${target}\" \"\$ENV{DESTDIR}\${place}/${name}\" SYMBOLIC)
    message(STATUS \"Installing: \$ENV{DESTDIR}\${place}/${name}\")")
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
    COMMENT "Writing manual pages and completion")
  add_custom_target(steelyard_written ALL DEPENDS ${written}/stamp)
  install(DIRECTORY ${written}/man1/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(DIRECTORY ${written}/reference DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(FILES ${written}/steelyard.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
    RENAME steelyard)
  install(FILES ${written}/_steelyard DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${written}/steelyard.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
