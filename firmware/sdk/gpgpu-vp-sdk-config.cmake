# SPDX-License-Identifier: Apache-2.0
# The package gpgpu-vp-sdk: firmware for gpgpu-vp's boards.  Needs the toolchain file
# share/gpgpu-vp/sdk/microblaze.cmake.  docs/firmware.md, "Firmware of your own".
#
#   gvp_firmware(NAME SOURCES FILE... [KERNELS FILE...] [ARGUMENTS TEXT] [PLATFORM OPTION...])
#
# makes NAME.elf out of C and assembly sources, the board support package and the GPGPU driver.
#   SOURCES    also CUDA C (.cu) with a host part in C, which calls CUDA's runtime API (kcc --host-wrapper)
#   KERNELS    CUDA C (.cu), PTX (.ptx) or assembly (.s): compiled to FILE.cubin beside the program and
#              embedded; kernels.h declares a kernel_image for each, kernel_FILE
#   ARGUMENTS  what program_arguments() returns when the targets below run it
#   PLATFORM   options of gpgpu-vp, such as --set gpgpu.sps=32
# Targets: run-NAME runs it on gpgpu-vp, debug-NAME waits for a debugger on GVP_GDB_PORT; for the first
# program of a project, run and debug.
#
#   gvp_kernels(TARGET FILE...)   compiles kernels to cubins without embedding them
#
# Variables: GVP_BOARD a board of gpgpu-vp's, by name or file (default ml605); GVP_GDB_PORT (1234);
# GVP_KCC_FLAGS options of kcc.
cmake_path(SET _gvp_root NORMALIZE ${CMAKE_CURRENT_LIST_DIR}/../../..)
set(_gvp_sdk ${_gvp_root}/share/gpgpu-vp/sdk)

if(NOT CMAKE_SYSTEM_PROCESSOR STREQUAL microblaze)
  set(gpgpu-vp-sdk_NOT_FOUND_MESSAGE
      "firmware is cross-compiled: configure with -D CMAKE_TOOLCHAIN_FILE=${_gvp_sdk}/microblaze.cmake")
  set(gpgpu-vp-sdk_FOUND FALSE)
  return()
endif()
set(GVP_BOARD "" CACHE STRING "Board of gpgpu-vp's, by name or file; default ml605")
set(GVP_GDB_PORT 1234 CACHE STRING "Port that the debug targets wait on")
set(GVP_KCC_FLAGS "" CACHE STRING "Options of kcc")
foreach(_gvp_program gpgpu-vp kcc g80as)
  string(TOUPPER GVP_${_gvp_program}_PROGRAM _gvp_variable)
  string(REPLACE "-" "_" _gvp_variable ${_gvp_variable})
  find_program(${_gvp_variable} ${_gvp_program} HINTS ${_gvp_root}/bin REQUIRED)
endforeach()
enable_language(ASM)

# Board support package and driver are compiled with the project.
if(NOT TARGET gvp_sdk)
  file(GLOB _gvp_sources CONFIGURE_DEPENDS ${_gvp_sdk}/bsp/*.[cS] ${_gvp_sdk}/driver/*.c)
  add_library(gvp_sdk OBJECT ${_gvp_sources})
  set_target_properties(gvp_sdk PROPERTIES C_STANDARD 11 C_EXTENSIONS ON)
  target_include_directories(gvp_sdk PUBLIC ${_gvp_sdk})
  # --no-relax: the vectors' offsets are fixed.  -nostdlib because GCC would ask for Xilinx's libxil.
  target_link_options(gvp_sdk INTERFACE -nostartfiles -nostdlib -T ${_gvp_sdk}/bsp/linker.ld
                      LINKER:--no-relax,--gc-sections,--build-id=none,--fatal-warnings)
  target_link_libraries(gvp_sdk INTERFACE -Wl,--start-group -lm -lc -lgcc -Wl,--end-group)
  set_property(TARGET gvp_sdk PROPERTY INTERFACE_LINK_DEPENDS ${_gvp_sdk}/bsp/linker.ld)
  set(_gvp_board_options "")
  if(GVP_BOARD)
    set(_gvp_board_options --board ${GVP_BOARD})
    set(_gvp_header ${CMAKE_BINARY_DIR}/gvp-board/platform/memory_map.h)
    execute_process(COMMAND ${GVP_GPGPU_VP_PROGRAM} ${_gvp_board_options} --dump-header
                    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR} RESULT_VARIABLE _gvp_result
                    OUTPUT_VARIABLE _gvp_text ERROR_VARIABLE _gvp_error)
    if(NOT _gvp_result EQUAL 0)
      message(FATAL_ERROR "GVP_BOARD=${GVP_BOARD}: ${_gvp_error}")
    endif()
    file(CONFIGURE OUTPUT ${_gvp_header} CONTENT "${_gvp_text}" @ONLY)
    target_include_directories(gvp_sdk BEFORE PUBLIC ${CMAKE_BINARY_DIR}/gvp-board)
    foreach(_gvp_memory LMB DDR3)
      string(REGEX MATCH "GVP_${_gvp_memory}_BASE GVP_UNSIGNED\\(([^)]*)\\)" _gvp_match "${_gvp_text}")
      string(TOLOWER board_${_gvp_memory}_base _gvp_symbol)
      target_link_options(gvp_sdk INTERFACE LINKER:--defsym=${_gvp_symbol}=${CMAKE_MATCH_1})
    endforeach()
    if(EXISTS ${CMAKE_SOURCE_DIR}/${GVP_BOARD})
      set(_gvp_board_options --board ${CMAKE_SOURCE_DIR}/${GVP_BOARD})
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${GVP_BOARD})
    endif()
  endif()
endif()

# _gvp_cubin(OUT FILE): the rule that makes FILE's cubin
function(_gvp_cubin out file)
  cmake_path(ABSOLUTE_PATH file)
  cmake_path(GET file STEM name)
  cmake_path(GET file EXTENSION LAST_ONLY extension)
  set(cubin ${CMAKE_CURRENT_BINARY_DIR}/${name}.cubin)
  set(${out} ${cubin} PARENT_SCOPE)
  if(extension STREQUAL .s)
    add_custom_command(OUTPUT ${cubin} COMMAND ${GVP_G80AS_PROGRAM} ${file} -o ${cubin}
                       DEPENDS ${file} ${GVP_G80AS_PROGRAM} VERBATIM)
  elseif(extension MATCHES "^\\.(cu|ptx)$")
    separate_arguments(flags UNIX_COMMAND "${GVP_KCC_FLAGS}")
    cmake_path(GET file PARENT_PATH folder)
    file(GLOB headers CONFIGURE_DEPENDS ${folder}/*.h ${folder}/*.cuh)
    add_custom_command(OUTPUT ${cubin}
                       COMMAND ${GVP_KCC_PROGRAM} $<$<CONFIG:Debug,RelWithDebInfo>:-g> ${flags} ${file} -o ${cubin}
                       DEPENDS ${file} ${headers} ${GVP_KCC_PROGRAM} VERBATIM COMMAND_EXPAND_LISTS)
  else()
    message(FATAL_ERROR "${file} is no kernel: .cu, .ptx or .s")
  endif()
endfunction()

# _gvp_host_part(OUT FILE): the rule that makes C of a program in CUDA C
function(_gvp_host_part out file)
  if(NOT TARGET gvp_sdk_cuda)
    file(GLOB runtime CONFIGURE_DEPENDS ${_gvp_sdk}/cuda/*.c)
    add_library(gvp_sdk_cuda OBJECT ${runtime})
    set_target_properties(gvp_sdk_cuda PROPERTIES C_STANDARD 11 C_EXTENSIONS ON)
    target_include_directories(gvp_sdk_cuda PRIVATE $<TARGET_PROPERTY:gvp_sdk,INTERFACE_INCLUDE_DIRECTORIES>)
  endif()
  cmake_path(ABSOLUTE_PATH file)
  cmake_path(GET file STEM name)
  cmake_path(GET file PARENT_PATH folder)
  set(host ${CMAKE_CURRENT_BINARY_DIR}/${name}.host.c)
  set(${out} ${host} PARENT_SCOPE)
  separate_arguments(flags UNIX_COMMAND "${GVP_KCC_FLAGS}")
  file(GLOB headers CONFIGURE_DEPENDS ${folder}/*.h ${folder}/*.cuh)
  add_custom_command(OUTPUT ${host} COMMAND ${GVP_KCC_PROGRAM} --host-wrapper ${flags} ${file} -o ${host}
                     DEPENDS ${file} ${headers} ${GVP_KCC_PROGRAM} VERBATIM COMMAND_EXPAND_LISTS)
  set_source_files_properties(${host} PROPERTIES COMPILE_OPTIONS "-std=gnu11;-I${folder}")
endfunction()

function(gvp_kernels target)
  set(cubins)
  foreach(file IN LISTS ARGN)
    _gvp_cubin(cubin ${file})
    list(APPEND cubins ${cubin})
  endforeach()
  add_custom_target(${target} ALL DEPENDS ${cubins})
endfunction()

function(gvp_firmware name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "ARGUMENTS" "SOURCES;KERNELS;PLATFORM")
  if(NOT ARG_SOURCES OR ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "gvp_firmware(NAME SOURCES FILE... [KERNELS FILE...] [ARGUMENTS TEXT] [PLATFORM OPTION...])"
            " ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  set(sources)
  set(cuda)
  foreach(file IN LISTS ARG_SOURCES)
    if(file MATCHES "\\.cu$")
      _gvp_host_part(file ${file})
      set(cuda $<TARGET_OBJECTS:gvp_sdk_cuda>)
    endif()
    list(APPEND sources ${file})
  endforeach()
  add_executable(${name} ${sources} ${cuda})
  set_target_properties(${name} PROPERTIES SUFFIX .elf)
  target_link_libraries(${name} PRIVATE gvp_sdk)

  set(directory ${CMAKE_CURRENT_BINARY_DIR}/${name}-kernels)
  set(header "/* Generated by gvp_firmware(${name}). */\n#pragma once\n#include \"driver/kernel_image.h\"\n")
  set(assembly "/* Generated by gvp_firmware(${name}). */\n")
  set(cubins)
  foreach(file IN LISTS ARG_KERNELS)
    _gvp_cubin(cubin ${file})
    list(APPEND cubins ${cubin})
    cmake_path(GET file STEM kernel)
    string(MAKE_C_IDENTIFIER ${kernel} kernel)
    string(APPEND header "extern const struct kernel_image kernel_${kernel};\n")
    string(APPEND assembly "\t.section .rodata.kernel_${kernel}, \"a\"\n\t.globl kernel_${kernel}\n\t.balign 4\n"
           "kernel_${kernel}:\n\t.long 1f, 2f - 1f\n1:\t.incbin \"${cubin}\"\n2:\n")
  endforeach()
  if(cubins)
    file(CONFIGURE OUTPUT ${directory}/kernels.h CONTENT "${header}" @ONLY)
    file(CONFIGURE OUTPUT ${directory}/kernels.S CONTENT "${assembly}" @ONLY)
    set_source_files_properties(${directory}/kernels.S PROPERTIES OBJECT_DEPENDS "${cubins}")
    target_sources(${name} PRIVATE ${directory}/kernels.S)
    target_include_directories(${name} PRIVATE ${directory})
  endif()

  set(command ${GVP_GPGPU_VP_PROGRAM} ${_gvp_board_options} ${ARG_PLATFORM})
  if(ARG_ARGUMENTS)
    list(APPEND command --arguments ${ARG_ARGUMENTS})
  endif()
  add_custom_target(run-${name} COMMAND ${command} $<TARGET_FILE:${name}> DEPENDS ${name} USES_TERMINAL VERBATIM)
  add_custom_target(debug-${name} COMMAND ${command} --gdb ${GVP_GDB_PORT} $<TARGET_FILE:${name}>
                    DEPENDS ${name} USES_TERMINAL VERBATIM)
  if(NOT TARGET run)
    add_custom_target(run DEPENDS run-${name})
    add_custom_target(debug DEPENDS debug-${name})
  endif()
endfunction()
