# SPDX-License-Identifier: Apache-2.0
# The three kinds of target this project has.  Each folder lists its own sources and states its
# own dependencies; includes are always written from the repository root.
include(GoogleTest)

# gvp_library(NAME [SOURCES ...] [LINK ...] [BUILD ...] [HEADERS ...]): a static library (interface
# library without SOURCES)
#   LINK     libraries of ours, and packages that a program which links to this one needs, too
#   BUILD    packages of which only headers are used, and only in .cpp files: no user needs them
#   HEADERS  its public headers: installed, with what they include of ours, and the library with
#            them as the component NAME of the package (GvpInstall.cmake).  A library without is
#            internal; what a component links to comes along.
function(gvp_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK;BUILD;HEADERS" ${ARGN})
  if(ARG_SOURCES)
    add_library(${name} STATIC ${ARG_SOURCES})
    target_link_libraries(${name} PUBLIC gvp_options ${ARG_LINK})
    if(TARGET precompiled_systemc AND "SystemC::systemc" IN_LIST ARG_LINK)
      target_precompile_headers(${name} REUSE_FROM precompiled_systemc)
    endif()
    foreach(package IN LISTS ARG_BUILD)
      target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:${package}>)
    endforeach()
  else()
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE gvp_options ${ARG_LINK})
  endif()
  add_library(gvp::${name} ALIAS ${name})
  if(ARG_HEADERS)
    set_property(GLOBAL APPEND PROPERTY GVP_COMPONENTS ${name})
    foreach(header IN LISTS ARG_HEADERS)
      file(REAL_PATH ${header} header BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
      file(RELATIVE_PATH header ${PROJECT_SOURCE_DIR} ${header})
      set_property(GLOBAL APPEND PROPERTY GVP_PUBLIC_HEADERS ${header})
    endforeach()
  endif()
endfunction()

# Precompiled headers, of packages only: what is ours changes too often, and a source states its own
# includes (a build without them, the default, sees that it does).  Each kind is compiled once, by a
# target that does nothing else, with the options of those that use it: libraries differ from
# executables in position-independent code, and an option that differs makes the compiler read the
# headers as text (which is slow, but no error).
set(CMAKE_PCH_WARN_INVALID OFF)
function(_gvp_precompiled name)
  list(TRANSFORM ARGN REPLACE "(.+)" "<\\1>" OUTPUT_VARIABLE headers)
  target_link_libraries(${name} PRIVATE gvp_options)
  target_precompile_headers(${name} PRIVATE ${headers})
endfunction()
function(gvp_precompile_systemc)
  if(GVP_PRECOMPILE)
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/precompiled/empty.cpp CONTENT "")
    add_library(precompiled_systemc OBJECT ${CMAKE_BINARY_DIR}/precompiled/empty.cpp)
    target_link_libraries(precompiled_systemc PRIVATE SystemC::systemc fmt::fmt nlohmann_json::nlohmann_json)
    _gvp_precompiled(precompiled_systemc systemc tlm fmt/format.h nlohmann/json.hpp)
  endif()
endfunction()
function(gvp_precompile_tests)
  if(GVP_PRECOMPILE)
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/precompiled/main.cpp CONTENT
         "extern \"C\" int sc_main(int, char**) { return 0; }\nint main() { return 0; }\n")
    add_executable(precompiled_test EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/precompiled/main.cpp)
    _gvp_test_options(precompiled_test)
    target_link_libraries(precompiled_test PRIVATE GTest::gmock fmt::fmt nlohmann_json::nlohmann_json)
    _gvp_precompiled(precompiled_test gmock/gmock.h gtest/gtest.h fmt/format.h nlohmann/json.hpp)
    add_executable(precompiled_systemc_test EXCLUDE_FROM_ALL ${CMAKE_BINARY_DIR}/precompiled/main.cpp)
    _gvp_test_options(precompiled_systemc_test)
    target_link_libraries(precompiled_systemc_test PRIVATE SystemC::systemc GTest::gmock fmt::fmt
                          nlohmann_json::nlohmann_json)
    _gvp_precompiled(precompiled_systemc_test systemc tlm gmock/gmock.h gtest/gtest.h fmt/format.h nlohmann/json.hpp)
  endif()
endfunction()

# What an executable needs under the address sanitizer (see the file).  It is linked to a fixed address:
# the sanitizers' tables hold over a million pointers, which would be relocated at every start.
function(_gvp_sanitizer_sources name)
  if(GVP_SANITIZE)
    target_link_options(${name} PRIVATE -no-pie)
  endif()
  if(GVP_SANITIZE MATCHES address AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    if(NOT TARGET sanitizer_support)
      add_library(sanitizer_support OBJECT ${PROJECT_SOURCE_DIR}/tests/support/sanitizer.cpp)
      target_link_libraries(sanitizer_support PRIVATE gvp_options)
    endif()
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:sanitizer_support>)
  endif()
endfunction()

# gvp_tool(NAME SOURCES ... [LINK ...] [INTERNAL]): an executable in build/bin
#   INTERNAL  serves the repository's own tests and pages: not installed
function(gvp_tool name)
  cmake_parse_arguments(ARG "INTERNAL" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE gvp_options ${ARG_LINK})
  _gvp_sanitizer_sources(${name})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
  if(NOT ARG_INTERNAL)
    install(TARGETS ${name} RUNTIME)
  endif()
endfunction()

# gvp_loads_plugins(EXECUTABLE): plug-ins find in it all of what models are made of, once.
function(gvp_loads_plugins name)
  set(archives "")
  foreach(library base device_keys device tlm_kit axi)
    list(APPEND archives $<TARGET_FILE:${library}>)
  endforeach()
  list(JOIN archives "," archives)
  set_target_properties(${name} PROPERTIES ENABLE_EXPORTS ON)
  target_link_options(${name} PRIVATE "LINKER:--whole-archive,${archives},--no-whole-archive")
endfunction()

# Test sources are optimised little, and under the sanitizers not at all: that compiles in four fifths
# and in two thirds of the time, and what takes time when a test runs is in the models.
function(_gvp_test_options name)
  if(GVP_SANITIZE)
    target_compile_options(${name} PRIVATE -O0)
  else()
    target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
endfunction()

# gvp_test(NAME SOURCES ... [LINK ...] [SYSTEMC] [WHOLE] [TIMEOUT SECONDS] [LABELS ...])
#   SYSTEMC  the tests elaborate SystemC modules: they get a main() that runs each test in a
#            process of its own, because a process can elaborate only once
#   WHOLE    register the executable as one CTest test (for many tiny tests)
function(gvp_test name)
  cmake_parse_arguments(ARG "SYSTEMC;WHOLE" "TIMEOUT" "SOURCES;LINK;LABELS" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300) # of a machine that does much besides
  endif()
  add_executable(${name} ${ARG_SOURCES})
  _gvp_test_options(${name})
  _gvp_sanitizer_sources(${name})
  target_compile_definitions(${name} PRIVATE
    GVP_SOURCE_DIR="${PROJECT_SOURCE_DIR}" GVP_BINARY_DIR="${CMAKE_BINARY_DIR}")
  if(ARG_SYSTEMC)
    set(kind precompiled_systemc_test)
    target_link_libraries(${name} PRIVATE systemc_test_main)
  else()
    set(kind precompiled_test)
    target_link_libraries(${name} PRIVATE GTest::gtest_main)
  endif()
  if(TARGET ${kind} AND NOT ARG_SOURCES MATCHES "\\.c(;|$)") # CMake wants headers for C, too
    target_precompile_headers(${name} REUSE_FROM ${kind})
  endif()
  target_link_libraries(${name} PRIVATE gvp_options ${ARG_LINK} GTest::gmock)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  if(ARG_WHOLE)
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}")
  else()
    gtest_discover_tests(${name} TEST_PREFIX ${name}. DISCOVERY_TIMEOUT 60
      PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}")
  endif()
endfunction()

# gvp_device_types(LIBRARY TYPE...): the library has these device types.  TYPE is a function
# (gvp::host::microblaze_type) that returns a device::DeviceType; see models/device/device_type.h.
function(gvp_device_types library)
  foreach(type ${ARGN})
    set_property(GLOBAL APPEND PROPERTY GVP_DEVICE_TYPES "${library}@${type}")
  endforeach()
endfunction()
