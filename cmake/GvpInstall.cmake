# SPDX-License-Identifier: Apache-2.0
# cmake --install: the programs, the libraries with their headers, the package file, and the data a
# first run needs (platform files, firmware).
include(CMakePackageConfigHelpers)
set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/gpgpu-vp)

install(DIRECTORY models platform tools DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gpgpu-vp
        FILES_MATCHING PATTERN "*.h" PATTERN "*.def" PATTERN kcc/include EXCLUDE)
install(EXPORT gpgpu-vp NAMESPACE gvp:: FILE gpgpu-vp-targets.cmake DESTINATION ${package_directory})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/gpgpu-vp-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES cmake/gpgpu-vp-config.cmake cmake/GvpDependencies.cmake cmake/FindSystemC.cmake
              ${CMAKE_BINARY_DIR}/gpgpu-vp-config-version.cmake
        DESTINATION ${package_directory})

install(DIRECTORY platform/configs platform/boards DESTINATION ${CMAKE_INSTALL_DATADIR}/gpgpu-vp)
install(DIRECTORY firmware/prebuilt/ DESTINATION ${CMAKE_INSTALL_DATADIR}/gpgpu-vp/firmware)
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR})
