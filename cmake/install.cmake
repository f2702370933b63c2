# What goes where, below any prefix; cmake/package.cmake has what belongs to a Debian package alone.
include(GNUInstallDirs)
find_package(Python3 REQUIRED COMPONENTS Interpreter)

set(man_page ${PROJECT_BINARY_DIR}/tidegauge.1)
add_custom_command(OUTPUT ${man_page}.gz
  COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/deploy/man/man_page.py
          $<TARGET_FILE:tidegauge> ${PROJECT_SOURCE_DIR}/deploy/man/tidegauge.1.in > ${man_page}
  COMMAND gzip -9nf ${man_page}
  DEPENDS tidegauge deploy/man/man_page.py deploy/man/tidegauge.1.in
  VERBATIM)
add_custom_target(man_page ALL DEPENDS ${man_page}.gz)

install(FILES ${man_page}.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES deploy/completion/tidegauge.bash RENAME tidegauge
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES systemd/tidegauge.service systemd/tidegauge.socket DESTINATION lib/systemd/system)
install(FILES systemd/tidegauge.sysusers RENAME tidegauge.conf DESTINATION lib/sysusers.d)

# What pages link to beside docs lies below them once it is installed.
function(install_pages)
  file(GLOB_RECURSE pages RELATIVE ${PROJECT_SOURCE_DIR}/docs CONFIGURE_DEPENDS docs/*.md)
  foreach(page IN LISTS pages)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS docs/${page})
    file(READ docs/${page} text)
    string(REPLACE "(../systemd/examples/" "(examples/systemd/" text "${text}")
    string(REPLACE "(../systemd/" "(/usr/lib/systemd/system/" text "${text}")
    string(REPLACE "(../deploy/" "(examples/" text "${text}")
    string(REPLACE "(../config/" "(examples/config/" text "${text}")
    string(REPLACE "(../CHANGELOG.md)" "(changelog.gz)" text "${text}")
    file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/docs/${page} "${text}")
  endforeach()
  install(DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR})
endfunction()
install_pages()
install(DIRECTORY deploy/prometheus deploy/alertmanager deploy/grafana deploy/kubernetes deploy/helm
  DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
install(DIRECTORY systemd/examples/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples/systemd)
install(FILES config/reference.yaml DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples/config)
install(DIRECTORY config/examples DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples/config)
