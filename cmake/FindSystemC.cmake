# SPDX-License-Identifier: Apache-2.0
# Finds SystemC and offers the target SystemC::systemc.
#
# Debian's libsystemc-dev ships no CMake package file, and its ABI is C++17 only: the library
# exports an API-version symbol (sc_api_version_2_3_4_cxx201703L) and a program compiled for any
# other standard does not link.  Set SYSTEMC_HOME for an installation outside the system paths.
find_path(SystemC_INCLUDE_DIR systemc HINTS ENV SYSTEMC_HOME PATH_SUFFIXES include)
find_library(SystemC_LIBRARY systemc HINTS ENV SYSTEMC_HOME PATH_SUFFIXES lib lib64 lib-linux64)
if(SystemC_INCLUDE_DIR)
  foreach(part MAJOR MINOR PATCH)
    file(STRINGS ${SystemC_INCLUDE_DIR}/sysc/kernel/sc_ver.h _line
         REGEX "^#define SC_VERSION_${part}[ \t]+[0-9]+")
    string(REGEX MATCH "[0-9]+$" SystemC_${part} "${_line}")
  endforeach()
  set(SystemC_VERSION ${SystemC_MAJOR}.${SystemC_MINOR}.${SystemC_PATCH})
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SystemC REQUIRED_VARS SystemC_LIBRARY SystemC_INCLUDE_DIR
                                  VERSION_VAR SystemC_VERSION)
if(SystemC_FOUND AND NOT TARGET SystemC::systemc)
  find_package(Threads REQUIRED)
  add_library(SystemC::systemc UNKNOWN IMPORTED)
  set_target_properties(SystemC::systemc PROPERTIES
    IMPORTED_LOCATION ${SystemC_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${SystemC_INCLUDE_DIR}
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES ${SystemC_INCLUDE_DIR}
    INTERFACE_COMPILE_DEFINITIONS "SC_INCLUDE_DYNAMIC_PROCESSES"
    INTERFACE_LINK_LIBRARIES Threads::Threads)
endif()
mark_as_advanced(SystemC_INCLUDE_DIR SystemC_LIBRARY)
