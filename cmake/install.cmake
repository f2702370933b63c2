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

install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY deploy/prometheus deploy/alertmanager deploy/grafana
  DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
install(DIRECTORY systemd/examples/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples/systemd)
