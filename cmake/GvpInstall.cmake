# SPDX-License-Identifier: Apache-2.0
# cmake --install: the programs, the components (libraries with public headers, and what they link
# to), the package file, and the data a first run needs (platform files, firmware).
include(CMakePackageConfigHelpers)
set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/gpgpu-vp)

# gvp_closure(OUT_TARGETS OUT_PACKAGES TARGET): all targets of ours that a target links to, itself
# among them, and the packages that they and so their users need
function(gvp_closure out_targets out_packages target)
  set(targets)
  set(packages)
  set(open ${target})
  while(open)
    list(POP_FRONT open name)
    if(name IN_LIST targets)
      continue()
    endif()
    list(APPEND targets ${name})
    get_target_property(links ${name} INTERFACE_LINK_LIBRARIES)
    foreach(link IN LISTS links)
      string(REGEX REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1" link "${link}")
      if(NOT link OR link MATCHES "BUILD_INTERFACE:")
        continue()
      elseif(link MATCHES "^gvp(::|_options$)")
        string(REGEX REPLACE "^gvp::" "" link ${link})
        list(APPEND open ${link})
      else()
        string(REGEX REPLACE "::.*" "" package ${link})
        list(APPEND packages ${package})
      endif()
    endforeach()
  endwhile()
  list(REMOVE_DUPLICATES packages)
  set(${out_targets} ${targets} PARENT_SCOPE)
  set(${out_packages} ${packages} PARENT_SCOPE)
endfunction()

get_property(GVP_COMPONENTS GLOBAL PROPERTY GVP_COMPONENTS)
set(exported)
set(GVP_COMPONENT_PACKAGES)
foreach(component IN LISTS GVP_COMPONENTS)
  gvp_closure(targets packages ${component})
  list(APPEND exported ${targets})
  string(APPEND GVP_COMPONENT_PACKAGES "set(_gvp_packages_${component} ${packages})\n")
endforeach()
list(REMOVE_DUPLICATES exported)
install(TARGETS ${exported} EXPORT gpgpu-vp ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/gpgpu-vp
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/gpgpu-vp)
install(EXPORT gpgpu-vp NAMESPACE gvp:: FILE gpgpu-vp-targets.cmake DESTINATION ${package_directory})

# The public headers and what they include of ours (written from the repository's root).
get_property(open GLOBAL PROPERTY GVP_PUBLIC_HEADERS)
set(headers)
while(open)
  list(POP_FRONT open header)
  if(header IN_LIST headers)
    continue()
  endif()
  list(APPEND headers ${header})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${header})
  cmake_path(GET header PARENT_PATH folder)
  install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gpgpu-vp/${folder})
  file(STRINGS ${header} includes REGEX "^#include \"")
  foreach(include IN LISTS includes)
    string(REGEX REPLACE "^#include \"([^\"]+)\".*" "\\1" include ${include})
    list(APPEND open ${include})
  endforeach()
endwhile()

list(JOIN GVP_COMPONENTS " " GVP_COMPONENTS)
string(REPLACE ";" " " GVP_COMPONENT_PACKAGES "${GVP_COMPONENT_PACKAGES}")
configure_package_config_file(cmake/gpgpu-vp-config.cmake.in ${CMAKE_BINARY_DIR}/gpgpu-vp-config.cmake
                              INSTALL_DESTINATION ${package_directory} NO_SET_AND_CHECK_MACRO
                              NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/gpgpu-vp-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/gpgpu-vp-config.cmake ${CMAKE_BINARY_DIR}/gpgpu-vp-config-version.cmake
              cmake/GvpDependencies.cmake cmake/FindSystemC.cmake
        DESTINATION ${package_directory})

install(DIRECTORY platform/configs platform/boards DESTINATION ${CMAKE_INSTALL_DATADIR}/gpgpu-vp)
install(DIRECTORY firmware/prebuilt/ DESTINATION ${CMAKE_INSTALL_DATADIR}/gpgpu-vp/firmware)
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR})
