# SPDX-License-Identifier: Apache-2.0
# CMake toolchain file for MicroBlaze firmware (CMAKE_TOOLCHAIN_FILE), with the cross-compiler that
# toolchain/build.sh beside this file has built, or another:
#   -D GVP_COMPILER=PREFIX   what comes before "gcc", such as /opt/mb/bin/microblazeel-xilinx-elf-
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR microblaze)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY) # there is nothing to link a bare program with
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES GVP_COMPILER)

if(NOT GVP_COMPILER OR NOT EXISTS ${GVP_COMPILER}gcc)
  execute_process(COMMAND ${CMAKE_CURRENT_LIST_DIR}/toolchain/build.sh --find
                  OUTPUT_VARIABLE _gvp_found ERROR_VARIABLE _gvp_missing RESULT_VARIABLE _gvp_result
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_STRIP_TRAILING_WHITESPACE)
  if(NOT _gvp_result EQUAL 0)
    message(FATAL_ERROR "No MicroBlaze cross-compiler.\n${_gvp_missing}\n"
            "GVP_TOOLCHAIN_DIR in the environment names another cache; -D GVP_COMPILER=PREFIX another compiler.")
  endif()
  set(GVP_COMPILER ${_gvp_found}/bin/microblazeel-xilinx-elf- CACHE STRING "MicroBlaze compiler, before \"gcc\"" FORCE)
endif()
set(CMAKE_C_COMPILER ${GVP_COMPILER}gcc)
set(CMAKE_ASM_COMPILER ${GVP_COMPILER}gcc)

# The core every variant of the board has: multiplier, divider, barrel shifter, pattern compare.
# v9.6, not v10 or v11: GCC 12 compares versions as strings, and "v10" is less than "v3".
set(_gvp_cpu "-mcpu=v9.6 -mno-xl-soft-mul -mxl-multiply-high -mno-xl-soft-div -mxl-barrel-shift")
string(APPEND _gvp_cpu " -mxl-pattern-compare -mxl-reorder")
set(CMAKE_C_FLAGS_INIT "${_gvp_cpu} -ffunction-sections -fdata-sections")
set(CMAKE_ASM_FLAGS_INIT "${_gvp_cpu}")
set(CMAKE_C_FLAGS_DEBUG_INIT "-Og")

# The programs, and the package gpgpu-vp-sdk, are where this file is installed.
cmake_path(SET _gvp_prefix NORMALIZE ${CMAKE_CURRENT_LIST_DIR}/../../..)
list(PREPEND CMAKE_PREFIX_PATH ${_gvp_prefix})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
