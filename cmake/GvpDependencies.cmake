# SPDX-License-Identifier: Apache-2.0
# The packages that the libraries link to, one macro: the build finds all, find_package(gpgpu-vp) those
# that the components asked for need.

# gvp_find(PACKAGE): the package that offers a target of this name
macro(gvp_find package)
  if("${package}" STREQUAL SystemC)
    find_package(SystemC 2.3.4 REQUIRED)
  elseif("${package}" STREQUAL Boost)
    find_package(Boost 1.74 REQUIRED COMPONENTS program_options)
  elseif("${package}" STREQUAL fmt)
    find_package(fmt 9 REQUIRED)
  elseif("${package}" STREQUAL nlohmann_json)
    find_package(nlohmann_json 3.11 REQUIRED)
  elseif("${package}" STREQUAL tomlplusplus)
    find_package(tomlplusplus 3 REQUIRED)
  elseif("${package}" STREQUAL PkgConfig)
    find_package(PkgConfig REQUIRED)
    pkg_check_modules(libelf REQUIRED IMPORTED_TARGET libelf)
  elseif("${package}" STREQUAL asmjit) # for the MicroBlaze's dynamic translator; optional
    find_package(asmjit CONFIG QUIET)
  elseif("${package}" STREQUAL SQLite3)
    find_package(SQLite3 3.34 REQUIRED)
    if(NOT TARGET SQLite3::SQLite3) # CMake before 4.3 calls it otherwise
      add_library(SQLite3::SQLite3 ALIAS SQLite::SQLite3)
    endif()
  elseif("${package}" STREQUAL ZLIB) # for the waveforms of RTL
    find_package(ZLIB REQUIRED)
  elseif("${package}" STREQUAL Threads)
    find_package(Threads REQUIRED)
  else()
    message(FATAL_ERROR "cmake/GvpDependencies.cmake does not know the package ${package}")
  endif()
endmacro()
