# cpack -G DEB: a package for the Debian release of this machine.
cmake_host_system_information(RESULT debian QUERY DISTRIB_VERSION_ID)

# A package of Debian 13 is newer than the same of 12: it is taken when the machine is upgraded.
set(CPACK_DEBIAN_PACKAGE_RELEASE 1~deb${debian})
set(TIDEGAUGE_DEB_VERSION ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})
set(package_files ${PROJECT_BINARY_DIR}/debian)

configure_file(deploy/debian/changelog.in ${package_files}/changelog.Debian @ONLY)
configure_file(CHANGELOG.md ${package_files}/changelog COPYONLY)
execute_process(COMMAND gzip -9nfk changelog.Debian changelog WORKING_DIRECTORY ${package_files}
                COMMAND_ERROR_IS_FATAL ANY)

# Absolute paths: an installation by hand must not overwrite what is in /etc.
function(package_files destination)
  install(FILES ${ARGN} DESTINATION ${destination} COMPONENT debian EXCLUDE_FROM_ALL)
endfunction()

package_files(/etc/tidegauge deploy/debian/tidegauge.yaml)
package_files(/usr/share/doc/tidegauge deploy/debian/copyright ${package_files}/changelog.gz
  ${package_files}/changelog.Debian.gz)
install(FILES systemd/tidegauge.default RENAME tidegauge DESTINATION /etc/default
  COMPONENT debian EXCLUDE_FROM_ALL)
install(FILES ${librdkafka}/share/licenses/librdkafka/LICENSES.txt RENAME copyright.librdkafka
  DESTINATION /usr/share/doc/tidegauge COMPONENT debian EXCLUDE_FROM_ALL)

set(bill_of_materials ${PROJECT_SOURCE_DIR}/deploy/debian/bill_of_materials.py)
install(CODE "execute_process(
  COMMAND ${Python3_EXECUTABLE} -B ${bill_of_materials} ${PROJECT_BINARY_DIR} ${librdkafka} ${PROJECT_VERSION}
  OUTPUT_FILE \$ENV{DESTDIR}/usr/share/doc/tidegauge/tidegauge.cdx.json COMMAND_ERROR_IS_FATAL ANY)"
  COMPONENT debian EXCLUDE_FROM_ALL)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "tidegauge maintainers <maintainers@tidegauge.example>")
set(CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};tidegauge;ALL;/"
    "${PROJECT_BINARY_DIR};tidegauge;debian;/")
set(CPACK_SET_DESTDIR ON)
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"watches Spark Structured Streaming checkpoints on Kafka
Holds the checkpoints of Spark Structured Streaming queries against live
Kafka, and exports to Prometheus what Spark cannot see or says too late: that
a topic was recreated under a query, that records expired before they were
read, how many records are lost or about to be, and what to do about it.

It reads, and never writes to a checkpoint, to an output directory or to
Kafka.")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "init-system-helpers (>= 1.52), systemd-standalone-sysusers | systemd-sysusers")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "ca-certificates, libsasl2-modules")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libsasl2-modules-gssapi-mit, prometheus")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA)
foreach(file IN ITEMS conffiles postinst prerm postrm)
  list(APPEND CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/deploy/debian/${file})
endforeach()
include(CPack)
